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
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.UnaryOperator;

import org.jspecify.annotations.Nullable;

import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.format.annotation.DurationFormat;
import org.springframework.format.datetime.standard.DurationFormatterUtils;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.scheduling.annotation.Schedules;
import org.springframework.scheduling.support.CronExpression;
import org.springframework.util.StringUtils;

import io.quorlock.annotation.ScheduledLock;
import io.quorlock.aop.declaration.ScheduledHold.Schedule;

/**
 * Reads the schedules of a method, as Spring does.
 */
record ScheduleParser(UnaryOperator<String> resolver, SchedulerClocks clocks) {

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
	 * Return how long the lock of a scheduled method is held at least.
	 * @param method the method as the bean's class has it
	 * @param location the method in messages
	 * @param skew how far the triggers of two instances may be apart
	 * @param max the longest hold
	 * @return the hold
	 * @throws InvalidLockDeclarationException if the method has no schedule that repeats
	 */
	ScheduledHold parse(Method method, String location, Duration skew, Duration max) {
		Set<Scheduled> annotations = annotations(method);
		if (annotations.isEmpty()) {
			throw new InvalidLockDeclarationException(ScheduledLock.class, location,
					"@Scheduled is missing, from which the time follows for which the lock is held",
					"Add @Scheduled to the method, or replace @ScheduledLock by @DistributedLock with onContention = "
							+ "SKIP and a holdAtLeast.");
		}
		List<Schedule> schedules = annotations.stream()
			.map((annotation) -> schedule(annotation, location))
			.filter(Objects::nonNull)
			.toList();
		return new ScheduledHold(schedules, skew, max);
	}

	/** Return the schedule, or null if it is disabled or triggers once. */
	private @Nullable Schedule schedule(Scheduled annotation, String location) {
		String cron = resolve(annotation.cron());
		try {
			if (!cron.isEmpty()) {
				return Scheduled.CRON_DISABLED.equals(cron) ? null : cron(cron, annotation, location);
			}
			Duration period = period(annotation);
			return (period != null) ? new Schedule(Clock::systemUTC, null, (time) -> time.plus(period)) : null;
		}
		catch (IllegalArgumentException ex) {
			throw new InvalidLockDeclarationException(ScheduledLock.class, location, null, null,
					"@Scheduled cannot be read: " + ex.getMessage(),
					"Correct the schedule of the method, as the Javadoc of @Scheduled describes it.", ex);
		}
	}

	private Schedule cron(String cron, Scheduled annotation, String location) {
		CronExpression expression = CronExpression.parse(cron);
		String text = resolve(annotation.zone());
		ZoneId zone = text.isEmpty() ? null : StringUtils.parseTimeZoneString(text).toZoneId();
		InvalidLockDeclarationException unknown = new InvalidLockDeclarationException(ScheduledLock.class, location,
				"the time zone of cron '%s' is not known: its scheduler shows no clock to its triggers".formatted(cron),
				"Set the zone: @Scheduled(cron = \"%s\", zone = \"%s\").".formatted(cron, ZoneId.systemDefault()));
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
