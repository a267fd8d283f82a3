package io.quorlock.aop;

import org.jspecify.annotations.Nullable;

/**
 * Runs a method under its lock for as long as its kind of result takes to complete.
 */
interface LockedInvoker {

	/**
	 * Takes the lock, runs the method, releases the lock.
	 * @param call the call
	 * @return the result for the caller
	 * @throws Throwable what the method throws, or why it did not run
	 */
	@Nullable Object invoke(LockedCall call) throws Throwable;

	/**
	 * The result of a method that was skipped.
	 * @return a result that stands for nothing
	 */
	@Nullable Object skipped();

}
