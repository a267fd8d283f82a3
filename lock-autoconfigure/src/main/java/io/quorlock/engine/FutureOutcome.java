package io.quorlock.engine;

import java.util.concurrent.CompletableFuture;

import io.quorlock.LockException;
import io.quorlock.LockHandle;
import io.quorlock.LockUnavailableException;

/**
 * The outcome for a caller that does not block. Completes on the callbacks executor; a
 * lock that nobody takes is released.
 */
final class FutureOutcome extends CompletableFuture<LockHandle> implements Acquisition.Outcome {

	private final LockEngine engine;

	FutureOutcome(LockEngine engine) {
		this.engine = engine;
	}

	@Override
	public void granted(Acquisition acquisition, Handle handle) {
		this.engine.callback(() -> {
			try {
				handle.handOut();
				acquisition.observed().granted(handle, acquisition.attempts());
				if (!complete(handle)) {
					handle.closeAsync();
				}
			}
			catch (LockUnavailableException ex) {
				fail(acquisition, ex);
			}
		});
	}

	@Override
	public void failed(Acquisition acquisition, LockException failure) {
		this.engine.callback(() -> fail(acquisition, failure));
	}

	private void fail(Acquisition acquisition, LockException failure) {
		acquisition.observed().failed(failure, acquisition.attempts());
		completeExceptionally(failure);
	}

}
