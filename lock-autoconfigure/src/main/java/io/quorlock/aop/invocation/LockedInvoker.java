package io.quorlock.aop.invocation;

import org.jspecify.annotations.Nullable;

/**
 * Runs a method under its lock for as long as its kind of result takes to complete.
 *
 * @since 0.1.0
 */
public interface LockedInvoker {

	/**
	 * Takes the lock, runs the method, releases the lock.
	 * @param call the call
	 * @return the result for the caller
	 * @throws Throwable what the method throws, or why it did not run
	 */
	@Nullable Object invoke(LockedCall call) throws Throwable;

}
