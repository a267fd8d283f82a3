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

package io.quorlock.aop.invocation;

import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;

import org.springframework.core.KotlinDetector;
import org.springframework.core.MethodParameter;
import org.springframework.core.ReactiveAdapter;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.scheduling.annotation.Async;
import org.springframework.util.ClassUtils;

import io.quorlock.aop.declaration.InvalidLockDeclarationException;
import io.quorlock.aop.declaration.LockDeclaration;
import io.quorlock.aop.declaration.LockSpecification;

/**
 * Chooses how a method is run, by the type of its result.
 *
 * @since 0.1.0
 */
public final class LockedInvokers {

	private static final boolean REACTOR_PRESENT = isPresent("reactor.core.publisher.Mono");

	private static final boolean COROUTINES_REACTOR_PRESENT = isPresent("kotlinx.coroutines.reactor.MonoKt");

	private static final Map<Class<?>, Object> EMPTY = Map.of(Optional.class, Optional.empty(), OptionalInt.class,
			OptionalInt.empty(), OptionalLong.class, OptionalLong.empty(), OptionalDouble.class,
			OptionalDouble.empty());

	private LockedInvokers() {
	}

	/**
	 * Return how to run a method.
	 * @param specification what the annotation of the method says
	 * @return the invoker
	 * @throws InvalidLockDeclarationException if no lock can be held for such a result
	 */
	public static LockedInvoker forMethod(LockSpecification specification) {
		Method method = specification.method();
		Class<?> userClass = specification.userClass();
		boolean skip = specification.isSkippedOnContention();
		LockDeclaration declaration = specification.declaration();
		ResolvableType returned = ResolvableType.forMethodReturnType(method, userClass);
		Class<?> type = returned.resolve(method.getReturnType());
		declaration.require(!skip || !type.isPrimitive() || type == void.class, "onContention", "SKIP",
				"a skipped method returns null, which " + type + " cannot represent",
				"Return %s or void, or remove onContention = SKIP."
					.formatted(ClassUtils.resolvePrimitiveIfNecessary(type).getSimpleName()));
		// Spring runs no other methods on another thread.
		if (isAsync(method, userClass) && (type == void.class || Future.class.isAssignableFrom(type))) {
			return new BlockingInvoker(
					CompletionStage.class.isAssignableFrom(type) ? CompletableFuture.completedFuture(null) : null,
					false);
		}
		if (KotlinDetector.isSuspendingFunction(method)) {
			return suspending(method, declaration);
		}
		if (Future.class.isAssignableFrom(type) || CompletionStage.class.isAssignableFrom(type)) {
			return future(type, declaration);
		}
		return reactive(returned, type, skip, declaration);
	}

	/** Whether there may be work that goes on by itself, as in a list of futures. */
	private static boolean isLater(ResolvableType result) {
		if (result.isArray()) {
			return isLater(result.getComponentType());
		}
		Class<?> type = result.resolve(Object.class);
		return Future.class.isAssignableFrom(type) || CompletionStage.class.isAssignableFrom(type)
				|| type.getName().equals("kotlinx.coroutines.Job")
				|| ReactiveAdapterRegistry.getSharedInstance().getAdapter(type) != null
				|| (result.getType() instanceof ParameterizedType
						&& Arrays.stream(result.getGenerics()).anyMatch(LockedInvokers::isLater));
	}

	private static LockedInvoker future(Class<?> type, LockDeclaration declaration) {
		declaration.require(CompletionStage.class.isAssignableFrom(type), null, null,
				"a plain " + type.getSimpleName()
						+ " does not notify of its completion, so it is unknown how long to hold the lock",
				"Return a CompletableFuture, or make the method @Async.");
		declaration.require(type.isAssignableFrom(CompletableFuture.class), null, null,
				"the caller gets a different future than the method returns, which " + type.getSimpleName()
						+ " does not allow",
				"Return a CompletableFuture or a CompletionStage.");
		return new StageInvoker();
	}

	/**
	 * Spring presents a suspending function to interceptors as a Mono, a Flow as a Flux.
	 */
	private static LockedInvoker suspending(Method method, LockDeclaration declaration) {
		declaration.require(REACTOR_PRESENT && COROUTINES_REACTOR_PRESENT, null, null,
				"a suspending function needs kotlinx-coroutines-reactor",
				"Add the dependency org.jetbrains.kotlinx:kotlinx-coroutines-reactor.");
		boolean flow = "kotlinx.coroutines.flow.Flow"
			.equals(new MethodParameter(method, -1).getParameterType().getName());
		return new ReactiveInvoker(adapter(flow ? "reactor.core.publisher.Flux" : "reactor.core.publisher.Mono"));
	}

	private static LockedInvoker reactive(ResolvableType returned, Class<?> type, boolean skip,
			LockDeclaration declaration) {
		ReactiveAdapter adapter = ReactiveAdapterRegistry.getSharedInstance().getAdapter(type);
		if (adapter == null) {
			declaration.require(!isLater(returned), null, null,
					"what its result, a %s, stands for goes on after the method has returned, and the lock is released then"
						.formatted(returned),
					"Return one CompletableFuture, Mono or Flux that ends with all of that work.");
			return new BlockingInvoker(EMPTY.get(type), type == Object.class);
		}
		declaration.require(REACTOR_PRESENT, null, null,
				"a result of type " + type.getSimpleName() + " needs reactor-core",
				"Add the dependency io.projectreactor:reactor-core.");
		Class<?> adapted = adapter.getReactiveType();
		declaration.require(type.isAssignableFrom(adapted), null, null,
				"the caller gets a different " + adapted.getSimpleName() + " than the method returns, which "
						+ type.getSimpleName() + " does not allow",
				"Return a " + adapted.getSimpleName() + " from the method.");
		declaration.require(!skip || adapter.supportsEmpty(), "onContention", "SKIP",
				"a skipped method returns an empty result, which " + type.getSimpleName() + " cannot represent",
				"Return a type that may be empty, or remove onContention = SKIP.");
		return new ReactiveInvoker(adapter);
	}

	private static ReactiveAdapter adapter(String type) {
		ReactiveAdapter adapter = ReactiveAdapterRegistry.getSharedInstance()
			.getAdapter(ClassUtils.resolveClassName(type, LockedInvokers.class.getClassLoader()));
		return Objects.requireNonNull(adapter);
	}

	private static boolean isPresent(String type) {
		return ClassUtils.isPresent(type, LockedInvokers.class.getClassLoader());
	}

	static boolean isAsync(Method method, Class<?> userClass) {
		return AnnotatedElementUtils.hasAnnotation(method, Async.class)
				|| AnnotatedElementUtils.hasAnnotation(userClass, Async.class);
	}

}
