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
import java.time.Clock;
import java.time.Duration;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

import org.jspecify.annotations.Nullable;

import org.springframework.context.annotation.Bean;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.format.annotation.DurationFormat;
import org.springframework.format.datetime.standard.DurationFormatterUtils;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.scheduling.annotation.Schedules;
import org.springframework.scheduling.support.CronExpression;
import org.springframework.util.StringUtils;

/**
 * How long the lock of a scheduled method is held at least, so that each tick runs once:
 * until shortly before the next trigger.
 * <p>
 * The lock has to outlive the triggers of the same tick on the other instances, and to be
 * free before those of the next one. The margin before the next trigger is what the
 * instances may be apart, but not more than a tenth of the period: where the period is
 * short, two runs of one tick are the greater danger.
 *
 * @param schedules the schedules of the method
 * @param skew how far the triggers of two instances may be apart
 * @param max the longest hold
 * @since 0.1.0
 */
public record ScheduledHold(List<Schedule> schedules, Duration skew, Duration max) {

	private static final int MARGIN_SHARE = 10;

	/**
	 * Return how long the lock of a scheduled method is held at least.
	 * @param declaration the method as the bean's class has it
	 * @param resolver resolves placeholders
	 * @param clocks the clocks of the schedulers
	 * @param skew how far the triggers of two instances may be apart
	 * @param max the longest hold
	 * @return the hold
	 * @throws InvalidLockDeclarationException if the method has no schedule that repeats
	 */
	static ScheduledHold of(LockDeclaration declaration, UnaryOperator<String> resolver, SchedulerClocks clocks,
			Duration skew, Duration max) {
		Set<Scheduled> annotations = annotations(declaration.method());
		boolean beanMethod = AnnotatedElementUtils.isAnnotated(declaration.method(), Bean.class);
		declaration.require(!annotations.isEmpty() || !beanMethod, null, null,
				"a @Bean method runs once, to create the bean, and is not what is scheduled",
				"Put @ScheduledLock on the method of the bean that is scheduled, beside its @Scheduled.");
		declaration.require(!annotations.isEmpty(), null, null,
				"@Scheduled is missing, from which the time follows for which the lock is held",
				"Add @Scheduled to the method, or replace @ScheduledLock by @DistributedLock with onContention = "
						+ "SKIP and a holdAtLeast.");
		Reader reader = new Reader(declaration, resolver, clocks);
		return new ScheduledHold(annotations.stream().map(reader::read).filter(Objects::nonNull).toList(), skew, max);
	}

	/**
	 * Return whether Spring schedules a method.
	 * @param method the method as the bean's class has it
	 * @return whether it has the annotation
	 */
	static boolean isScheduled(Method method) {
		return !annotations(method).isEmpty();
	}

	private static Set<Scheduled> annotations(Method method) {
		return AnnotatedElementUtils.getMergedRepeatableAnnotations(method, Scheduled.class, Schedules.class);
	}

	/**
	 * Return the hold of a run that begins now.
	 * @return the time, not negative
	 */
	public Duration fromNow() {
		Duration hold = this.max;
		for (Schedule schedule : this.schedules) {
			Duration other = hold(schedule);
			hold = (other != null && other.compareTo(hold) < 0) ? other : hold;
		}
		return hold;
	}

	private @Nullable Duration hold(Schedule schedule) {
		ZonedDateTime now = schedule.now();
		ZonedDateTime next = schedule.after(now);
		if (next == null) {
			return null;
		}
		// A timer may be early by the wall clock: the trigger that is next is this one.
		ZonedDateTime following = schedule.after(next);
		if (following != null && Duration.between(now, next).compareTo(margin(Duration.between(next, following))) < 0) {
			next = following;
		}
		Duration period = Duration.between(now, next);
		return period.minus(margin(period));
	}

	private Duration margin(Duration period) {
		Duration share = period.dividedBy(MARGIN_SHARE);
		return (share.compareTo(this.skew) < 0) ? share : this.skew;
	}

	/**
	 * One schedule of a method.
	 *
	 * @param clock the clock of the scheduler
	 * @param zone the zone of the schedule, {@code null} for that of the clock
	 * @param trigger returns the trigger after a time, {@code null} if there is none
	 */
	record Schedule(Supplier<Clock> clock, @Nullable ZoneId zone,
			Function<ZonedDateTime, @Nullable ZonedDateTime> trigger) {

		private static final int STEPS = 180;

		ZonedDateTime now() {
			Clock clock = this.clock.get();
			return clock.instant().atZone((this.zone != null) ? this.zone : clock.getZone());
		}

		/**
		 * Where clocks are put back by half an hour, a cron expression names a time that
		 * is past, for as long as an hour.
		 */
		@Nullable ZonedDateTime after(ZonedDateTime time) {
			for (int minutes = 0; minutes < STEPS; minutes++) {
				ZonedDateTime next = this.trigger.apply(time.plusMinutes(minutes));
				if (next == null || next.isAfter(time)) {
					return next;
				}
			}
			return null;
		}

	}

	/**
	 * Reads the schedules of a method, as Spring does.
	 */
	private record Reader(LockDeclaration declaration, UnaryOperator<String> resolver, SchedulerClocks clocks) {

		/** Return the schedule, or null if it is disabled or triggers once. */
		@Nullable Schedule read(Scheduled annotation) {
			String cron = resolve(annotation.cron());
			try {
				if (!cron.isEmpty()) {
					return Scheduled.CRON_DISABLED.equals(cron) ? null : cron(cron, annotation);
				}
				Duration period = period(annotation);
				return (period != null) ? new Schedule(Clock::systemUTC, null, (time) -> time.plus(period)) : null;
			}
			catch (IllegalArgumentException ex) {
				throw this.declaration.refused(null, null, "@Scheduled cannot be read: " + ex.getMessage(),
						"Correct the schedule of the method, as the Javadoc of @Scheduled describes it.", ex);
			}
		}

		private Schedule cron(String cron, Scheduled annotation) {
			CronExpression expression = CronExpression.parse(cron);
			String text = resolve(annotation.zone());
			ZoneId zone = text.isEmpty() ? null : StringUtils.parseTimeZoneString(text).toZoneId();
			InvalidLockDeclarationException unknown = this.declaration.refused(null, null,
					"the time zone of cron '%s' is not known: its scheduler shows no clock to its triggers"
						.formatted(cron),
					"Set the zone: @Scheduled(cron = \"%s\", zone = \"%s\").".formatted(cron, ZoneId.systemDefault()),
					null);
			return new Schedule(this.clocks.of(annotation.scheduler(), (zone != null) ? null : unknown), zone,
					expression::next);
		}

		private @Nullable Duration period(Scheduled annotation) {
			String text = resolve(annotation.fixedRateString() + annotation.fixedDelayString());
			DurationFormat.Unit unit = DurationFormat.Unit.fromChronoUnit(annotation.timeUnit().toChronoUnit());
			if (!text.isEmpty()) {
				return DurationFormatterUtils.detectAndParse(text, unit);
			}
			long number = Math.max(annotation.fixedRate(), annotation.fixedDelay());
			return (number > 0) ? Duration.of(number, annotation.timeUnit().toChronoUnit()) : null;
		}

		private String resolve(String value) {
			return value.isEmpty() ? value : this.resolver.apply(value).trim();
		}

	}

}
