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

package io.quorlock.aop;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.Objects;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.scheduling.TaskScheduler;
import org.springframework.scheduling.Trigger;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.scheduling.annotation.SchedulingConfigurer;
import org.springframework.scheduling.concurrent.ConcurrentTaskScheduler;
import org.springframework.scheduling.concurrent.SimpleAsyncTaskScheduler;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;
import org.springframework.scheduling.config.ScheduledTaskRegistrar;
import org.springframework.scheduling.support.CronExpression;
import org.springframework.util.ClassUtils;

import io.quorlock.LockRequest;
import io.quorlock.annotation.ScheduledLock;
import io.quorlock.aop.DistributedLockAdvisor.LockedMethod;
import io.quorlock.aop.declaration.InvalidLockDeclarationException;
import io.quorlock.autoconfigure.LockAutoConfiguration;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the time zone of a cron expression, which is that of the scheduler that runs
 * the method.
 */
class SchedulerZoneTests {

	private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(LockAutoConfiguration.class))
		.withUserConfiguration(SchedulingConfiguration.class)
		.withBean("jobs", Jobs.class)
		.withPropertyValues("distributed-lock.backend=in-memory");

	/** At noon in London it is 21:00 in Tokyo and 01:00 in Auckland. */
	private static Clock noonIn(String zone) {
		return Clock.fixed(NOON, ZoneId.of(zone));
	}

	private static Duration hold(ApplicationContext context, Class<?> type, String method) {
		LockedMethod locked = context.getBean(DistributedLockAdvisor.class)
			.get(ClassUtils.getMethod(type, method), type);
		return Objects.requireNonNull(locked).specification().held(LockRequest.of("job")).holdAtLeast();
	}

	private static Duration untilTenAtNight(ApplicationContext context) {
		return hold(context, Jobs.class, "atTenAtNight").plusSeconds(1);
	}

	@Test
	void zoneIsThatOfTheTaskSchedulerBean() {
		this.contextRunner.withBean("tokyo", ThreadPoolTaskScheduler.class, () -> threadPool("Asia/Tokyo"))
			.run((context) -> assertThat(untilTenAtNight(context)).isEqualTo(Duration.ofHours(1)));
		this.contextRunner.withBean("tokyo", SimpleAsyncTaskScheduler.class, () -> {
			SimpleAsyncTaskScheduler scheduler = new SimpleAsyncTaskScheduler();
			scheduler.setClock(noonIn("Asia/Tokyo"));
			return scheduler;
		}).run((context) -> assertThat(untilTenAtNight(context)).isEqualTo(Duration.ofHours(1)));
	}

	@Test
	void zoneIsThatOfTheSchedulerWhichTheAnnotationNames() {
		this.contextRunner.withBean("taskScheduler", ThreadPoolTaskScheduler.class, () -> threadPool("Asia/Tokyo"))
			.withBean(QualifiedJob.class)
			.withBean("auckland", ThreadPoolTaskScheduler.class, () -> threadPool("Pacific/Auckland"))
			.run((context) -> {
				assertThat(untilTenAtNight(context)).isEqualTo(Duration.ofHours(1));
				assertThat(hold(context, QualifiedJob.class, "atTwoInTheMorningInAuckland").plusSeconds(1))
					.isEqualTo(Duration.ofHours(1));
			});
	}

	@Test
	void zoneIsThatOfTheSchedulerWhichAConfigurerSets() {
		this.contextRunner
			.withBean("configurer", SchedulingConfigurer.class,
					() -> (registrar) -> registrar.setScheduler(concurrent("Asia/Tokyo")))
			.run((context) -> assertThat(untilTenAtNight(context)).isEqualTo(Duration.ofHours(1)));
	}

	@Test
	void zoneOfTheAnnotationComesFirst() {
		this.contextRunner.withBean("tokyo", ThreadPoolTaskScheduler.class, () -> threadPool("Asia/Tokyo"))
			.run((context) -> assertThat(hold(context, Jobs.class, "atTenAtNightInLondon").plusSeconds(1))
				.isEqualTo(Duration.ofHours(10)));
	}

	@Test
	void withoutASchedulerTheZoneIsThatOfTheSystem() {
		new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(LockAutoConfiguration.class))
			.withBean("jobs", Jobs.class)
			.withPropertyValues("distributed-lock.backend=in-memory")
			.run((context) -> {
				ZonedDateTime now = ZonedDateTime.now(Clock.systemDefaultZone());
				ZonedDateTime next = Objects.requireNonNull(CronExpression.parse("0 0 22 * * *").next(now));
				assertThat(untilTenAtNight(context)).isCloseTo(Duration.between(now, next), Duration.ofMinutes(1));
			});
	}

	@Test
	void schedulerThatShowsNoClockIsRefusedAtStartUnlessTheAnnotationHasAZone() {
		this.contextRunner.withBean("opaque", SchedulingConfigurer.class, () -> this::setOpaque).run((context) -> {
			assertThat(context).hasFailed();
			assertThat(context.getStartupFailure()).isInstanceOfSatisfying(InvalidLockDeclarationException.class,
					(refusal) -> {
						assertThat(refusal)
							.hasMessageContaining(
									"Invalid @ScheduledLock on " + Jobs.class.getName() + ".atTenAtNight()")
							.hasMessageContaining("the time zone of cron '0 0 22 * * *' is not known");
						assertThat(refusal.getAction())
							.startsWith("Set the zone: @Scheduled(cron = \"0 0 22 * * *\", zone = \"");
					});
		});
		new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(LockAutoConfiguration.class))
			.withUserConfiguration(SchedulingConfiguration.class)
			.withBean("job", ZonedJob.class)
			.withBean("opaque", SchedulingConfigurer.class, () -> this::setOpaque)
			.withPropertyValues("distributed-lock.backend=in-memory")
			.run((context) -> assertThat(hold(context, ZonedJob.class, "everyMinute")).isPositive());
	}

	private void setOpaque(ScheduledTaskRegistrar registrar) {
		registrar.setScheduler(new OpaqueScheduler());
	}

	private static ThreadPoolTaskScheduler threadPool(String zone) {
		ThreadPoolTaskScheduler scheduler = new ThreadPoolTaskScheduler();
		scheduler.setClock(noonIn(zone));
		return scheduler;
	}

	private static TaskScheduler concurrent(String zone) {
		ThreadPoolTaskScheduler executor = threadPool(zone);
		executor.setDaemon(true);
		executor.initialize();
		ConcurrentTaskScheduler scheduler = new ConcurrentTaskScheduler(executor.getScheduledExecutor());
		scheduler.setClock(noonIn(zone));
		return scheduler;
	}

	@Configuration(proxyBeanMethods = false)
	@EnableScheduling
	static class SchedulingConfiguration {

	}

	static class Jobs {

		@ScheduledLock(name = "night", maxHoldAtLeast = "1d")
		@Scheduled(cron = "0 0 22 * * *")
		public void atTenAtNight() {
		}

		@ScheduledLock(name = "london", maxHoldAtLeast = "1d")
		@Scheduled(cron = "0 0 22 * * *", zone = "Europe/London")
		public void atTenAtNightInLondon() {
		}

	}

	static class QualifiedJob {

		@ScheduledLock(name = "morning", maxHoldAtLeast = "1d")
		@Scheduled(cron = "0 0 2 * * *", scheduler = "${scheduler:auckland}")
		public void atTwoInTheMorningInAuckland() {
		}

	}

	static class ZonedJob {

		@ScheduledLock("minute")
		@Scheduled(cron = "0 * * * * *", zone = "Europe/London")
		public void everyMinute() {
		}

	}

	/** Computes the times elsewhere. */
	private static final class OpaqueScheduler extends ConcurrentTaskScheduler {

		OpaqueScheduler() {
			super(threadPool());
		}

		private static ScheduledExecutorService threadPool() {
			return new ScheduledThreadPoolExecutor(0);
		}

		@Override
		public @Nullable ScheduledFuture<?> schedule(Runnable task, Trigger trigger) {
			return null;
		}

	}

}
