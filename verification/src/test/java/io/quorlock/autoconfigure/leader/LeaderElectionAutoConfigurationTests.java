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

package io.quorlock.autoconfigure.leader;

import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.event.EventListener;
import org.springframework.core.NestedExceptionUtils;

import io.quorlock.LockContext;
import io.quorlock.LockHandle;
import io.quorlock.LockLostException;
import io.quorlock.LockRequest;
import io.quorlock.LockTemplate;
import io.quorlock.autoconfigure.LockAutoConfiguration;
import io.quorlock.autoconfigure.health.LockHealthContributorAutoConfiguration;
import io.quorlock.autoconfigure.metrics.LockMetricsAutoConfiguration;
import io.quorlock.engine.LockInspector;
import io.quorlock.health.LeaderHealthIndicator;
import io.quorlock.leader.DefaultLeaderElection;
import io.quorlock.leader.LeaderElection;
import io.quorlock.leader.LeaderOnly;
import io.quorlock.leader.LeadershipAtRiskEvent;
import io.quorlock.leader.LeadershipGrantedEvent;
import io.quorlock.leader.LeadershipRevokedEvent;
import io.quorlock.metrics.LockGauges;
import io.quorlock.test.LockSimulator;
import io.quorlock.test.TestLocksAutoConfiguration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link LeaderElectionAutoConfiguration} and what it brings.
 */
class LeaderElectionAutoConfigurationTests {

	private static final String LOCK = "leader:scheduler";

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(LockAutoConfiguration.class, TestLocksAutoConfiguration.class,
				LeaderElectionAutoConfiguration.class, LockHealthContributorAutoConfiguration.class,
				LockMetricsAutoConfiguration.class))
		.withPropertyValues("distributed-lock.backend=in-memory", "distributed-lock.leader.roles=scheduler",
				"distributed-lock.instance-id=shop@test:1")
		.withBean(MeterRegistry.class, SimpleMeterRegistry::new)
		.withBean(Listener.class)
		.withBean(Job.class);

	@Test
	void leadsWhenTheApplicationIsReadyAndNotBefore() {
		this.contextRunner.withBean(Finder.class).run((context) -> {
			LeaderElection election = context.getBean(LeaderElection.class);
			HealthIndicator health = context.getBean(LeaderHealthIndicator.class);
			Job job = context.getBean(Job.class);
			assertThat(election.isLeader("scheduler")).isFalse();
			assertThat(election.currentLeader("scheduler")).isEmpty();
			assertThat(details(health)).hasToString("{scheduler={leader=false}}");
			assertThat(job.run()).isNull();
			assertThat(job.find()).isEmpty();
			assertThat(context.getBean(Source.class).find()).as("through a generic interface")
				.isEqualTo(Optional.empty());
			assertThatIllegalArgumentException().isThrownBy(() -> election.isLeader("nobody"))
				.withMessageContaining("[scheduler]");
			ready(context);
			awaitLeader(context);
			assertThat(election.currentLeader("scheduler")).contains("shop@test:1");
			assertThat(details(health)).hasToString("{scheduler={leader=true, currentLeader=shop@test:1}}");
			long token = ((LeadershipGrantedEvent) listener(context).await(1).get(0)).fencingToken();
			try (LockHandle handle = election.enter("scheduler").orElseThrow()) {
				assertThat(handle.fencingToken()).isEqualTo(token);
			}
			assertThat(election.isLeader("scheduler")).isTrue();
			assertThat(job.run()).isEqualTo(token);
			assertThat(job.find()).contains(token);
			assertThat(LockContext.current()).isEmpty();
			SimpleMeterRegistry registry = new SimpleMeterRegistry();
			context.getBean(LockGauges.class).bindTo(registry);
			assertThat(registry.get("distributed.lock.leader").tag("role", "scheduler").gauge().value()).isOne();
			job.setWork(() -> context.getBean(LockSimulator.class).lose(LOCK));
			assertThatExceptionOfType(LockLostException.class).isThrownBy(job::run);
			assertThat(LockContext.current()).isEmpty();
			assertThat(registry.get("distributed.lock.leader").gauge().value()).isZero();
		});
	}

	@Test
	void withoutAutoStartItCompetesWhenAskedToAndGoesOnAfterAPause() {
		this.contextRunner
			.withPropertyValues("distributed-lock.leader.auto-start=false", "distributed-lock.retain-time=1h")
			.run((context) -> {
				ready(context);
				LeaderElection election = context.getBean(LeaderElection.class);
				List<Boolean> lockFree = new CopyOnWriteArrayList<>();
				listener(context).onRevoked = () -> lockFree.add(isFree(context));
				pause(context);
				assertThat(election.enter("scheduler")).isEmpty();
				assertThat(election.currentLeader("scheduler")).isEmpty();
				election.start();
				awaitLeader(context);
				pause(context);
				awaitLeader(context);
				election.stop();
				assertThat(election.isLeader("scheduler")).isFalse();
				LockInspector inspector = context.getBean(LockInspector.class);
				Awaitility.await().until(() -> inspector.held().isEmpty());
				assertThat(inspector.retained()).isEmpty();
				assertThat(lockFree).as("the listeners come before the release").containsExactly(false, false);
				assertThat(isFree(context)).isTrue();
				pause(context);
				assertThat(election.enter("scheduler")).isEmpty();
				assertThat(listener(context).events).extracting(Object::getClass)
					.containsExactly(LeadershipGrantedEvent.class, LeadershipRevokedEvent.class,
							LeadershipGrantedEvent.class, LeadershipRevokedEvent.class);
			});
	}

	@Test
	void childContextThatIsClosedLeavesTheRoleToItsParent() {
		this.contextRunner.run((parent) -> {
			ready(parent);
			awaitLeader(parent);
			LeaderElection election = parent.getBean(LeaderElection.class);
			this.contextRunner.withParent(parent)
				.run((child) -> assertThat(child.getBean(LeaderElection.class)).isSameAs(election));
			assertThat(election.isLeader("scheduler")).isTrue();
		});
	}

	@Test
	void anotherInstanceThatLeadsIsKnown() {
		this.contextRunner.run((context) -> {
			context.getBean(LockSimulator.class).heldElsewhere(LOCK);
			ready(context);
			LeaderElection election = context.getBean(LeaderElection.class);
			Awaitility.await().until(() -> election.currentLeader("scheduler").isPresent());
			assertThat(election.currentLeader("scheduler")).contains("elsewhere@test:0");
			assertThat(election.isLeader("scheduler")).isFalse();
			context.getBean(LockSimulator.class).free(LOCK);
			awaitLeader(context);
		});
	}

	@Test
	void candidateGoesOnAfterAnError() {
		this.contextRunner.run((context) -> {
			LockTemplate template = context.getBean(LockTemplate.class);
			AtomicInteger errors = new AtomicInteger();
			LockTemplate failing = (LockTemplate) Proxy.newProxyInstance(getClass().getClassLoader(),
					new Class<?>[] { LockTemplate.class }, (proxy, method, arguments) -> {
						if (method.getName().equals("acquireAsync") && errors.getAndIncrement() < 2) {
							throw new StackOverflowError("as a listener far down may cause it");
						}
						return method.invoke(template, arguments);
					});
			LeaderElection election = new DefaultLeaderElection(List.of("importer"), "shop@test:1", failing, context);
			election.start();
			Awaitility.await().until(() -> election.isLeader("importer"));
			assertThat(errors.get()).isGreaterThan(2);
			election.stop();
		});
	}

	@Test
	void stepsDownWhenTheLockIsLostAndCompetesAgain() {
		this.contextRunner.run((context) -> {
			ready(context);
			awaitLeader(context);
			context.getBean(LockSimulator.class).lose(LOCK);
			assertThat(context.getBean(LeaderElection.class).isLeader("scheduler")).isFalse();
			List<Object> events = listener(context).await(3);
			LeadershipGrantedEvent first = (LeadershipGrantedEvent) events.get(0);
			assertThat(events.get(1)).isEqualTo(new LeadershipRevokedEvent("scheduler", first.fencingToken()));
			assertThat(((LeadershipGrantedEvent) events.get(2)).fencingToken()).isGreaterThan(first.fencingToken());
		});
	}

	@Test
	void isNoLeaderAfterTheEndOfTheValidityWhetherOrNotAListenerReturned() {
		this.contextRunner
			.withPropertyValues("distributed-lock.lease-time=500ms",
					"distributed-lock.connection.operation-timeout=50ms")
			.run((context) -> {
				CountDownLatch blocked = new CountDownLatch(1);
				listener(context).onGranted = () -> join(blocked);
				ready(context);
				awaitLeader(context);
				context.getBean(LockSimulator.class).unavailable();
				LeaderElection election = context.getBean(LeaderElection.class);
				Awaitility.await().until(() -> !election.isLeader("scheduler"));
				assertThat(listener(context).events).hasSize(1);
				listener(context).onGranted = () -> {
				};
				blocked.countDown();
				context.getBean(LockSimulator.class).available();
				assertThat(listener(context).await(3).get(1)).isInstanceOf(LeadershipRevokedEvent.class);
			});
	}

	@Test
	void resigningEndsLeadershipAtOnceAndItCompetesAgain() {
		this.contextRunner.run((context) -> {
			ready(context);
			awaitLeader(context);
			LeaderElection election = context.getBean(LeaderElection.class);
			election.resign("scheduler");
			assertThat(election.isLeader("scheduler")).isFalse();
			assertThat(listener(context).await(3)).extracting(Object::getClass)
				.startsWith(LeadershipGrantedEvent.class, LeadershipRevokedEvent.class, LeadershipGrantedEvent.class);
		});
	}

	@Test
	void aListenerThatFailsGivesTheRoleUp() {
		this.contextRunner.run((context) -> {
			listener(context).onGranted = () -> {
				listener(context).onGranted = () -> {
				};
				throw new IllegalStateException("cannot lead now");
			};
			ready(context);
			assertThat(listener(context).await(3)).extracting(Object::getClass)
				.startsWith(LeadershipGrantedEvent.class, LeadershipRevokedEvent.class, LeadershipGrantedEvent.class);
		});
	}

	@Test
	void aListenerMayStopTheElection() {
		this.contextRunner.run((context) -> {
			listener(context).onGranted = () -> context.getBean(LeaderElection.class).stop();
			ready(context);
			assertThat(listener(context).await(2).get(1)).isInstanceOf(LeadershipRevokedEvent.class);
			Awaitility.await().until(() -> isFree(context));
		});
	}

	@Test
	void leadershipEndsBeforeAnyBeanIsStopped() {
		this.contextRunner.withBean(Worker.class).run((context) -> {
			Worker worker = context.getBean(Worker.class);
			List<Boolean> running = new CopyOnWriteArrayList<>();
			listener(context).onRevoked = () -> running.add(worker.running);
			ready(context);
			awaitLeader(context);
			context.close();
			assertThat(running).containsExactly(true);
			assertThat(worker.running).isFalse();
		});
	}

	@Test
	void aContextThatIsPausedLeadsAgainWhenItIsRestarted() {
		this.contextRunner.run((context) -> {
			ready(context);
			awaitLeader(context);
			context.stop();
			assertThat(context.getBean(LeaderElection.class).isLeader("scheduler")).isFalse();
			context.start();
			awaitLeader(context);
		});
	}

	private static void pause(AssertableApplicationContext context) {
		context.stop();
		assertThat(context.getBean(LeaderElection.class).isLeader("scheduler")).isFalse();
		context.start();
	}

	@Test
	void resigningKeepsTheLockUntilTheGuardedMethodHasReturned() {
		this.contextRunner.run((context) -> {
			ready(context);
			awaitLeader(context);
			Job job = context.getBean(Job.class);
			CountDownLatch atWork = new CountDownLatch(1);
			CountDownLatch goOn = new CountDownLatch(1);
			job.setWork(() -> {
				atWork.countDown();
				join(goOn);
			});
			CompletableFuture<Object> call = CompletableFuture.supplyAsync(job::run);
			join(atWork);
			context.getBean(LeaderElection.class).stop();
			assertThat(isFree(context)).isFalse();
			goOn.countDown();
			assertThat(call.join()).isNotNull();
			assertThat(isFree(context)).isTrue();
		});
	}

	@Test
	void guardedMethodsThatCannotBeGuardedStopTheStart() {
		this.contextRunner.withBean(UnknownRole.class, UnknownRole::new, (definition) -> definition.setLazyInit(true))
			.run((context) -> assertThat(context).getFailure()
				.hasMessageContaining("@LeaderOnly on " + UnknownRole.class.getName())
				.hasMessageContaining(
						"role 'nobody' is not one of distributed-lock.leader.roles, which are [scheduler]"));
		assertThatStartFailsWith(PrivateMethod.class, "the method is private, so a proxy cannot intercept it");
		assertThatStartFailsWith(FinalMethod.class, "the method is final, so a proxy cannot intercept it");
		assertThatStartFailsWith(PrimitiveResult.class, "a call that is skipped has no value of type int");
		assertThatStartFailsWith(LaterResult.class, "its result may come after the method has returned");
	}

	private void assertThatStartFailsWith(Class<?> bean, String message) {
		this.contextRunner.withBean(bean)
			.run((context) -> assertThat(
					NestedExceptionUtils.getMostSpecificCause(Objects.requireNonNull(context.getStartupFailure())))
				.hasMessageContaining("@LeaderOnly on " + bean.getName())
				.hasMessageContaining(message));
	}

	@Test
	@Tag("long")
	void leadershipIsAtRiskBeforeItIsRevokedAndMayBeSafeAgain() {
		this.contextRunner.withPropertyValues("distributed-lock.lease-time=6s").run((context) -> {
			ready(context);
			awaitLeader(context);
			LockSimulator simulator = context.getBean(LockSimulator.class);
			simulator.unavailable();
			List<Object> events = listener(context).await(2);
			assertThat(events.get(1)).isInstanceOfSatisfying(LeadershipAtRiskEvent.class, (event) -> {
				assertThat(event.role()).isEqualTo("scheduler");
				assertThat(event.atRisk()).isTrue();
				assertThat(event.remaining()).isBetween(Duration.ofMillis(1), Duration.ofSeconds(2));
			});
			assertThat(context.getBean(LeaderElection.class).isLeader("scheduler")).isTrue();
			simulator.available();
			assertThat(listener(context).await(3).get(2)).isInstanceOfSatisfying(LeadershipAtRiskEvent.class,
					(event) -> assertThat(event.atRisk()).isFalse());
			simulator.unavailable();
			assertThat(listener(context).await(5)).extracting(Object::getClass)
				.containsExactly(LeadershipGrantedEvent.class, LeadershipAtRiskEvent.class, LeadershipAtRiskEvent.class,
						LeadershipAtRiskEvent.class, LeadershipRevokedEvent.class);
			simulator.available();
		});
	}

	@Test
	void withoutRolesThereIsNoHealthAndNothingRuns() {
		new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(LockAutoConfiguration.class, LeaderElectionAutoConfiguration.class,
					LockHealthContributorAutoConfiguration.class))
			.withPropertyValues("distributed-lock.backend=in-memory")
			.run((context) -> {
				ready(context);
				assertThat(context.getBean(LeaderElection.class).roles()).isEmpty();
				assertThat(context).doesNotHaveBean(LeaderHealthIndicator.class);
			});
	}

	@ParameterizedTest
	@ValueSource(strings = { "distributedLockLeaderHealthIndicator", "distributedLockLeaderHealthContributor" })
	void healthOfTheApplicationReplacesOurs(String name) {
		HealthIndicator own = () -> Health.up().build();
		this.contextRunner.withBean(name, HealthIndicator.class, () -> own)
			.run((context) -> assertThat(context).hasNotFailed()
				.doesNotHaveBean(LeaderHealthIndicator.class)
				.getBean(name)
				.isSameAs(own));
	}

	@Test
	void withLocksDisabledEveryInstanceLeads() {
		this.contextRunner.withPropertyValues("distributed-lock.enabled=false").run((context) -> {
			ready(context);
			awaitLeader(context);
			assertThat(context.getBean(Job.class).run()).isNotNull();
			LeaderElection election = context.getBean(LeaderElection.class);
			assertThat(election.currentLeader("scheduler")).contains(context.getBean(LockInspector.class).instanceId());
		});
	}

	@Test
	void backsOffWithoutTheLibraries() {
		new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(LockAutoConfiguration.class, LeaderElectionAutoConfiguration.class,
					LockHealthContributorAutoConfiguration.class, LockMetricsAutoConfiguration.class))
			.withPropertyValues("distributed-lock.backend=in-memory", "distributed-lock.leader.roles=scheduler")
			.withClassLoader(new FilteredClassLoader(MeterRegistry.class, HealthIndicator.class))
			.run((context) -> assertThat(context).hasNotFailed()
				.hasSingleBean(LeaderElection.class)
				.doesNotHaveBean("distributedLockGauges")
				.doesNotHaveBean("distributedLockLeaderHealthIndicator"));
	}

	private static void ready(AssertableApplicationContext context) {
		context.publishEvent(new ApplicationReadyEvent(new SpringApplication(), new String[0],
				context.getSourceApplicationContext(), Duration.ZERO));
	}

	private static void awaitLeader(AssertableApplicationContext context) {
		Awaitility.await().until(() -> context.getBean(LeaderElection.class).isLeader("scheduler"));
	}

	private static Map<String, Object> details(HealthIndicator indicator) {
		return Objects.requireNonNull(indicator.health()).getDetails();
	}

	private static Listener listener(AssertableApplicationContext context) {
		return context.getBean(Listener.class);
	}

	private static boolean isFree(AssertableApplicationContext context) {
		Optional<LockHandle> lock = context.getBean(LockTemplate.class).tryAcquire(LockRequest.of(LOCK));
		lock.ifPresent(LockHandle::close);
		return lock.isPresent();
	}

	private static void join(CountDownLatch latch) {
		try {
			assertThat(latch.await(20, TimeUnit.SECONDS)).isTrue();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	static class Listener {

		private final List<Object> events = new CopyOnWriteArrayList<>();

		private volatile Runnable onGranted = () -> {
		};

		private volatile Runnable onRevoked = () -> {
		};

		@EventListener
		void onAtRisk(LeadershipAtRiskEvent event) {
			this.events.add(event);
		}

		@EventListener
		void onGranted(LeadershipGrantedEvent event) {
			this.events.add(event);
			this.onGranted.run();
		}

		@EventListener
		void onRevoked(LeadershipRevokedEvent event) {
			this.events.add(event);
			this.onRevoked.run();
		}

		private List<Object> await(int count) {
			Awaitility.await().until(() -> this.events.size() >= count);
			return this.events;
		}

	}

	static class Job {

		private volatile Runnable work = () -> {
		};

		public void setWork(Runnable work) {
			this.work = work;
		}

		@LeaderOnly("${test.role:scheduler}")
		public Object run() {
			long token = LockContext.fencingToken();
			this.work.run();
			return token;
		}

		@LeaderOnly("scheduler")
		public Optional<Object> find() {
			return Optional.of(LockContext.fencingToken());
		}

	}

	interface Source<T> {

		T find();

	}

	static class Finder implements Source<Optional<String>> {

		@LeaderOnly("scheduler")
		@Override
		public Optional<String> find() {
			return Optional.of("found");
		}

	}

	static class Worker implements SmartLifecycle {

		private volatile boolean running;

		@Override
		public void start() {
			this.running = true;
		}

		@Override
		public void stop() {
			this.running = false;
		}

		@Override
		public boolean isRunning() {
			return this.running;
		}

	}

	static class UnknownRole {

		@LeaderOnly("nobody")
		void run() {
		}

	}

	static class PrivateMethod {

		@LeaderOnly("scheduler")
		private void run() {
		}

	}

	static class FinalMethod {

		@LeaderOnly("scheduler")
		final void run() {
		}

	}

	static class PrimitiveResult {

		@LeaderOnly("scheduler")
		int run() {
			return 0;
		}

	}

	static class LaterResult {

		@LeaderOnly("scheduler")
		CompletableFuture<String> run() {
			return CompletableFuture.completedFuture("");
		}

	}

}
