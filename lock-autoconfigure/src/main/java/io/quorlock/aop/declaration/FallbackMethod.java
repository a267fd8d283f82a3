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

package io.quorlock.aop.declaration;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import org.jspecify.annotations.Nullable;

import org.springframework.aop.support.AopUtils;

import io.quorlock.LockException;
import io.quorlock.LockNotAcquiredException;

/**
 * The method that is called instead when the lock was not acquired.
 *
 * @param method the method
 * @param exceptionType the type of the exception that it takes, or {@code null} if none
 * @param exceptionIndex where it takes the exception
 * @since 0.1.0
 */
public record FallbackMethod(Method method, @Nullable Class<?> exceptionType, int exceptionIndex) {

	/**
	 * Return whether the fallback is to be called for a failure. A fallback that takes no
	 * exception is called for contention only, since it could not distinguish an outage.
	 * @param failure why the lock was not acquired
	 * @return whether to call the fallback
	 */
	public boolean handles(LockException failure) {
		return (this.exceptionType != null) ? this.exceptionType.isInstance(failure)
				: failure instanceof LockNotAcquiredException;
	}

	/**
	 * Call the fallback.
	 * @param target the bean whose method was called
	 * @param arguments the arguments of the call without a lock
	 * @param failure why the lock was not acquired
	 * @return the fallback's result
	 * @throws Throwable what the fallback throws
	 */
	public @Nullable Object invoke(@Nullable Object target, @Nullable Object[] arguments, LockException failure)
			throws Throwable {
		List<@Nullable Object> extended = new ArrayList<>(Arrays.asList(arguments));
		if (this.exceptionType != null) {
			extended.add(this.exceptionIndex, failure);
		}
		return AopUtils.invokeJoinpointUsingReflection(target, this.method, extended.toArray());
	}

	@Override
	public String toString() {
		return this.method.toString();
	}

}
