package io.quorlock;

import java.util.Optional;

import org.jspecify.annotations.Nullable;

/**
 * Runs callbacks under a lock that was acquired, then releases it.
 */
final class HeldLock {

	private HeldLock() {
	}

	/**
	 * Run a callback that sees the lock as the innermost of its call, then release the
	 * lock.
	 * @param handle the lock
	 * @param callback the code
	 * @return the callback's result
	 * @throws E what the callback throws, with a loss of the lock suppressed
	 * @throws LockLostException if the callback succeeded, but the lock was lost
	 */
	static <T extends @Nullable Object, E extends Exception> T run(LockHandle handle, LockCallback<T, E> callback)
			throws E {
		LockContext.restore(LockContext.with(handle, LockContext.capture()));
		try {
			T result;
			try {
				result = callback.run();
			}
			catch (Throwable ex) {
				handle.loss().filter((loss) -> loss != ex).ifPresent(ex::addSuppressed);
				throw ex;
			}
			Optional<LockLostException> loss = handle.loss();
			if (loss.isPresent()) {
				throw loss.get();
			}
			return result;
		}
		finally {
			// Not simply what was before: the callback may have unlocked an outer lock.
			LockContext.restore(LockContext.without(LockContext.capture(), handle));
			handle.close();
		}
	}

}
