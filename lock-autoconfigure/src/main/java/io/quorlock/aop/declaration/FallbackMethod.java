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
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import org.springframework.aop.support.AopUtils;
import org.springframework.core.KotlinDetector;
import org.springframework.core.ResolvableType;
import org.springframework.util.ReflectionUtils;

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

	/**
	 * Finds the fallback of a method. If none fits, the exception describes why.
	 */
	record Finder(LockDeclaration declaration) {

		FallbackMethod find(String name) {
			List<FallbackMethod> fitting = new ArrayList<>();
			List<String> misfits = new ArrayList<>();
			for (Method candidate : ReflectionUtils.getUniqueDeclaredMethods(this.declaration.userClass())) {
				if (isNamed(candidate, name) && !candidate.isSynthetic() && !isTheMethod(candidate)) {
					String misfit = misfit(candidate);
					if (misfit == null) {
						fitting.add(new FallbackMethod(candidate, exceptionType(candidate),
								parameters(this.declaration.method()).size()));
					}
					else {
						misfits.add(candidate + " " + misfit);
					}
				}
			}
			if (fitting.size() == 1) {
				return fitting.get(0);
			}
			throw this.declaration.refused("fallback", name, reason(fitting, misfits), action(name, fitting), null);
		}

		/**
		 * Kotlin adds a hash of value classes among the parameters, or the internal
		 * module.
		 */
		private static boolean isNamed(Method candidate, String name) {
			String actual = candidate.getName();
			return actual.equals(name) || actual.startsWith(name + "-") || actual.startsWith(name + "$");
		}

		/** The class of a proxy declares the method once more. */
		private boolean isTheMethod(Method candidate) {
			return candidate.getName().equals(this.declaration.method().getName())
					&& parameters(candidate).equals(parameters(this.declaration.method()));
		}

		private String reason(List<FallbackMethod> fitting, List<String> misfits) {
			if (!fitting.isEmpty()) {
				return "several methods fit: " + fitting;
			}
			if (!misfits.isEmpty()) {
				return "it does not fit: " + String.join("; ", misfits);
			}
			return this.declaration.userClass().getName() + " has no such method";
		}

		private String action(String name, List<FallbackMethod> fitting) {
			if (!fitting.isEmpty()) {
				return "Give one of the methods another name.";
			}
			String parameters = parameters(this.declaration.method()).stream()
				.map(Class::getSimpleName)
				.collect(Collectors.joining(", ", "(", ")"));
			return "Declare the method %s%s in %s, not static, which returns %s. It may take a LockException last."
				.formatted(name, parameters, this.declaration.userClass().getName(),
						returnType(this.declaration.method()));
		}

		private @Nullable String misfit(Method candidate) {
			if (Modifier.isStatic(candidate.getModifiers())) {
				return "is static";
			}
			List<Class<?>> wanted = parameters(this.declaration.method());
			List<Class<?>> actual = parameters(candidate);
			if (exceptionType(candidate) != null) {
				actual = actual.subList(0, actual.size() - 1);
			}
			if (!actual.equals(wanted)) {
				return "does not take the same parameters, which are " + wanted
						+ " and, optionally, a LockException last";
			}
			if (KotlinDetector.isSuspendingFunction(candidate) != KotlinDetector
				.isSuspendingFunction(this.declaration.method())) {
				return "and the method must both be suspending functions, or neither";
			}
			ResolvableType result = returnType(this.declaration.method());
			if (!result.toClass().isAssignableFrom(returnType(candidate).toClass())) {
				return "does not return " + result;
			}
			return null;
		}

		/**
		 * Return the type of the additional parameter, if it is a {@link LockException}.
		 */
		private @Nullable Class<?> exceptionType(Method candidate) {
			List<Class<?>> types = parameters(candidate);
			if (types.size() != parameters(this.declaration.method()).size() + 1) {
				return null;
			}
			Class<?> last = types.get(types.size() - 1);
			return LockException.class.isAssignableFrom(last) ? last : null;
		}

		private List<Class<?>> parameters(Method candidate) {
			int count = candidate.getParameterCount() - (KotlinDetector.isSuspendingFunction(candidate) ? 1 : 0);
			List<Class<?>> types = new ArrayList<>(count);
			for (int i = 0; i < count; i++) {
				types.add(ResolvableType.forMethodParameter(candidate, i, this.declaration.userClass()).toClass());
			}
			return types;
		}

		private ResolvableType returnType(Method candidate) {
			return ResolvableType.forMethodReturnType(candidate, this.declaration.userClass());
		}

	}

}
