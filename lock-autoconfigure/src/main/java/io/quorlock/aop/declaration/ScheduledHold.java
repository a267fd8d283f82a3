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

import java.time.Duration;
import java.time.ZonedDateTime;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * How long the lock of a scheduled method is held at least, so that each tick runs once:
 * until shortly before the next trigger.
 * <p>
 * The lock has to outlive the triggers of the same tick on the other instances, and to be
 * free before those of the next one. The margin before the next trigger is what the
 * instances may be apart, but not more than a tenth of the period: where the period is
 * short, two runs of one tick are the greater danger.
 *
 * @since 0.1.0
 */
public final class ScheduledHold {

	/**
	 * One schedule of a method.
	 */
	@FunctionalInterface
	interface Schedule {

		/**
		 * Return the next trigger.
		 * @param time a time
		 * @return the first trigger after it, {@code null} if there is none
		 */
		@Nullable ZonedDateTime next(ZonedDateTime time);

	}

	private static final int MARGIN_SHARE = 10;

	private final List<Schedule> schedules;

	private final Duration skew;

	private final Duration atMost;

	ScheduledHold(List<Schedule> schedules, Duration skew, Duration atMost) {
		this.schedules = List.copyOf(schedules);
		this.skew = skew;
		this.atMost = atMost;
	}

	/**
	 * Return the hold of a run.
	 * @param now when the run begins, on the clock of this instance
	 * @return the time, not negative
	 */
	public Duration from(ZonedDateTime now) {
		ZonedDateTime next = next(now);
		if (next == null) {
			return this.atMost;
		}
		// A timer may be early by the wall clock: the trigger that is next is this one.
		ZonedDateTime following = next(next);
		if (following != null && Duration.between(now, next).compareTo(margin(Duration.between(next, following))) < 0) {
			next = following;
		}
		Duration period = Duration.between(now, next);
		Duration hold = period.minus(margin(period));
		return (hold.compareTo(this.atMost) < 0) ? hold : this.atMost;
	}

	private Duration margin(Duration period) {
		Duration share = period.dividedBy(MARGIN_SHARE);
		return (share.compareTo(this.skew) < 0) ? share : this.skew;
	}

	private @Nullable ZonedDateTime next(ZonedDateTime time) {
		ZonedDateTime first = null;
		for (Schedule schedule : this.schedules) {
			ZonedDateTime next = schedule.next(time);
			if (next != null && (first == null || next.isBefore(first))) {
				first = next;
			}
		}
		return first;
	}

}
