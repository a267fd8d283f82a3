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

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import reactor.core.publisher.Mono;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.scheduling.annotation.Scheduled;

import io.quorlock.LockRequest;
import io.quorlock.LockUnavailableException;
import io.quorlock.annotation.DistributedLock;
import io.quorlock.annotation.DistributedLock.OnContention;
import io.quorlock.annotation.ScheduledLock;

import static io.quorlock.aop.DeclarationAssert.assertThatRefused;
import static io.quorlock.aop.DeclarationAssert.assertThatStartFails;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link ScheduledLock} and for the line at start about scheduled methods
 * without it.
 */
@ExtendWith(OutputCaptureExtension.class)
class ScheduledLockTests {

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withUserConfiguration(AopConfiguration.class)
		.withPropertyValues("report.cron=0 0 3 * * *");

	@Test
	void lockIsHeldUntilShortlyBeforeTheNextTriggerAndNobodyWaits() {
		this.contextRunner.withBean(Jobs.class).run((context) -> {
			FakeLockTemplate locks = context.getBean(FakeLockTemplate.class);
			Jobs jobs = context.getBean(Jobs.class);
			jobs.everyMinute();
			LockRequest request = locks.lastRequest();
			assertThat(request.names()).containsExactly("minute");
			assertThat(request.waitTime()).isEqualTo(Duration.ZERO);
			assertThat(request.holdAtLeast()).isEqualTo(Duration.ofSeconds(59));
			jobs.everySecond();
			assertThat(locks.lastRequest().holdAtLeast()).isEqualTo(Duration.ofMillis(900));
			jobs.withDelay();
			assertThat(locks.lastRequest().holdAtLeast()).isEqualTo(Duration.ofSeconds(27));
			jobs.daily();
			assertThat(locks.lastRequest().holdAtLeast()).isEqualTo(Duration.ofHours(1));
			jobs.nightly();
			assertThat(locks.lastRequest().holdAtLeast()).isBetween(Duration.ZERO, Duration.ofMinutes(10));
		});
	}

	/** Spring calls a reactive method once, and subscribes at each tick. */
	@Test
	void lockOfAReactiveMethodIsHeldUntilTheTriggerAfterItsSubscription() {
		this.contextRunner.withBean(ReactiveJobs.class).run((context) -> {
			FakeLockTemplate locks = context.getBean(FakeLockTemplate.class);
			Mono<String> job = context.getBean(ReactiveJobs.class).everyMinute();
			Duration first = holdOfATick(job, locks);
			Awaitility.await().until(() -> !holdOfATick(job, locks).equals(first));
		});
	}

	private static Duration holdOfATick(Mono<String> job, FakeLockTemplate locks) {
		assertThat(job.block()).isEqualTo("done");
		return locks.lastRequest().holdAtLeast();
	}

	@Test
	void methodIsSkippedWhileAnotherInstanceHoldsTheLock() {
		this.contextRunner.withBean(Jobs.class).run((context) -> {
			context.getBean(FakeLockTemplate.class).holdElsewhere("minute");
			Jobs jobs = context.getBean(Jobs.class);
			jobs.everyMinute();
			assertThat(jobs.runs()).isZero();
		});
	}

	@Test
	void tickWhoseLockIsUnavailableAsksAgainForAsLongAsItsHoldAllows() {
		this.contextRunner.withBean(Jobs.class).run((context) -> {
			FakeLockTemplate locks = context.getBean(FakeLockTemplate.class);
			Jobs jobs = context.getBean(Jobs.class);
			locks.unavailable(true);
			assertThatExceptionOfType(LockUnavailableException.class).isThrownBy(jobs::everySecond);
			CompletableFuture.delayedExecutor(500, TimeUnit.MILLISECONDS).execute(() -> locks.unavailable(false));
			jobs.everyMinute();
			assertThat(jobs.runs()).isOne();
		});
	}

	@Test
	void pipelineWhoseLockIsUnavailableAsksAgainForAsLongAsItsHoldAllows() {
		this.contextRunner.withBean(PipelineJobs.class).run((context) -> {
			FakeLockTemplate locks = context.getBean(FakeLockTemplate.class);
			PipelineJobs jobs = context.getBean(PipelineJobs.class);
			locks.unavailable(true);
			assertThatExceptionOfType(LockUnavailableException.class).isThrownBy(() -> jobs.everySecond().block());
			assertThat(locks.requests()).hasSizeGreaterThan(1);
			CompletableFuture.delayedExecutor(500, TimeUnit.MILLISECONDS).execute(() -> locks.unavailable(false));
			assertThat(jobs.everyMinute().block()).isEqualTo("done");
			locks.unavailable(true);
			int before = locks.requests().size();
			assertThatExceptionOfType(LockUnavailableException.class).isThrownBy(() -> jobs.called().block());
			assertThat(locks.requests()).hasSize(before + 1);
		});
	}

	@Test
	void tickThatIsInterruptedDoesNotAskAgain() {
		this.contextRunner.withBean(Jobs.class).run((context) -> {
			FakeLockTemplate locks = context.getBean(FakeLockTemplate.class);
			locks.unavailable(true);
			Thread.currentThread().interrupt();
			assertThatExceptionOfType(LockUnavailableException.class)
				.isThrownBy(context.getBean(Jobs.class)::everyMinute);
			assertThat(Thread.interrupted()).isTrue();
			assertThat(locks.requests()).hasSize(1);
		});
	}

	@Test
	void methodThatIsNoTickDoesNotAskAgain() {
		this.contextRunner.withBean(WithoutHold.class).run((context) -> {
			FakeLockTemplate locks = context.getBean(FakeLockTemplate.class);
			locks.unavailable(true);
			assertThatExceptionOfType(LockUnavailableException.class)
				.isThrownBy(context.getBean(WithoutHold.class)::called);
			assertThat(locks.requests()).hasSize(1);
		});
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`',
			textBlock = """
					notScheduled | | @Scheduled is missing | Add @Scheduled to the method
					badCron | | @Scheduled cannot be read | Correct the schedule of the method
					badZone | | @Scheduled cannot be read: Invalid time zone specification 'Nowhere/City' | Correct the schedule of the method
					badSkew | skew | '5' has no unit | Write skew = "5s" for seconds, or "5ms" for milliseconds
					noSkew | skew | it must be a duration | Remove the attribute
					noHold | maxHoldAtLeast | it must be a duration, and not zero | Remove the attribute
					holdOfZero | maxHoldAtLeast | it must be a duration, and not zero | Remove the attribute
					holdOfAges | maxHoldAtLeast | it is longer than ten years | Remove the attribute
					withAPrimitiveResult | onContention | a skipped method returns null | Return Integer or void
					besideAnother | | @ScheduledLock stands on the method as well, and each of the two declares a lock | Remove @DistributedLock: @ScheduledLock locks the method by itself
					composedBesideAnother | | @Nightly stands on the method as well, and each of the two declares a lock | Remove @DistributedLock: @Nightly locks the method by itself
					besideAComposedOne | | @Exclusive stands on the method as well, and each of the two declares a lock | Remove @Exclusive: @ScheduledLock locks the method by itself
					twiceScheduled | | @Nightly stands on the method as well, and each of the two declares a lock | Remove one of the two.
					""")
	void refusesDeclaration(String method, @Nullable String attribute, String reason, String remedy) {
		assertThatRefused(Refused.class, method, attribute, reason, remedy);
	}

	/** The assertion compares the annotation that is named with the one in the code. */
	@Test
	void refusalsNameTheAnnotationThatStandsInTheCode() {
		assertThatStartFails(OnAPrivateMethod.class, "locked", null, "the method is private", "Make the method public");
		assertThatStartFails(ComposedOnAPrivateMethod.class, "locked", null, "the method is private",
				"Make the method public");
	}

	@Test
	void secondAnnotationOfAnInheritedMethodIsRefused() {
		assertThatStartFails(InheritsBoth.class, "locked", null,
				"@ScheduledLock stands on the method as well, and each of the two declares a lock",
				"Remove @DistributedLock: @ScheduledLock locks the method by itself");
	}

	/** Its name would be that of one of the two, its hold that of the other. */
	@Test
	void annotationOfAMethodThatOverridesAScheduledOneIsRefused() {
		assertThatStartFails(OverridesScheduled.class, "tick", null,
				"@ScheduledLock stands on the method as well, and each of the two declares a lock",
				"Remove @DistributedLock: @ScheduledLock locks the method by itself");
	}

	@Test
	void annotationOfTheClassIsForItsOtherMethods() {
		this.contextRunner.withBean(LockedClass.class).withBean(LockedSubclass.class).run((context) -> {
			FakeLockTemplate locks = context.getBean(FakeLockTemplate.class);
			String[] beans = context.getBeanNamesForType(LockedClass.class);
			assertThat(beans).hasSize(2);
			for (String bean : beans) {
				LockedClass locked = context.getBean(bean, LockedClass.class);
				locked.tick();
				assertThat(locks.lastRequest().names()).containsExactly("tick");
				assertThat(locks.lastRequest().holdAtLeast()).isEqualTo(Duration.ofMillis(900));
				locked.other();
				assertThat(locks.lastRequest().names())
					.containsExactly((locked instanceof LockedSubclass) ? "subclass" : "all");
				assertThat(locks.lastRequest().holdAtLeast()).isZero();
			}
		});
	}

	@Test
	void annotationBelongsOnTheMethodThatIsScheduled() {
		assertThatStartFails(OnABeanMethod.class, "locked", null,
				"a @Bean method runs once, to create the bean, and is not what is scheduled",
				"Put @ScheduledLock on the method of the bean that is scheduled, beside its @Scheduled");
	}

	@Test
	void scheduledMethodThatSkipsWithoutAHoldIsReportedAtStart(CapturedOutput output) {
		this.contextRunner.withBean(WithoutHold.class).run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(output).containsOnlyOnce("is skipped only while another instance runs it: its lock 'cleanup'")
				.contains("WithoutHold.cleanUp()")
				.doesNotContain("WithoutHold.held()")
				.doesNotContain("WithoutHold.called()")
				.doesNotContain("WithoutHold.once()");
		});
	}

	static class Jobs {

		private int runs;

		/** The fields of a proxy are not those of the bean. */
		int runs() {
			return this.runs;
		}

		@ScheduledLock("minute")
		@Scheduled(fixedRate = 60_000)
		public void everyMinute() {
			this.runs++;
		}

		@ScheduledLock("second")
		@Scheduled(fixedRateString = "PT1S")
		public void everySecond() {
		}

		@ScheduledLock(name = "delay", skew = "5s")
		@Scheduled(fixedDelayString = "30s")
		public void withDelay() {
		}

		@ScheduledLock("day")
		@Scheduled(fixedRateString = "P1D")
		public void daily() {
		}

		@ScheduledLock(name = "nightly", maxHoldAtLeast = "10m")
		@Scheduled(cron = "${report.cron}", zone = "Europe/Berlin")
		public void nightly() {
		}

	}

	static class ReactiveJobs {

		@ScheduledLock("minute")
		@Scheduled(cron = "0 * * * * *")
		public Mono<String> everyMinute() {
			return Mono.just("done");
		}

	}

	interface Both {

		@DistributedLock("other")
		@ScheduledLock("locked")
		@Scheduled(fixedRate = 1_000)
		void locked();

	}

	static class InheritsBoth implements Both {

		@Override
		@Scheduled(fixedRate = 1_000)
		public void locked() {
		}

	}

	@Target(ElementType.METHOD)
	@Retention(RetentionPolicy.RUNTIME)
	@DistributedLock("exclusive")
	@interface Exclusive {

	}

	@DistributedLock("all")
	static class LockedClass {

		@ScheduledLock("tick")
		@Scheduled(fixedRate = 1_000)
		public void tick() {
		}

		public void other() {
		}

	}

	@DistributedLock("subclass")
	static class LockedSubclass extends LockedClass {

	}

	static class OverridesScheduled extends LockedClass {

		@Override
		@DistributedLock("other")
		@Scheduled(fixedRate = 1_000)
		public void tick() {
		}

	}

	interface Refused {

		@ScheduledLock("locked")
		void notScheduled();

		@ScheduledLock("locked")
		@Scheduled(cron = "every day")
		void badCron();

		@ScheduledLock(name = "locked", skew = "5")
		@Scheduled(fixedRate = 1_000)
		void badSkew();

		@ScheduledLock("locked")
		@Scheduled(cron = "0 0 3 * * *", zone = "Nowhere/City")
		void badZone();

		@DistributedLock(name = "other", holdAtLeast = "5s")
		@ScheduledLock("locked")
		@Scheduled(fixedRate = 1_000)
		void besideAnother();

		@Nightly
		@DistributedLock("other")
		void composedBesideAnother();

		@ScheduledLock("locked")
		@Exclusive
		@Scheduled(fixedRate = 1_000)
		void besideAComposedOne();

		@ScheduledLock("locked")
		@Nightly
		void twiceScheduled();

		@ScheduledLock(name = "locked", skew = "")
		@Scheduled(fixedRate = 1_000)
		void noSkew();

		@ScheduledLock(name = "locked", maxHoldAtLeast = "")
		@Scheduled(fixedRate = 1_000)
		void noHold();

		@ScheduledLock(name = "locked", maxHoldAtLeast = "4000d")
		@Scheduled(fixedRate = 1_000)
		void holdOfAges();

		@ScheduledLock(name = "locked", maxHoldAtLeast = "0s")
		@Scheduled(fixedRate = 1_000)
		void holdOfZero();

		@ScheduledLock("locked")
		@Scheduled(fixedRate = 1_000)
		int withAPrimitiveResult();

	}

	static class OnABeanMethod {

		@Bean
		@ScheduledLock("locked")
		public Object locked() {
			return new Object();
		}

	}

	@Target(ElementType.METHOD)
	@Retention(RetentionPolicy.RUNTIME)
	@ScheduledLock
	@Scheduled(cron = "0 0 3 * * *")
	@interface Nightly {

	}

	static class ComposedOnAPrivateMethod {

		@Nightly
		private void locked() {
		}

	}

	static class OnAPrivateMethod {

		@ScheduledLock("locked")
		@Scheduled(fixedRate = 1_000)
		private void locked() {
		}

	}

	static class PipelineJobs {

		@ScheduledLock("second")
		@Scheduled(fixedRate = 1, timeUnit = TimeUnit.SECONDS)
		public Mono<String> everySecond() {
			return Mono.just("done");
		}

		@ScheduledLock("minute")
		@Scheduled(fixedRate = 1, timeUnit = TimeUnit.MINUTES)
		public Mono<String> everyMinute() {
			return Mono.just("done");
		}

		@DistributedLock("called")
		public Mono<String> called() {
			return Mono.just("done");
		}

	}

	static class WithoutHold {

		@DistributedLock(name = "cleanup", onContention = OnContention.SKIP)
		@Scheduled(cron = "0 * * * * *")
		public void cleanUp() {
		}

		@DistributedLock(name = "held", onContention = OnContention.SKIP, holdAtLeast = "30s")
		@Scheduled(cron = "0 * * * * *")
		public void held() {
		}

		@ScheduledLock("once")
		@Scheduled(cron = "0 * * * * *")
		public void once() {
		}

		@DistributedLock(name = "called", onContention = OnContention.SKIP)
		public void called() {
		}

	}

}
