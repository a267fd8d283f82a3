package io.quorlock.aop.invocation;

import org.jspecify.annotations.Nullable;

/**
 * Runs a method under its lock for as long as its kind of result takes to complete.
 *
 * @since 0.1.0
 */
public interface LockedInvoker {

	/**
	 * Acquire the lock, run the method, and release the lock.
	 * @param call the call
	 * @return the result for the caller
	 * @throws Throwable what the method throws, or the reason why it did not run
	 */
	@Nullable Object invoke(LockedCall call) throws Throwable;

}
