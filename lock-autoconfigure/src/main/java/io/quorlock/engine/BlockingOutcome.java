package io.quorlock.engine;

import java.util.concurrent.locks.LockSupport;

import org.jspecify.annotations.Nullable;

import io.quorlock.LockException;

/**
 * The outcome for a caller that chose to block: one wake-up per request.
 */
final class BlockingOutcome implements Acquisition.Outcome {

	private final Thread caller = Thread.currentThread();

	private volatile @Nullable Handle handle;

	private volatile @Nullable LockException failure;

	@Override
	public void granted(Acquisition acquisition, Handle handle) {
		this.handle = handle;
		LockSupport.unpark(this.caller);
	}

	@Override
	public void failed(Acquisition acquisition, LockException failure) {
		this.failure = failure;
		LockSupport.unpark(this.caller);
	}

	/**
	 * Waits for the outcome. An interrupt ends the wait of an interruptible caller, and
	 * is kept for after the wait otherwise; the thread's flag is set in both cases.
	 */
	Handle await(Acquisition acquisition, boolean interruptible) {
		boolean interrupted = false;
		try {
			while (true) {
				Handle granted = this.handle;
				if (granted != null) {
					return granted.handOut();
				}
				LockException failed = this.failure;
				if (failed != null) {
					failed.fillInStackTrace(); // of the caller, not of the engine's
												// thread
					throw failed;
				}
				if (Thread.interrupted()) {
					interrupted = true;
					if (interruptible) {
						acquisition.cancel(Failures.interrupted(acquisition, new InterruptedException()));
						continue;
					}
				}
				LockSupport.park(this);
			}
		}
		finally {
			if (interrupted) {
				this.caller.interrupt();
			}
		}
	}

}
