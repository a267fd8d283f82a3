package io.quorlock.aop;

import io.quorlock.LockContext;
import io.quorlock.LockHandle;
import io.quorlock.LockLostException;
import io.quorlock.annotation.DistributedLock.OnLost;
import org.jspecify.annotations.Nullable;

/**
 * The time between getting a lock and releasing it, on one thread.
 */
final class HeldLock {

	private HeldLock() {
	}

	/**
	 * Runs code under a lock, then releases it.
	 * @param handle the lock
	 * @param onLost what to do if it is lost meanwhile
	 * @param body the code
	 * @return the body's result
	 * @throws Throwable what the body throws; {@link LockLostException}, with that as its
	 * cause, if the lock was lost and that is not to be ignored
	 */
	static @Nullable Object run(LockHandle handle, OnLost onLost, Body body) throws Throwable {
		try {
			Object result;
			try {
				result = within(handle, onLost, body);
			}
			catch (Throwable ex) {
				LockLostException loss = lossOf(handle, onLost, ex);
				throw (loss != null) ? loss : ex;
			}
			LockLostException loss = lossOf(handle, onLost, null);
			if (loss != null) {
				throw loss;
			}
			return result;
		}
		finally {
			handle.close();
		}
	}

	/**
	 * Runs code that sees a lock as the innermost of its call.
	 * @param handle the lock
	 * @param onLost whether to interrupt the code if it is lost meanwhile
	 * @param body the code
	 * @return the body's result
	 * @throws Throwable what the body throws
	 */
	static @Nullable Object within(LockHandle handle, OnLost onLost, Body body) throws Throwable {
		LossInterrupt interrupt = LossInterrupt.arm(handle, onLost);
		LockContext outer = LockContext.capture();
		LockContext.restore(LockContext.with(handle, outer));
		try {
			return body.run();
		}
		finally {
			interrupt.disarm();
			LockContext.restore(outer);
		}
	}

	/**
	 * The loss that the caller has to be told of.
	 * @param handle the lock
	 * @param onLost the reaction
	 * @param failure what the protected code threw, or {@code null}
	 * @return the exception, or {@code null} if there is nothing to tell
	 */
	static @Nullable LockLostException lossOf(LockHandle handle, OnLost onLost, @Nullable Throwable failure) {
		if (onLost == OnLost.IGNORE || failure instanceof LockLostException) {
			return null;
		}
		try {
			handle.ensureHeld();
			return null;
		}
		catch (LockLostException ex) {
			return (failure != null) ? new LockLostException(String.valueOf(ex.getMessage()), failure) : ex;
		}
		catch (IllegalStateException ex) {
			// The protected code has closed the lock by itself: no loss.
			return null;
		}
	}

	/**
	 * Code that runs under a lock.
	 */
	@FunctionalInterface
	interface Body {

		@Nullable Object run() throws Throwable;

	}

}
