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
import java.time.Duration;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import org.springframework.beans.BeansException;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.beans.factory.config.EmbeddedValueResolver;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.format.datetime.standard.DurationFormatterUtils;
import org.springframework.util.StringUtils;

import io.quorlock.LockException;
import io.quorlock.LockMode;
import io.quorlock.LockRequest;
import io.quorlock.annotation.DistributedLock;
import io.quorlock.annotation.DistributedLock.OnContention;
import io.quorlock.annotation.LockFailureHandler;
import io.quorlock.annotation.LockKeyGenerator;
import io.quorlock.annotation.ScheduledLock;

/**
 * Turns an annotation into a {@link LockSpecification}, and refuses what cannot work.
 *
 * @since 0.1.0
 */
public final class LockSpecificationParser {

	private static final String UNLIMITED = "unlimited";

	private static final String PLACEHOLDER = "Define the property, or give the placeholder a default: ${name:default}.";

	/** How to write a duration. */
	private static final String DURATION = "Write a number with a unit: 500ms, 30s, 5m, 1h, or an ISO 8601 duration such as PT5M.";

	private final ConfigurableBeanFactory beanFactory;

	private final EmbeddedValueResolver valueResolver;

	private final LockKeyParser keyParser;

	private final LeaseBounds leaseBounds;

	/**
	 * Create the parser.
	 * @param beanFactory resolves placeholders, {@code @bean} in keys, and the
	 * {@link LockKeyGenerator}, if there is one
	 * @param leaseBounds between which each {@code leaseTime} has to be
	 */
	public LockSpecificationParser(ConfigurableBeanFactory beanFactory, LeaseBounds leaseBounds) {
		this.beanFactory = beanFactory;
		this.valueResolver = new EmbeddedValueResolver(beanFactory);
		this.keyParser = new LockKeyParser(beanFactory);
		this.leaseBounds = leaseBounds;
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
					"it would never be called, since onContention = SKIP",
					"Remove fallback, so that the method is skipped, or remove onContention = SKIP, so that the fallback "
							+ "is called.",
					null);
		}
		FallbackMethod fallback = annotation.fallback().isEmpty() ? null
				: new FallbackMethod.Finder(method, userClass, location).find(annotation.fallback());
		return new LockSpecification(method, userClass, request(annotation, method, userClass, location),
				key(annotation, method, location), annotation.onContention(), fallback,
				this.beanFactory.getBeanProvider(LockFailureHandler.class).getIfAvailable(), annotation.onLost(),
				scheduledHold(method, location));
	}

	private @Nullable ScheduledHold scheduledHold(Method method, String location) {
		ScheduledLock scheduled = AnnotatedElementUtils.findMergedAnnotation(method, ScheduledLock.class);
		if (scheduled == null) {
			return null;
		}
		return new ScheduleParser((value) -> resolve("schedule", value, location),
				this.beanFactory.getBeanProvider(SchedulerClocks.class).getIfAvailable(SchedulerClocks::new))
			.parse(method, location, scheduledTime("skew", scheduled.skew(), true, location),
					scheduledTime("maxHoldAtLeast", scheduled.maxHoldAtLeast(), false, location));
	}

	private Duration scheduledTime(String attribute, String value, boolean zero, String location) {
		Duration time = duration(attribute, value, location);
		String reason = "it must be a duration" + (zero ? "" : ", and not zero");
		if (time != null && (zero || !time.isZero())) {
			try {
				return LockRequest.of(attribute).holdAtLeast(time).holdAtLeast();
			}
			catch (IllegalArgumentException ex) {
				reason = "it is longer than ten years";
			}
		}
		throw new InvalidLockDeclarationException(location, attribute, value, reason,
				"Remove the attribute, or set it to a duration such as 5s.", null);
	}

	private LockRequest request(DistributedLock annotation, Method method, Class<?> userClass, String location) {
		LockRequest kind = kind(annotation, location, named(annotation, method, userClass, location));
		Duration waitTime = duration("waitTime", annotation.waitTime(), location);
		Duration leaseTime = duration("leaseTime", annotation.leaseTime(), location);
		Duration holdAtLeast = duration("holdAtLeast", annotation.holdAtLeast(), location);
		LockRequest timed = (waitTime != null) ? kind.waitTime(waitTime) : kind;
		if (leaseTime != null) {
			this.leaseBounds.check(leaseTime, annotation.leaseTime(), location);
			timed = timed.leaseTime(leaseTime);
		}
		if (leaseTime != null && holdAtLeast != null && leaseTime.compareTo(holdAtLeast) < 0) {
			throw new InvalidLockDeclarationException(location, "holdAtLeast", annotation.holdAtLeast(),
					"it is longer than leaseTime = \"%s\", after which the lock is free in any case"
						.formatted(annotation.leaseTime()),
					"Make leaseTime at least as long, or remove it, so that the lock is renewed.", null);
		}
		if (holdAtLeast != null && !holdAtLeast.isZero() && annotation.mode() == LockMode.SHARED) {
			throw new InvalidLockDeclarationException(location, "holdAtLeast", annotation.holdAtLeast(),
					"it has no effect with mode = SHARED, since others share the lock",
					"Remove holdAtLeast, or mode = SHARED.", null);
		}
		LockRequest leased = timed;
		LockRequest held = (holdAtLeast != null) ? accepted(() -> leased.holdAtLeast(holdAtLeast), "holdAtLeast",
				annotation.holdAtLeast(), DURATION, location) : leased;
		Duration retainTime = duration("retainTime", annotation.retainTime(), location);
		return (retainTime != null)
				? accepted(() -> held.retainTime(retainTime), "retainTime", annotation.retainTime(),
						"Remove retainTime, or set it to 0s, or remove what it cannot be combined with.", location)
				: held;
	}

	/**
	 * Make a request one for the kind of lock that is declared.
	 * @param annotation the annotation, merged
	 * @param location the method in messages
	 * @param request the request
	 * @return the changed request
	 * @throws InvalidLockDeclarationException if the attributes contradict each other
	 */
	private static LockRequest kind(DistributedLock annotation, String location, LockRequest request) {
		int permits = annotation.permits();
		if (permits < 0 || permits > LockRequest.MAX_PERMITS) {
			throw refusedPermits(location, permits,
					"a lock has 1 to 1,000 permits; leave it out for a lock without permits");
		}
		if (permits > 0 && annotation.mode() == LockMode.SHARED) {
			throw refusedPermits(location, permits, "a lock with permits cannot be shared with mode = SHARED as well");
		}
		LockRequest changed = request.mode(annotation.mode());
		changed = (permits > 0) ? changed.permits(permits) : changed;
		changed = annotation.fair() ? changed.fair() : changed;
		return annotation.reentrant() ? changed : changed.notReentrant();
	}

	/**
	 * Return why a lock cannot have several names.
	 * @param annotation the annotation, merged
	 * @return the attribute with its value, or {@code null} if it can
	 */
	private static @Nullable String ofOneName(DistributedLock annotation) {
		if (annotation.permits() > 0) {
			return "permits = " + annotation.permits();
		}
		return annotation.fair() ? "fair = true" : null;
	}

	private static InvalidLockDeclarationException refusedPermits(String location, int permits, String reason) {
		return new InvalidLockDeclarationException(location, "permits", String.valueOf(permits), reason,
				"Set permits to 1 to 1,000 in mode = EXCLUSIVE, or remove the attribute.", null);
	}

	private static LockRequest accepted(Supplier<LockRequest> request, String attribute, String value, String action,
			String location) {
		try {
			return request.get();
		}
		catch (IllegalArgumentException ex) {
			throw new InvalidLockDeclarationException(location, attribute, value, String.valueOf(ex.getMessage()),
					action, ex);
		}
	}

	private LockRequest named(DistributedLock annotation, Method method, Class<?> userClass, String location) {
		String name = annotation.name();
		if (name.isEmpty()) {
			Class<?> naming = LockDeclarations.isMadeAtRunTime(userClass) ? method.getDeclaringClass() : userClass;
			return LockRequest.of(naming.getName() + "." + method.getName());
		}
		try {
			return LockRequest.of(resolve("name", name, location));
		}
		catch (LockException ex) {
			throw new InvalidLockDeclarationException(location, "name", name, String.valueOf(ex.getMessage()),
					"Use a name of 1 to 1,024 characters, and pass what varies as the key.", ex);
		}
	}

	private @Nullable LockKey key(DistributedLock annotation, Method method, String location) {
		if (!annotation.key().isEmpty()) {
			return this.keyParser.parse(annotation.key(), method, location, ofOneName(annotation));
		}
		LockKeyGenerator generator = annotation.name().isEmpty()
				? this.beanFactory.getBeanProvider(LockKeyGenerator.class).getIfAvailable() : null;
		return (generator != null) ? new LockKey.GeneratedLockKey(generator, method, location) : null;
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
		if (!resolved.equals("0") && resolved.matches("[+-]?\\d+")) {
			throw new InvalidLockDeclarationException(location, attribute, value,
					"'" + resolved + "' has no unit, so it could be milliseconds or seconds",
					"Write %s = \"%ss\" for seconds, or \"%sms\" for milliseconds.".formatted(attribute, resolved,
							resolved),
					null);
		}
		Duration duration;
		try {
			duration = DurationFormatterUtils.detectAndParse(resolved);
		}
		catch (IllegalArgumentException ex) {
			throw new InvalidLockDeclarationException(location, attribute, value,
					"'" + resolved + "' is no duration, such as 500ms, 30s or PT5M", DURATION, ex);
		}
		if (duration.isNegative()) {
			throw new InvalidLockDeclarationException(location, attribute, value, "it must not be negative", DURATION,
					null);
		}
		return duration;
	}

	private String resolve(String attribute, String value, String location) {
		String resolved;
		try {
			resolved = this.valueResolver.resolveStringValue(value);
		}
		catch (IllegalArgumentException | BeansException ex) {
			throw new InvalidLockDeclarationException(location, attribute, value, String.valueOf(ex.getMessage()),
					PLACEHOLDER, ex);
		}
		// Without a strict configurer, Spring leaves in place what it cannot resolve.
		if (resolved == null || resolved.contains("${")) {
			throw new InvalidLockDeclarationException(location, attribute, value,
					"it has a placeholder that cannot be resolved", PLACEHOLDER, null);
		}
		return resolved;
	}

}
