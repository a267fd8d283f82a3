package io.quorlock.aop;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import io.quorlock.annotation.DistributedLock;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.core.MethodClassKey;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * Finds {@link DistributedLock @DistributedLock} for a method: on the method, on the
 * methods that it overrides or implements, on its class, on the super-classes and
 * interfaces of its class; the first found wins. An annotation on a class or an interface
 * is for its public methods.
 *
 * @since 0.1.0
 */
public class LockSpecificationSource {

	private final LockSpecificationParser parser;

	private final ProxyCheck proxyCheck;

	private final Map<MethodClassKey, Optional<LockSpecification>> cache = new ConcurrentHashMap<>(64);

	/**
	 * Creates the source.
	 * @param beanFactory resolves placeholders, {@code @bean} in keys, and the
	 * {@link LockKeyGenerator}, if there is one
	 * @param maxLeaseTime a {@code leaseTime} above it is refused at start; {@code null}:
	 * not checked here
	 */
	public LockSpecificationSource(ConfigurableBeanFactory beanFactory, @Nullable Duration maxLeaseTime) {
		this.parser = new LockSpecificationParser(beanFactory, maxLeaseTime);
		this.proxyCheck = new ProxyCheck(beanFactory);
	}

	/**
	 * Whether a class can have locked methods at all.
	 * @param beanClass the class of a bean
	 * @return {@code false} if there is no need to look at its methods
	 * @throws InvalidLockDeclarationException if it has one, but cannot have a proxy
	 */
	boolean isCandidate(Class<?> beanClass) {
		if (!AnnotationUtils.isCandidateClass(beanClass, DistributedLock.class)) {
			return false;
		}
		if (this.proxyCheck.isFinalWithoutInterface(beanClass)) {
			lockedMethods(beanClass).stream()
				.findFirst()
				.ifPresent((method) -> this.proxyCheck.check(method, beanClass));
		}
		return true;
	}

	/**
	 * Checks all that a class says about locks.
	 * @param beanClass the class of a bean
	 * @throws InvalidLockDeclarationException if something is wrong
	 */
	void validate(Class<?> beanClass) {
		if (isCandidate(beanClass)) {
			for (Method method : lockedMethods(beanClass)) {
				this.proxyCheck.check(method, ClassUtils.getUserClass(beanClass));
				get(method, beanClass);
			}
		}
	}

	/**
	 * The methods of a class that have the annotation, those included that no proxy sees.
	 * @param beanClass the class of a bean
	 * @return the methods
	 */
	static List<Method> lockedMethods(Class<?> beanClass) {
		Class<?> userClass = ClassUtils.getUserClass(beanClass);
		Set<Method> methods = new LinkedHashSet<>(List.of(ReflectionUtils.getUniqueDeclaredMethods(userClass)));
		for (Class<?> type : ClassUtils.getAllInterfacesForClassAsSet(userClass)) {
			Arrays.stream(type.getDeclaredMethods())
				.filter((method) -> !Modifier.isAbstract(method.getModifiers()))
				.forEach(methods::add);
		}
		return methods.stream()
			.filter((method) -> !method.isSynthetic() && find(specific(method, userClass), method, userClass) != null)
			.toList();
	}

	/**
	 * Whether a method has the annotation, right or wrong.
	 * @param method the method, as it is called
	 * @param beanClass the class of the bean
	 * @return whether it is to be locked
	 */
	boolean isLocked(Method method, Class<?> beanClass) {
		Class<?> userClass = ClassUtils.getUserClass(beanClass);
		return find(specific(method, userClass), method, userClass) != null;
	}

	/**
	 * What the annotation of a method says.
	 * @param method the method, as it is called
	 * @param beanClass the class of the bean
	 * @return the specification, or {@code null} if the method is not locked
	 * @throws InvalidLockDeclarationException if it is wrong
	 */
	@Nullable LockSpecification get(Method method, Class<?> beanClass) {
		MethodClassKey key = new MethodClassKey(method, beanClass);
		Optional<LockSpecification> cached = this.cache.get(key);
		if (cached == null) {
			cached = Optional.ofNullable(parse(method, ClassUtils.getUserClass(beanClass)));
			this.cache.put(key, cached);
		}
		return cached.orElse(null);
	}

	private @Nullable LockSpecification parse(Method method, Class<?> userClass) {
		Method specific = specific(method, userClass);
		DistributedLock annotation = find(specific, method, userClass);
		return (annotation != null) ? this.parser.parse(annotation, specific, userClass) : null;
	}

	private static Method specific(Method method, Class<?> userClass) {
		// The methods of a JDK proxy have neither parameter names nor a lasting class
		// name.
		return Proxy.isProxyClass(userClass) ? method : AopUtils.getMostSpecificMethod(method, userClass);
	}

	private static @Nullable DistributedLock find(Method specific, Method method, Class<?> userClass) {
		if (ReflectionUtils.isObjectMethod(specific)) {
			return null;
		}
		DistributedLock annotation = AnnotatedElementUtils.findMergedAnnotation(specific, DistributedLock.class);
		if (annotation == null && !specific.equals(method)) {
			annotation = AnnotatedElementUtils.findMergedAnnotation(method, DistributedLock.class);
		}
		if (annotation == null && isProxyable(specific)) {
			annotation = AnnotatedElementUtils.findMergedAnnotation(userClass, DistributedLock.class);
		}
		return annotation;
	}

	private static boolean isProxyable(Method method) {
		int modifiers = method.getModifiers();
		return Modifier.isPublic(modifiers) && !Modifier.isStatic(modifiers);
	}

}
