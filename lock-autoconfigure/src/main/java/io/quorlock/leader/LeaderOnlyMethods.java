package io.quorlock.leader;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
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
import org.springframework.core.KotlinDetector;
import org.springframework.core.MethodClassKey;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.MethodIntrospector.MetadataLookup;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.util.ClassUtils;

/**
 * Finds the methods that are annotated with {@link LeaderOnly @LeaderOnly}, and refuses
 * those that could not be guarded when their bean is created.
 */
final class LeaderOnlyMethods extends StaticMethodMatcherPointcut implements ClassFilter {

	private final Map<MethodClassKey, Optional<String>> roles = new ConcurrentHashMap<>();

	/** The roles of methods whose beans exist. */
	private final Map<Method, String> guarded = new ConcurrentHashMap<>();

	private final UnaryOperator<String> placeholders;

	LeaderOnlyMethods(UnaryOperator<String> placeholders) {
		this.placeholders = placeholders;
		setClassFilter(this);
	}

	@Override
	public boolean matches(Class<?> beanClass) {
		if (!AnnotationUtils.isCandidateClass(beanClass, LeaderOnly.class)) {
			return false;
		}
		MetadataLookup<String> lookup = (method) -> role(method, beanClass);
		Map<Method, String> found = MethodIntrospector.selectMethods(ClassUtils.getUserClass(beanClass), lookup);
		found.keySet().forEach(LeaderOnlyMethods::check);
		this.guarded.putAll(found);
		return !found.isEmpty();
	}

	/**
	 * Check that each role can be led. The election is no concern of the pointcut, which
	 * is also evaluated ahead of time, without any bean.
	 * @param election knows the roles; not asked if there is nothing to check
	 */
	void check(Supplier<LeaderElection> election) {
		this.guarded.forEach((method, role) -> {
			Set<String> known = election.get().roles();
			if (!known.contains(role)) {
				throw refused(method,
						"role '%s' is not one of distributed-lock.leader.roles: %s".formatted(role, known));
			}
		});
	}

	@Override
	public boolean matches(Method method, Class<?> targetClass) {
		return role(method, targetClass) != null;
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
		Method specific = AopUtils.getMostSpecificMethod(method, ClassUtils.getUserClass(targetClass));
		LeaderOnly annotation = AnnotatedElementUtils.findMergedAnnotation(specific, LeaderOnly.class);
		return Optional.ofNullable(annotation).map((found) -> this.placeholders.apply(found.value()));
	}

	private static void check(Method method) {
		int modifiers = method.getModifiers();
		if (Modifier.isPrivate(modifiers) || Modifier.isStatic(modifiers) || Modifier.isFinal(modifiers)) {
			throw refused(method, "a private, static or final method cannot be guarded by a proxy");
		}
		Class<?> type = method.getReturnType();
		if (type.isPrimitive() && type != void.class) {
			throw refused(method, "a call that is skipped has no value of type " + type);
		}
		if (isLater(type) || KotlinDetector.isSuspendingFunction(method)) {
			throw refused(method, "its result may come after the method has returned, when nothing guards it");
		}
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
