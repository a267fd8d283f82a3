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
import java.lang.reflect.Modifier;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

import org.jspecify.annotations.Nullable;

import org.springframework.aop.ClassFilter;
import org.springframework.aop.support.AopUtils;
import org.springframework.aop.support.StaticMethodMatcherPointcut;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.core.KotlinDetector;
import org.springframework.core.MethodClassKey;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * Finds the methods that are annotated with {@link LeaderOnly @LeaderOnly}, and refuses
 * those that could not be guarded when their bean is created.
 */
final class LeaderOnlyMethods extends StaticMethodMatcherPointcut implements ClassFilter {

	private static final List<String> CALLED_BY_CONTAINER = List.of("jakarta.annotation.PostConstruct",
			"jakarta.annotation.PreDestroy", "org.springframework.context.annotation.Bean");

	private final Map<MethodClassKey, Optional<String>> roles = new ConcurrentHashMap<>();

	/** The classes of beans with such methods. */
	private final Map<Method, Class<?>> guarded = new ConcurrentHashMap<>();

	private final UnaryOperator<String> placeholders;

	private final Supplier<LeaderElection> election;

	/** Whether beans are created late, so that their roles are checked at once. */
	private volatile boolean started;

	LeaderOnlyMethods(UnaryOperator<String> placeholders, Supplier<LeaderElection> election) {
		this.placeholders = placeholders;
		this.election = election;
		setClassFilter(this);
	}

	/**
	 * Return whether a class has guarded methods. Neither placeholders nor the election
	 * are needed for that: they do not exist when it is asked ahead of time.
	 */
	@Override
	public boolean matches(Class<?> beanClass) {
		if (!AnnotationUtils.isCandidateClass(beanClass, LeaderOnly.class)) {
			return false;
		}
		Set<Method> found = MethodIntrospector.selectMethods(ClassUtils.getUserClass(beanClass),
				(ReflectionUtils.MethodFilter) (method) -> matches(method, beanClass));
		found.forEach((method) -> {
			check(method, ClassUtils.getUserClass(beanClass));
			this.guarded.put(method, beanClass);
			if (this.started) {
				checkRole(method, beanClass);
			}
		});
		return !found.isEmpty();
	}

	@Override
	public boolean matches(Method method, Class<?> targetClass) {
		return annotation(method, targetClass) != null;
	}

	/**
	 * Check the roles of the beans that exist, and of others when they are created.
	 * @throws IllegalStateException if a role cannot be led
	 */
	void start() {
		this.started = true;
		this.guarded.forEach(this::checkRole);
	}

	private void checkRole(Method method, Class<?> beanClass) {
		String role = role(method, beanClass);
		Set<String> known = this.election.get().roles();
		if (role != null && !known.contains(role)) {
			throw refused(method, "role '%s' is not one of distributed-lock.leader.roles: %s".formatted(role, known));
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
		return Optional.ofNullable(annotation(method, targetClass))
			.map((found) -> this.placeholders.apply(found.value()));
	}

	private static @Nullable LeaderOnly annotation(Method method, Class<?> targetClass) {
		Method specific = AopUtils.getMostSpecificMethod(method, ClassUtils.getUserClass(targetClass));
		return AnnotatedElementUtils.findMergedAnnotation(specific, LeaderOnly.class);
	}

	private static void check(Method method, Class<?> userClass) {
		int modifiers = method.getModifiers();
		if (Modifier.isPrivate(modifiers) || Modifier.isStatic(modifiers) || Modifier.isFinal(modifiers)) {
			throw refused(method, "a private, static or final method cannot be guarded by a proxy");
		}
		// A class does not override what it does not see.
		if ((modifiers & (Modifier.PUBLIC | Modifier.PROTECTED)) == 0
				&& !method.getDeclaringClass().getPackageName().equals(userClass.getPackageName())) {
			throw refused(method, "it is package-private, and the class of the bean is in another package");
		}
		if (isCalledByContainer(method, userClass)) {
			throw refused(method, "Spring calls it on the bean itself, not through the proxy that guards it");
		}
		Class<?> type = resultType(method, userClass);
		if (type.isPrimitive() && type != void.class) {
			throw refused(method, "a call that is skipped has no value of type " + type);
		}
		if (isLater(type) || KotlinDetector.isSuspendingFunction(method)) {
			throw refused(method, "its result may come after the method has returned, when nothing guards it");
		}
	}

	private static boolean isCalledByContainer(Method method, Class<?> userClass) {
		for (String annotation : CALLED_BY_CONTAINER) {
			if (AnnotatedElementUtils.isAnnotated(method, annotation)) {
				return true;
			}
		}
		return method.getParameterCount() == 0
				&& (isCallback(method, "afterPropertiesSet", InitializingBean.class, userClass)
						|| isCallback(method, "destroy", DisposableBean.class, userClass));
	}

	private static boolean isCallback(Method method, String name, Class<?> type, Class<?> userClass) {
		return method.getName().equals(name) && type.isAssignableFrom(userClass);
	}

	/**
	 * Return the type of the result, which a generic super-class does not say.
	 * @param method the method, as the class of the bean has it
	 * @param targetClass the class of the bean
	 * @return the type
	 */
	static Class<?> resultType(Method method, Class<?> targetClass) {
		return ResolvableType.forMethodReturnType(method, targetClass).resolve(method.getReturnType());
	}

	/**
	 * Check a result whose type the declaration of the method does not show.
	 * @param method the method
	 * @param result what it returned
	 * @throws IllegalStateException if it may come later
	 */
	static void checkResult(Method method, @Nullable Object result) {
		if (result == null || (result instanceof Future<?> future && future.isDone()) || !isLater(result.getClass())) {
			return;
		}
		throw refused(method, "its result of type %s may come after the method has returned, when nothing guards it"
			.formatted(result.getClass().getName()));
	}

	private static boolean isLater(Class<?> type) {
		return Future.class.isAssignableFrom(type) || (type != void.class && type != Object.class
				&& ReactiveAdapterRegistry.getSharedInstance().getAdapter(type) != null);
	}

	private static IllegalStateException refused(Method method, String reason) {
		return new IllegalStateException(
				"@LeaderOnly on %s.%s: %s".formatted(method.getDeclaringClass().getName(), method.getName(), reason));
	}

}
