package io.quorlock;

/**
 * Code that runs while a lock is held and has no result.
 *
 * @param <E> the exception; {@link RuntimeException} where there is none
 * @since 0.1.0
 * @see LockCallback
 */
@FunctionalInterface
public interface LockAction<E extends Exception> {

	/**
	 * Run while the lock is held.
	 * @throws E as the code sees fit
	 */
	void run() throws E;

}
