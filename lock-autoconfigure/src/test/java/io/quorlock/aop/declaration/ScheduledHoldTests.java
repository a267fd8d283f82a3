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
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.scheduling.concurrent.ConcurrentTaskScheduler;
import org.springframework.scheduling.config.ScheduledTaskRegistrar;
import org.springframework.scheduling.support.CronTrigger;
import org.springframework.scheduling.support.SimpleTriggerContext;
import org.springframework.util.ClassUtils;
import org.springframework.util.StringUtils;

import io.quorlock.annotation.ScheduledLock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link ScheduledHold}.
 */
class ScheduledHoldTests {

	private static final ZonedDateTime NOON = ZonedDateTime.of(2026, 3, 1, 12, 0, 0, 0, ZoneOffset.UTC);

	private static Duration hold(String method, ZonedDateTime now) {
		return hold(method, now, Duration.ofHours(1));
	}

	private static Duration hold(String method, ZonedDateTime now, Duration atMost) {
		Method scheduled = ClassUtils.getMethod(Jobs.class, method);
		return hold(scheduled, now, atMost, UnaryOperator.identity());
	}

	private static Duration hold(Method scheduled, ZonedDateTime now, Duration max, UnaryOperator<String> resolver) {
		ConcurrentTaskScheduler scheduler = new ConcurrentTaskScheduler(new ScheduledThreadPoolExecutor(0));
		scheduler.setClock(Clock.fixed(now.toInstant(), now.getZone()));
		ScheduledTaskRegistrar registrar = new ScheduledTaskRegistrar();
		registrar.setTaskScheduler(scheduler);
		SchedulerClocks clocks = new SchedulerClocks();
		clocks.configureTasks(registrar);
		LockDeclaration declaration = new LockDeclaration(ScheduledLock.class, scheduled, Jobs.class);
		return ScheduledHold.of(declaration, resolver, clocks, Duration.ofSeconds(1), max).fromNow();
	}

	@Test
	void endsTheSkewBeforeTheNextTrigger() {
		assertThat(hold("minutely", NOON)).isEqualTo(Duration.ofSeconds(59));
		assertThat(hold("minutely", NOON.plusSeconds(20))).isEqualTo(Duration.ofSeconds(39));
		assertThat(hold("everyTenMinutes", NOON)).isEqualTo(Duration.ofSeconds(599));
	}

	@Test
	void leavesAtMostATenthOfAShortPeriodFree() {
		assertThat(hold("secondly", NOON)).isEqualTo(Duration.ofMillis(900));
		assertThat(hold("secondly", NOON.plusNanos(400_000_000))).isEqualTo(Duration.ofMillis(540));
	}

	@Test
	void triggerThatComesALittleEarlyIsTheOneThatIsNext() {
		assertThat(hold("minutely", NOON.minusNanos(20_000_000))).isEqualTo(Duration.ofSeconds(59).plusMillis(20));
		assertThat(hold("secondly", NOON.minusNanos(20_000_000))).isBetween(Duration.ofMillis(900),
				Duration.ofMillis(930));
	}

	@Test
	void isCapped() {
		assertThat(hold("nightly", NOON)).isEqualTo(Duration.ofHours(1));
		assertThat(hold("nightly", NOON, Duration.ofMinutes(5))).isEqualTo(Duration.ofMinutes(5));
		assertThat(hold("disabled", NOON, Duration.ofMinutes(5))).isEqualTo(Duration.ofMinutes(5));
	}

	@Test
	void endsBeforeTheFirstOfSeveralTriggers() {
		assertThat(hold("twice", NOON)).isEqualTo(Duration.ofSeconds(29));
		assertThat(hold("twice", NOON.plusSeconds(40))).isEqualTo(Duration.ofSeconds(19));
	}

	@Test
	void cronIsThatOfItsZone() {
		assertThat(hold("nightly", NOON, Duration.ofDays(1))).isEqualTo(Duration.ofHours(7).minusSeconds(1));
	}

	@ParameterizedTest
	@ValueSource(strings = { "PST", "IST", "JST", "EST", "GMT+2:00", "UTC", "Europe/Paris", "GMT-03" })
	void zonesAreThoseOfSpring(String zone) {
		Method scheduled = ClassUtils.getMethod(Jobs.class, "nightlyInZone");
		Duration hold = hold(scheduled, NOON, Duration.ofDays(1), (text) -> text.replace("${zone}", zone));
		Instant trigger = new CronTrigger("0 0 3 * * *", StringUtils.parseTimeZoneString(zone))
			.nextExecution(new SimpleTriggerContext(Clock.fixed(NOON.toInstant(), ZoneOffset.UTC)));
		assertThat(NOON.toInstant().plus(hold).plusSeconds(1)).isEqualTo(trigger);
	}

	@ParameterizedTest
	@ValueSource(strings = { "UTC+1", "Nowhere/City", "+02:00" })
	void zonesThatSpringRefusesAreRefused(String zone) {
		assertThatIllegalArgumentException().isThrownBy(() -> StringUtils.parseTimeZoneString(zone));
		Method scheduled = ClassUtils.getMethod(Jobs.class, "nightlyInZone");
		assertThatExceptionOfType(InvalidLockDeclarationException.class)
			.isThrownBy(() -> hold(scheduled, NOON, Duration.ofDays(1), (text) -> text.replace("${zone}", zone)))
			.withMessageContaining("Invalid @ScheduledLock on " + Jobs.class.getName()
					+ ".nightlyInZone(): @Scheduled cannot be read");
	}

	/** Spring names times that are past in the half hour that is there twice. */
	@ParameterizedTest
	@CsvSource({ "Australia/Lord_Howe, 2026-04-04T12:00:00Z", "Antarctica/Troll, 2026-10-24T22:00:00Z",
			"Europe/Paris, 2026-10-24T22:00:00Z", "America/Havana, 2026-11-01T02:00:00Z" })
	void holdEndsAfterItBeginsWhereClocksArePutBack(String zone, Instant begin) {
		for (int minute = 0; minute < 8 * 60; minute++) {
			ZonedDateTime now = begin.plusSeconds(60L * minute).atZone(ZoneId.of(zone));
			for (String method : List.of("hourly", "quarterHourly", "quarterPastOne", "minutely")) {
				assertThat(hold(method, now, Duration.ofDays(2))).as(method + " at " + now)
					.isGreaterThan(Duration.ofSeconds(30));
			}
		}
	}

	/** An application may choose between the two with properties. */
	@ParameterizedTest
	@ValueSource(strings = { "", " " })
	void placeholderOfACronThatIsEmptyLeavesThePeriod(String empty) {
		UnaryOperator<String> resolver = (text) -> text.replace("${cron:}", empty);
		Method scheduled = ClassUtils.getMethod(Jobs.class, "configured");
		assertThat(hold(scheduled, NOON, Duration.ofHours(1), resolver)).isEqualTo(Duration.ofSeconds(599));
	}

	@Test
	void placeholderOfAPeriodThatIsEmptyLeavesTheOther() {
		UnaryOperator<String> resolver = (text) -> text.replace("${rate:}", "");
		Method scheduled = ClassUtils.getMethod(Jobs.class, "rateOrDelay");
		assertThat(hold(scheduled, NOON, Duration.ofHours(1), resolver)).isEqualTo(Duration.ofSeconds(599));
	}

	@Test
	void zoneMayBeAPlaceholder() {
		UnaryOperator<String> resolver = (text) -> text.replace("${zone}", "Asia/Shanghai");
		Method scheduled = ClassUtils.getMethod(Jobs.class, "nightlyInZone");
		assertThat(hold(scheduled, NOON, Duration.ofDays(1), resolver)).isEqualTo(Duration.ofHours(7).minusSeconds(1));
	}

	@Test
	void periodIsReadInTheUnitOfTheAnnotation() {
		assertThat(hold("everyTenMinutesAsText", NOON)).isEqualTo(Duration.ofSeconds(599));
		assertThat(hold("withDelay", NOON)).isEqualTo(Duration.ofSeconds(599));
	}

	static class Jobs {

		@Scheduled(cron = "0 0 * * * *")
		public void hourly() {
		}

		@Scheduled(cron = "0 */15 * * * *")
		public void quarterHourly() {
		}

		@Scheduled(cron = "0 15 1 * * *")
		public void quarterPastOne() {
		}

		@Scheduled(cron = "0 * * * * *")
		public void minutely() {
		}

		@Scheduled(cron = "* * * * * *")
		public void secondly() {
		}

		@Scheduled(fixedRate = 10, timeUnit = TimeUnit.MINUTES)
		public void everyTenMinutes() {
		}

		@Scheduled(fixedRateString = "10", timeUnit = TimeUnit.MINUTES)
		public void everyTenMinutesAsText() {
		}

		@Scheduled(fixedDelay = 10, timeUnit = TimeUnit.MINUTES)
		public void withDelay() {
		}

		@Scheduled(cron = "0 0 3 * * *", zone = "Asia/Shanghai")
		public void nightly() {
		}

		@Scheduled(cron = "${cron:}", fixedRate = 10, timeUnit = TimeUnit.MINUTES)
		public void configured() {
		}

		@Scheduled(cron = "0 0 3 * * *", zone = "${zone}")
		public void nightlyInZone() {
		}

		@Scheduled(fixedRateString = "${rate:}", fixedDelay = 10, timeUnit = TimeUnit.MINUTES)
		public void rateOrDelay() {
		}

		@Scheduled(cron = "-")
		public void disabled() {
		}

		@Scheduled(cron = "0 * * * * *")
		@Scheduled(cron = "30 * * * * *")
		public void twice() {
		}

	}

}
