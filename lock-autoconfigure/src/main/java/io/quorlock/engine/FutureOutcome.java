package io.quorlock.engine;

import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

import io.quorlock.LockException;
import io.quorlock.LockHandle;

/**
 * The outcome for a caller that does not block. Completes on a thread that users may
 * block; a lock that is not taken is released.
 */
final class FutureOutcome extends CompletableFuture<LockHandle> implements Acquisition.Outcome {

	private final Callbacks callbacks;

	private final Consumer<FutureOutcome> again;

	private volatile @Nullable Acquisition acquisition;

	/**
	 * Create an outcome.
	 * @param callbacks runs the code of users
	 * @param again asks once more, since the lock was lost before it was handed out
	 */
	FutureOutcome(Callbacks callbacks, Consumer<FutureOutcome> again) {
		this.callbacks = callbacks;
		this.again = again;
		whenComplete((handle, ex) -> {
			// Cancelled or timed out by the user; otherwise it does nothing.
			if (ex != null) {
				cancelAcquisition();
			}
		});
	}

	/** The acquisition that is under way now. */
	void follows(Acquisition acquisition) {
		this.acquisition = acquisition;
		if (isDone()) {
			cancelAcquisition();
		}
	}

	private void cancelAcquisition() {
		Acquisition acquisition = this.acquisition;
		if (acquisition != null) {
			acquisition.cancel(acquisition.failures().cancelled());
		}
	}

	@Override
	public void granted(Handle handle, Acquisition acquisition) {
		this.callbacks.run(() -> {
			if (isDone()) {
				handle.closeAsync();
			}
			else if (!handle.handOut()) {
				this.again.accept(this);
			}
			else {
				acquisition.caller().observed().granted(handle, acquisition.attempts());
				if (!complete(handle)) {
					handle.closeAsync();
				}
			}
		});
	}

	@Override
	public void failed(LockException failure, Acquisition acquisition) {
		this.callbacks.run(() -> {
			acquisition.caller().observed().failed(failure, acquisition.attempts());
			completeExceptionally(failure);
		});
	}

}
