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

package io.quorlock.leader;

import java.lang.reflect.Method;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.function.Supplier;

import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.core.KotlinDetector;
import org.springframework.core.MethodClassKey;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.core.ResolvableType;
import org.springframework.util.ClassUtils;
import org.springframework.util.function.SingletonSupplier;

import io.quorlock.Api;
import io.quorlock.LockHandle;
import io.quorlock.annotation.DistributedLock.OnLost;
import io.quorlock.aop.GuardAdvisor;
import io.quorlock.aop.declaration.LockDeclaration;
import io.quorlock.aop.invocation.LockedExecution;

/**
 * Finds the methods that are annotated with {@link LeaderOnly @LeaderOnly}, refuses those
 * that could not be guarded, and runs them under the lock of a role that this instance
 * leads, or skips them.
 *
 * @since 0.1.0
 * @serial exclude
 */
@SuppressWarnings("serial")
@Api(Api.Status.INTERNAL)
public class LeaderOnlyAdvisor extends GuardAdvisor {

	private final Map<MethodClassKey, Optional<String>> roles = new ConcurrentHashMap<>();

	private final ConfigurableBeanFactory beanFactory;

	private final SingletonSupplier<LeaderElection> election;

	/**
	 * Create a new advisor.
	 * @param beanFactory resolves placeholders in roles
	 * @param election knows the leaders; resolved when the roles of annotated methods are
	 * checked
	 * @param order the order among other advisors
	 */
	public LeaderOnlyAdvisor(ConfigurableBeanFactory beanFactory, Supplier<LeaderElection> election, int order) {
		super(beanFactory, LeaderOnly.class, "use LeaderElection.enter inside the method", order);
		this.beanFactory = beanFactory;
		this.election = SingletonSupplier.of(election);
	}

	@Override
	public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
		Method method = invocation.getMethod();
		Object target = invocation.getThis();
		Class<?> targetClass = (target != null) ? AopUtils.getTargetClass(target) : method.getDeclaringClass();
		String role = role(method, targetClass);
		if (role == null) {
			return invocation.proceed();
		}
		Optional<LockHandle> leadership = this.election.obtain().enter(role);
		if (leadership.isEmpty()) {
			// A generic interface does not say what the method of the bean returns.
			Class<?> type = resultType(AopUtils.getMostSpecificMethod(method, targetClass), targetClass);
			return (type == Optional.class) ? Optional.empty() : null;
		}
		return new LockedExecution(leadership.get(), method, OnLost.THROW).run(() -> {
			Object result = invocation.proceed();
			checkResult(method, result);
			return result;
		});
	}

	@Override
	protected void validate(Method method, Class<?> beanClass) {
		Class<?> type = resultType(method, beanClass);
		if (type.isPrimitive() && type != void.class) {
			throw refused(method, beanClass, "a call that is skipped has no value of type " + type,
					"Return " + ClassUtils.resolvePrimitiveIfNecessary(type).getSimpleName()
							+ ", which is null if the call is skipped, or an Optional; or");
		}
		if (isLater(type) || KotlinDetector.isSuspendingFunction(method)) {
			throw refused(method, beanClass,
					"its result may come after the method has returned, when nothing guards it",
					"Wait for the result inside the method, or");
		}
		String role = role(method, beanClass);
		LeaderOnly annotation = LockDeclaration.find(LeaderOnly.class, method, beanClass);
		Set<String> known = this.election.obtain().roles();
		if (role != null && annotation != null) {
			declaration(method, beanClass).require(known.contains(role), "value", annotation.value(),
					"role '%s' is not one of distributed-lock.leader.roles, which are %s".formatted(role, known),
					"Add '%s' to distributed-lock.leader.roles, or correct the annotation.".formatted(role));
		}
	}

	/**
	 * Return the role of a method.
	 * @param method the method, as it is called
	 * @param targetClass the class of the bean
	 * @return the role, or {@code null} if the method is not guarded
	 */
	@Nullable String role(Method method, Class<?> targetClass) {
		return this.roles.computeIfAbsent(new MethodClassKey(method, targetClass), (key) -> find(method, targetClass))
			.orElse(null);
	}

	private Optional<String> find(Method method, Class<?> targetClass) {
		return Optional.ofNullable(LockDeclaration.find(LeaderOnly.class, method, targetClass))
			.map((annotation) -> declaration(method, targetClass).resolve("value", annotation.value(),
					this.beanFactory::resolveEmbeddedValue));
	}

	private static LockDeclaration declaration(Method method, Class<?> beanClass) {
		return new LockDeclaration(LeaderOnly.class, method, ClassUtils.getUserClass(beanClass));
	}

	/**
	 * Return the type of the result, which a generic super-class does not say.
	 * @param method the method, as the class of the bean has it
	 * @param targetClass the class of the bean
	 * @return the type
	 */
	private static Class<?> resultType(Method method, Class<?> targetClass) {
		return ResolvableType.forMethodReturnType(method, targetClass).resolve(method.getReturnType());
	}

	/**
	 * Check a result whose type the declaration of the method does not show.
	 * @param method the method
	 * @param result what it returned
	 * @throws IllegalStateException if it may come later
	 */
	private static void checkResult(Method method, @Nullable Object result) {
		if (result == null || (result instanceof Future<?> future && future.isDone()) || !isLater(result.getClass())) {
			return;
		}
		throw new IllegalStateException(
				"@LeaderOnly on %s.%s: its result of type %s may come after the method has returned, when nothing guards it"
					.formatted(method.getDeclaringClass().getName(), method.getName(), result.getClass().getName()));
	}

	private static boolean isLater(Class<?> type) {
		return Future.class.isAssignableFrom(type) || (type != void.class && type != Object.class
				&& ReactiveAdapterRegistry.getSharedInstance().getAdapter(type) != null);
	}

}
