/*
 * Copyright 2026-present the Quorlock authors.
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *      https://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */

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
	 * @param failure a {@link io.quorlock.LockNotAcquiredException}, a
	 * {@link io.quorlock.LockUnavailableException}, or if the wait was ended a
	 * {@link io.quorlock.LockInterruptedException} or a
	 * {@link io.quorlock.LockCancelledException}
	 * @param target the bean whose method was called
	 * @param method the method, which did not run
	 * @param arguments its arguments
	 * @return the result for the caller; for a future or a reactive type, one of these
	 * @throws Throwable what the caller gets instead
	 */
	@Nullable Object handle(LockException failure, Object target, Method method, @Nullable Object... arguments) throws Throwable;

}
