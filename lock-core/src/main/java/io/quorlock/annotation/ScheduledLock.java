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

package io.quorlock.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.core.annotation.AliasFor;

import io.quorlock.annotation.DistributedLock.OnContention;
import io.quorlock.annotation.DistributedLock.OnLost;

/**
 * Runs a scheduled method once per tick in the whole fleet, however short it is, unless
 * the trigger of an instance comes when the lock is free again.
 *
 * <pre class="code">
 * &#64;ScheduledLock("nightly-report")
 * &#64;Scheduled(cron = "0 0 3 * * *")
 * </pre>
 *
 * It stands for {@link DistributedLock} with {@code onContention = SKIP}, no wait, and a
 * {@code holdAtLeast} that follows from the schedule: until shortly before the next
 * trigger, at most {@link #maxHoldAtLeast}. With {@code cron} that is the next time that
 * the expression names, in the zone of {@code @Scheduled} or else of the scheduler's
 * clock; with {@code fixedRate} and {@code fixedDelay} it is the period. The method has
 * to be annotated with {@code @Scheduled} as well. A method that runs for longer than its
 * period is locked until it is done, and skips the ticks in between.
 * <p>
 * A tick for which no quorum replies asks again for five seconds, at most for half of the
 * hold, unless the method is reactive or returns a future. If another holds the lock, it
 * is skipped at once.
 *
 * @since 0.1.0
 */
@Target({ ElementType.METHOD, ElementType.ANNOTATION_TYPE })
@Retention(RetentionPolicy.RUNTIME)
@Documented
@DistributedLock(onContention = OnContention.SKIP, waitTime = "0s")
public @interface ScheduledLock {

	/**
	 * Alias for {@link #name}.
	 * @return the name
	 */
	@AliasFor(annotation = DistributedLock.class, attribute = "name")
	String value() default "";

	/**
	 * The name of the lock, as {@link DistributedLock#name}.
	 * @return the name
	 */
	@AliasFor(annotation = DistributedLock.class, attribute = "name")
	String name() default "";

	/**
	 * How far the triggers of two instances may be apart: the differences of their
	 * clocks, and delays of their threads. The lock is free again this long before the
	 * next trigger, so that an instance whose clock is ahead does not miss it; at most a
	 * tenth of the period.
	 * @return the duration
	 */
	String skew() default "1s";

	/**
	 * Limits the {@code holdAtLeast} that follows from the schedule: the longest time,
	 * from the grant on, for which the lock is held although the method is done.
	 * @return the duration
	 */
	String maxHoldAtLeast() default "1h";

	/**
	 * Holds the lock for at most this long while the method runs, as
	 * {@link DistributedLock#leaseTime}. Empty: the watchdog renews the lock until the
	 * method is done.
	 * @return the duration
	 */
	@AliasFor(annotation = DistributedLock.class, attribute = "leaseTime")
	String leaseTime() default "";

	/**
	 * What happens when the lock is lost while the method runs.
	 * @return the reaction
	 */
	@AliasFor(annotation = DistributedLock.class, attribute = "onLost")
	OnLost onLost() default OnLost.THROW;

}
