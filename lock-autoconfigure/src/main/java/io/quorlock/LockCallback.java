package io.quorlock;

import org.jspecify.annotations.Nullable;

/**
 * Code that runs while a lock is held and has a result. A checked exception is propagated
 * by {@link LockTemplate#execute(String, LockCallback)} unchanged.
 *
 * @param <T> the result
 * @param <E> the exception; {@link RuntimeException} where there is none
 * @since 0.1.0
 * @see LockContext
 */
@FunctionalInterface
public interface LockCallback<T extends @Nullable Object, E extends Exception> {

	/**
	 * Run while the lock is held.
	 * @return the result, may be {@code null}
	 * @throws E as the code sees fit
	 */
	T run() throws E;

}
