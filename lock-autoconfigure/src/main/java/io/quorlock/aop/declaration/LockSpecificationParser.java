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
import java.util.List;
import java.util.function.BiFunction;

import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.beans.factory.config.EmbeddedValueResolver;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
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
		return new Reader(this, annotation, new LockDeclaration(DistributedLock.class, method, userClass)).read();
	}

	/**
	 * Reads one annotation of one method.
	 */
	private record Reader(LockSpecificationParser parser, DistributedLock annotation, LockDeclaration declaration) {

		private LockSpecification read() {
			String fallback = this.annotation.fallback();
			require(fallback.isEmpty() || this.annotation.onContention() != OnContention.SKIP, "fallback", fallback,
					"it would never be called, since onContention = SKIP",
					"Remove fallback, so that the method is skipped, or remove onContention = SKIP, so that the "
							+ "fallback is called.");
			FallbackMethod found = fallback.isEmpty() ? null
					: new FallbackMethod.Finder(this.declaration).find(fallback);
			return new LockSpecification(this.declaration.method(), this.declaration.userClass(), request(), key(),
					this.annotation.onContention(), found, bean(LockFailureHandler.class), this.annotation.onLost(),
					scheduledHold());
		}

		private <T> @Nullable T bean(Class<T> type) {
			return this.parser.beanFactory.getBeanProvider(type).getIfAvailable();
		}

		private @Nullable ScheduledHold scheduledHold() {
			ScheduledLock scheduled = AnnotatedElementUtils.findMergedAnnotation(this.declaration.method(),
					ScheduledLock.class);
			if (scheduled == null) {
				return null;
			}
			checkOneLock();
			SchedulerClocks clocks = bean(SchedulerClocks.class);
			return ScheduledHold.of(this.declaration, (value) -> resolve("schedule", value),
					(clocks != null) ? clocks : new SchedulerClocks(), scheduledTime("skew", scheduled.skew(), true),
					scheduledTime("maxHoldAtLeast", scheduled.maxHoldAtLeast(), false));
		}

		/** The attributes of one and the hold of the other would be mixed. */
		private void checkOneLock() {
			MergedAnnotations annotations = MergedAnnotations.from(this.declaration.method(),
					SearchStrategy.TYPE_HIERARCHY);
			MergedAnnotation<ScheduledLock> scheduled = annotations.get(ScheduledLock.class);
			List<MergedAnnotation<DistributedLock>> locks = annotations.stream(DistributedLock.class)
				.filter((lock) -> lock.getAggregateIndex() <= scheduled.getAggregateIndex())
				.toList();
			String written = this.declaration.written().getSimpleName();
			String other = locks.stream()
				.map(Reader::written)
				.filter((name) -> !name.equals(written))
				.findFirst()
				.orElse(written);
			String action = locks.stream()
				.filter((lock) -> !isOfScheduledLock(lock))
				.map((lock) -> ("Remove @%s: @%s locks the method by itself. If you need attributes that it does not "
						+ "have, remove @%2$s instead, and set onContention = SKIP and a holdAtLeast.")
					.formatted(written(lock), written(scheduled)))
				.findFirst()
				.orElse("Remove one of the two.");
			this.declaration.require(locks.size() <= 1, null, null,
					"@%s stands on the method as well, and each of the two declares a lock".formatted(other), action);
		}

		private static String written(MergedAnnotation<?> annotation) {
			return annotation.getRoot().getType().getSimpleName();
		}

		private static boolean isOfScheduledLock(MergedAnnotation<DistributedLock> lock) {
			MergedAnnotation<?> source = lock.getMetaSource();
			return source != null && source.getType() == ScheduledLock.class;
		}

		private Duration scheduledTime(String attribute, String value, boolean zero) {
			Duration time = duration(attribute, value);
			String reason = "it must be a duration" + (zero ? "" : ", and not zero");
			if (time != null && (zero || !time.isZero())) {
				try {
					return LockRequest.of(attribute).holdAtLeast(time).holdAtLeast();
				}
				catch (IllegalArgumentException ex) {
					reason = "it is longer than ten years";
				}
			}
			throw refused(attribute, value, reason, "Remove the attribute, or set it to a duration such as 5s.", null);
		}

		private LockRequest request() {
			LockRequest request = kind(named());
			Duration waitTime = duration("waitTime", this.annotation.waitTime());
			Duration leaseTime = duration("leaseTime", this.annotation.leaseTime());
			Duration holdAtLeast = duration("holdAtLeast", this.annotation.holdAtLeast());
			Duration retainTime = duration("retainTime", this.annotation.retainTime());
			require(leaseTime == null || holdAtLeast == null || leaseTime.compareTo(holdAtLeast) >= 0, "holdAtLeast",
					this.annotation.holdAtLeast(),
					"it is longer than leaseTime = \"%s\", after which the lock is free in any case"
						.formatted(this.annotation.leaseTime()),
					"Make leaseTime at least as long, or remove it, so that the lock is renewed.");
			boolean shared = this.annotation.mode() == LockMode.SHARED;
			require(!shared || holdAtLeast == null || holdAtLeast.isZero(), "holdAtLeast",
					this.annotation.holdAtLeast(), "it has no effect with mode = SHARED, since others share the lock",
					"Remove holdAtLeast, or mode = SHARED.");
			if (waitTime != null) {
				request = request.waitTime(waitTime);
			}
			if (leaseTime != null) {
				this.parser.leaseBounds.check(leaseTime, this.annotation.leaseTime(), this.declaration);
				request = request.leaseTime(leaseTime);
			}
			request = with(request, LockRequest::holdAtLeast, holdAtLeast, "holdAtLeast", this.annotation.holdAtLeast(),
					DURATION);
			return with(request, LockRequest::retainTime, retainTime, "retainTime", this.annotation.retainTime(),
					"Remove retainTime, or set it to 0s, or remove what it cannot be combined with.");
		}

		private LockRequest with(LockRequest request, BiFunction<LockRequest, Duration, LockRequest> change,
				@Nullable Duration time, String attribute, String value, String action) {
			try {
				return (time != null) ? change.apply(request, time) : request;
			}
			catch (IllegalArgumentException ex) {
				throw refused(attribute, value, String.valueOf(ex.getMessage()), action, ex);
			}
		}

		/** Make a request one for the kind of lock that is declared. */
		private LockRequest kind(LockRequest request) {
			int permits = this.annotation.permits();
			requireOfPermits(permits >= 0 && permits <= LockRequest.MAX_PERMITS,
					"a lock has 1 to 1,000 permits; leave it out for a lock without permits");
			requireOfPermits(permits <= 0 || this.annotation.mode() != LockMode.SHARED,
					"a lock with permits cannot be shared with mode = SHARED as well");
			LockRequest changed = request.mode(this.annotation.mode());
			changed = (permits > 0) ? changed.permits(permits) : changed;
			changed = this.annotation.fair() ? changed.fair() : changed;
			return this.annotation.reentrant() ? changed : changed.notReentrant();
		}

		private void requireOfPermits(boolean valid, String reason) {
			require(valid, "permits", String.valueOf(this.annotation.permits()), reason,
					"Set permits to 1 to 1,000 in mode = EXCLUSIVE, or remove the attribute.");
		}

		private LockRequest named() {
			String name = this.annotation.name();
			if (name.isEmpty()) {
				Method method = this.declaration.method();
				Class<?> userClass = this.declaration.userClass();
				Class<?> naming = LockDeclaration.isMadeAtRunTime(userClass) ? method.getDeclaringClass() : userClass;
				return LockRequest.of(naming.getName() + "." + method.getName());
			}
			try {
				return LockRequest.of(resolve("name", name));
			}
			catch (LockException ex) {
				throw refused("name", name, String.valueOf(ex.getMessage()),
						"Use a name of 1 to 1,024 characters, and pass what varies as the key.", ex);
			}
		}

		private @Nullable LockKey key() {
			if (!this.annotation.key().isEmpty()) {
				return this.parser.keyParser.parse(this.annotation.key(), this.declaration, ofOneName());
			}
			LockKeyGenerator generator = this.annotation.name().isEmpty() ? bean(LockKeyGenerator.class) : null;
			return (generator != null) ? new LockKey.GeneratedLockKey(generator, this.declaration) : null;
		}

		/** Return why the lock cannot have several names, or null if it can. */
		private @Nullable String ofOneName() {
			if (this.annotation.permits() > 0) {
				return "permits = " + this.annotation.permits();
			}
			return this.annotation.fair() ? "fair = true" : null;
		}

		private @Nullable Duration duration(String attribute, String value) {
			String resolved = value.isEmpty() ? "" : resolve(attribute, value);
			if (!StringUtils.hasText(resolved)) {
				return null;
			}
			if (attribute.equals("waitTime") && resolved.equals(UNLIMITED)) {
				return LockRequest.UNLIMITED_WAIT;
			}
			require(resolved.equals("0") || !resolved.matches("[+-]?\\d+"), attribute, value,
					"'" + resolved + "' has no unit, so it could be milliseconds or seconds",
					"Write %s = \"%ss\" for seconds, or \"%sms\" for milliseconds.".formatted(attribute, resolved,
							resolved));
			Duration duration;
			try {
				duration = DurationFormatterUtils.detectAndParse(resolved);
			}
			catch (IllegalArgumentException ex) {
				throw refused(attribute, value, "'" + resolved + "' is no duration, such as 500ms, 30s or PT5M",
						DURATION, ex);
			}
			require(!duration.isNegative(), attribute, value, "it must not be negative", DURATION);
			return duration;
		}

		private String resolve(String attribute, String value) {
			return this.declaration.resolve(attribute, value, this.parser.valueResolver::resolveStringValue);
		}

		private void require(boolean valid, String attribute, String value, String reason, String action) {
			this.declaration.require(valid, attribute, value, reason, action);
		}

		private InvalidLockDeclarationException refused(String attribute, String value, String reason, String action,
				@Nullable Throwable cause) {
			return this.declaration.refused(attribute, value, reason, action, cause);
		}

	}

}
