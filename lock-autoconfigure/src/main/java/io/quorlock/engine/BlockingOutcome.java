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
	public void granted(Handle handle, Acquisition acquisition) {
		this.handle = handle;
		LockSupport.unpark(this.caller);
	}

	@Override
	public void failed(LockException failure, Acquisition acquisition) {
		this.failure = failure;
		LockSupport.unpark(this.caller);
	}

	/**
	 * Wait for the outcome. An interrupt ends the wait of an interruptible caller, and is
	 * kept for after the wait otherwise; the thread's flag is set in both cases.
	 * @return the handle, not handed out yet
	 */
	Handle await(Acquisition acquisition, boolean interruptible) {
		boolean interrupted = false;
		try {
			while (true) {
				Handle granted = this.handle;
				if (granted != null) {
					return granted;
				}
				LockException failed = this.failure;
				if (failed != null) {
					// Of the caller, not of a thread of the store.
					failed.fillInStackTrace();
					throw failed;
				}
				if (Thread.interrupted()) {
					interrupted = true;
					if (interruptible) {
						acquisition.cancel(acquisition.failures().interrupted(new InterruptedException()));
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
