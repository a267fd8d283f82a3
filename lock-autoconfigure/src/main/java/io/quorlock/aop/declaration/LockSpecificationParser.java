package io.quorlock.aop.declaration;

import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;

import org.jspecify.annotations.Nullable;

import org.springframework.beans.BeansException;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.beans.factory.config.EmbeddedValueResolver;
import org.springframework.format.datetime.standard.DurationFormatterUtils;
import org.springframework.util.StringUtils;

import io.quorlock.LockException;
import io.quorlock.LockMode;
import io.quorlock.LockRequest;
import io.quorlock.annotation.DistributedLock;
import io.quorlock.annotation.DistributedLock.OnContention;
import io.quorlock.annotation.LockFailureHandler;
import io.quorlock.annotation.LockKeyGenerator;

/**
 * Turns an annotation into a {@link LockSpecification}, and refuses what cannot work.
 *
 * @since 0.1.0
 */
public final class LockSpecificationParser {

	private static final String UNLIMITED = "unlimited";

	private final ConfigurableBeanFactory beanFactory;

	private final EmbeddedValueResolver valueResolver;

	private final LockKeyParser keyParser;

	private final @Nullable Duration maxLeaseTime;

	/**
	 * Create the parser.
	 * @param beanFactory resolves placeholders, {@code @bean} in keys, and the
	 * {@link LockKeyGenerator}, if there is one
	 * @param maxLeaseTime the greatest {@code leaseTime}, or {@code null} for any
	 */
	public LockSpecificationParser(ConfigurableBeanFactory beanFactory, @Nullable Duration maxLeaseTime) {
		this.beanFactory = beanFactory;
		this.valueResolver = new EmbeddedValueResolver(beanFactory);
		this.keyParser = new LockKeyParser(beanFactory);
		this.maxLeaseTime = maxLeaseTime;
	}

	/**
	 * Parse an annotation.
	 * @param annotation the annotation, merged
	 * @param method the method as the bean's class has it
	 * @param userClass the class of the bean
	 * @return the specification
	 * @throws InvalidLockDeclarationException if the annotation cannot work
	 */
	public LockSpecification parse(DistributedLock annotation, Method method, Class<?> userClass) {
		String location = LockDeclarations.describe(method, userClass);
		boolean skip = (annotation.onContention() == OnContention.SKIP);
		if (skip && !annotation.fallback().isEmpty()) {
			throw new InvalidLockDeclarationException(location, "fallback", annotation.fallback(),
					"it would never be called, since onContention = SKIP", null);
		}
		FallbackMethod fallback = annotation.fallback().isEmpty() ? null
				: new FallbackMethodFinder(method, userClass, location).find(annotation.fallback());
		return new LockSpecification(method, userClass, request(annotation, method, userClass, location),
				key(annotation, method, location), annotation.onContention(), fallback,
				this.beanFactory.getBeanProvider(LockFailureHandler.class).getIfAvailable(), annotation.onLost());
	}

	private LockRequest request(DistributedLock annotation, Method method, Class<?> userClass, String location) {
		LockRequest request = KindParser.parse(annotation, location, named(annotation, method, userClass, location));
		Duration waitTime = duration("waitTime", annotation.waitTime(), location);
		Duration leaseTime = duration("leaseTime", annotation.leaseTime(), location);
		Duration holdAtLeast = duration("holdAtLeast", annotation.holdAtLeast(), location);
		if (waitTime != null) {
			request = request.waitTime(waitTime);
		}
		if (leaseTime != null) {
			checkLease(leaseTime, annotation.leaseTime(), location);
			request = request.leaseTime(leaseTime);
		}
		if (leaseTime != null && holdAtLeast != null && leaseTime.compareTo(holdAtLeast) < 0) {
			throw new InvalidLockDeclarationException(location, "holdAtLeast", annotation.holdAtLeast(),
					"it is longer than leaseTime = \"%s\", after which the lock is free in any case"
						.formatted(annotation.leaseTime()),
					null);
		}
		if (holdAtLeast != null && !holdAtLeast.isZero() && annotation.mode() == LockMode.SHARED) {
			throw new InvalidLockDeclarationException(location, "holdAtLeast", annotation.holdAtLeast(),
					"it has no effect with mode = SHARED, since others share the lock", null);
		}
		if (holdAtLeast != null) {
			request = request.holdAtLeast(holdAtLeast);
		}
		Duration retainTime = duration("retainTime", annotation.retainTime(), location);
		return (retainTime != null) ? retained(request, annotation, retainTime, location) : request;
	}

	private static LockRequest retained(LockRequest request, DistributedLock annotation, Duration retainTime,
			String location) {
		try {
			return request.retainTime(retainTime);
		}
		catch (IllegalArgumentException ex) {
			throw new InvalidLockDeclarationException(location, "retainTime", annotation.retainTime(),
					String.valueOf(ex.getMessage()), null);
		}
	}

	private LockRequest named(DistributedLock annotation, Method method, Class<?> userClass, String location) {
		String name = annotation.name();
		if (name.isEmpty()) {
			// The name of a JDK proxy's class is another one in every JVM.
			Class<?> naming = Proxy.isProxyClass(userClass) ? method.getDeclaringClass() : userClass;
			return LockRequest.of(naming.getName() + "." + method.getName());
		}
		try {
			return LockRequest.of(resolve("name", name, location));
		}
		catch (LockException ex) {
			throw new InvalidLockDeclarationException(location, "name", name, String.valueOf(ex.getMessage()), ex);
		}
	}

	private @Nullable LockKey key(DistributedLock annotation, Method method, String location) {
		if (!annotation.key().isEmpty()) {
			return this.keyParser.parse(annotation.key(), method, location, KindParser.ofOneName(annotation));
		}
		LockKeyGenerator generator = annotation.name().isEmpty()
				? this.beanFactory.getBeanProvider(LockKeyGenerator.class).getIfAvailable() : null;
		return (generator != null) ? new GeneratedLockKey(generator, method, location) : null;
	}

	private void checkLease(Duration leaseTime, String value, String location) {
		if (leaseTime.isZero()) {
			throw new InvalidLockDeclarationException(location, "leaseTime", value, "it must be positive", null);
		}
		if (this.maxLeaseTime != null && leaseTime.compareTo(this.maxLeaseTime) > 0) {
			throw new InvalidLockDeclarationException(location, "leaseTime", value,
					"it is longer than distributed-lock.max-lease-time, which is " + this.maxLeaseTime, null);
		}
	}

	private @Nullable Duration duration(String attribute, String value, String location) {
		if (value.isEmpty()) {
			return null;
		}
		String resolved = resolve(attribute, value, location);
		if (!StringUtils.hasText(resolved)) {
			return null;
		}
		if (attribute.equals("waitTime") && resolved.equals(UNLIMITED)) {
			return LockRequest.UNLIMITED_WAIT;
		}
		Duration duration;
		try {
			duration = DurationFormatterUtils.detectAndParse(resolved);
		}
		catch (IllegalArgumentException ex) {
			throw new InvalidLockDeclarationException(location, attribute, value,
					"'" + resolved + "' is no duration, such as 500ms, 30s or PT5M", ex);
		}
		if (duration.isNegative()) {
			throw new InvalidLockDeclarationException(location, attribute, value, "it must not be negative", null);
		}
		return duration;
	}

	private String resolve(String attribute, String value, String location) {
		String resolved;
		try {
			resolved = this.valueResolver.resolveStringValue(value);
		}
		catch (IllegalArgumentException | BeansException ex) {
			throw new InvalidLockDeclarationException(location, attribute, value, String.valueOf(ex.getMessage()), ex);
		}
		// Without a strict configurer, Spring leaves in place what it cannot resolve.
		if (resolved == null || resolved.contains("${")) {
			throw new InvalidLockDeclarationException(location, attribute, value,
					"it has a placeholder that cannot be resolved", null);
		}
		return resolved;
	}

}
