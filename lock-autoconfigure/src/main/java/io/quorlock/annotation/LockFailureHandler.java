package io.quorlock.annotation;

import java.lang.reflect.Method;

import org.jspecify.annotations.Nullable;

import io.quorlock.LockException;

/**
 * Decides for the whole application what happens when a method does not get its lock.
 * <p>
 * If the application has one such bean, it is called wherever the caller would get the
 * exception otherwise: for contention without {@code SKIP} and without a fitting
 * {@code fallback}, and for an outage without a fitting {@code fallback}. Typically it
 * throws an exception of the application.
 *
 * <pre class="code">
 * &#64;Bean
 * LockFailureHandler lockFailureHandler() {
 *     return (failure, target, method, arguments) -> {
 *         throw new OrderBusyException(failure);
 *     };
 * }
 * </pre>
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface LockFailureHandler {

	/**
	 * Handle a lock that was not acquired.
	 * @param failure a {@link io.quorlock.LockNotAcquiredException} or a
	 * {@link io.quorlock.LockUnavailableException}
	 * @param target the bean whose method was called
	 * @param method the method, which did not run
	 * @param arguments its arguments
	 * @return the result for the caller; for a future or a reactive type, one of these
	 * @throws Throwable what the caller gets instead
	 */
	@Nullable Object handle(LockException failure, Object target, Method method, @Nullable Object... arguments) throws Throwable;

}
