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

package io.quorlock.autoconfigure;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mockito.BDDMockito;
import org.mockito.Mockito;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.SmartLifecycle;
import org.springframework.core.task.AsyncTaskExecutor;
import org.springframework.scheduling.concurrent.ThreadPoolTaskExecutor;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;

import io.quorlock.LockHandle;
import io.quorlock.LockRequest;
import io.quorlock.LockTemplate;
import io.quorlock.embedded.EmbeddedRedis;
import io.quorlock.embedded.EmbeddedRedisNode;
import io.quorlock.quorum.node.InMemoryLockNode;
import io.quorlock.quorum.node.LockNode;
import io.quorlock.time.SystemClock;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for what a context leaves behind, and for the order in which it stops.
 */
class LockLifecycleTests {

	private static final int STARTS = 15;

	private static final EmbeddedRedis redis = EmbeddedRedis.start(3);

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(LockAutoConfiguration.class))
		.withPropertyValues("distributed-lock.restart-quarantine=0s",
				"distributed-lock.nodes=" + String.join(",", redis.uris()));

	private final ApplicationContextRunner inMemoryRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(LockAutoConfiguration.class))
		.withPropertyValues("distributed-lock.backend=in-memory");

	@AfterAll
	static void stopRedis() {
		redis.close();
	}

	@Test
	@Tag("long")
	void contextsLeaveNoThreadNoConnectionAndNoSubscriptionBehind() {
		useLocks(this.contextRunner);
		assertNothingIsLeft(this.contextRunner);
	}

	@Test
	@Tag("long")
	void contextsOnTheApplicationsRedisLeaveNothingBehind() {
		for (String driver : List.of("lettuce", "jedis")) {
			ApplicationContextRunner runner = new ApplicationContextRunner()
				.withConfiguration(AutoConfigurations.of(DataRedisAutoConfiguration.class, LockAutoConfiguration.class))
				.withPropertyValues("distributed-lock.backend=redis", "spring.data.redis.client-type=" + driver,
						"spring.data.redis.url=" + redis.uris().get(0));
			useLocks(runner);
			assertNothingIsLeft(runner);
		}
	}

	@Test
	void engineThatCannotBeCreatedLeavesNoThreadBehind() {
		assertNoThreadIsLeftBy(new LockBackend("broken", (clock, timer, observers) -> {
			throw new IllegalStateException("broken");
		}));
	}

	@Test
	void engineThatCannotStartStopsTheNodesThatItStarted() {
		LockNode started = Mockito.spy(new InMemoryLockNode("a", new SystemClock()));
		LockNode broken = Mockito.spy(new InMemoryLockNode("b", new SystemClock()));
		BDDMockito.willThrow(new IllegalStateException("broken")).given(broken).start(Mockito.any());
		assertNoThreadIsLeftBy(new LockBackend("broken", List.of(started, broken)));
		BDDMockito.then(started).should().start(Mockito.any());
		BDDMockito.then(started).should().stop();
	}

	private static void assertNoThreadIsLeftBy(LockBackend backend) {
		Set<Thread> before = Thread.getAllStackTraces().keySet();
		new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(LockAutoConfiguration.class))
			.withBean(LockBackend.class, () -> backend)
			.run((context) -> assertThat(context).getFailure().rootCause().hasMessage("broken"));
		Awaitility.await()
			.untilAsserted(() -> assertThat(Thread.getAllStackTraces().keySet())
				.filteredOn((thread) -> !before.contains(thread) && !isOfTheTestOrTheJvm(thread))
				.isEmpty());
	}

	private static void assertNothingIsLeft(ApplicationContextRunner runner) {
		Awaitility.await().until(() -> connections() == redis.nodes().size());
		Set<Thread> before = Thread.getAllStackTraces().keySet();
		for (int i = 0; i < STARTS; i++) {
			useLocks(runner);
		}
		Awaitility.await().atMost(Duration.ofSeconds(20)).untilAsserted(() -> {
			assertThat(Thread.getAllStackTraces().keySet())
				.filteredOn((thread) -> !before.contains(thread) && !isOfTheTestOrTheJvm(thread))
				.isEmpty();
			// Only the one that asks is connected.
			assertThat(connections()).isEqualTo(redis.nodes().size());
			assertThat(redis.nodes()).allSatisfy((node) -> assertThat(subscribers(node)).isZero());
		});
	}

	private static boolean isOfTheTestOrTheJvm(Thread thread) {
		ThreadGroup group = thread.getThreadGroup();
		return thread == Thread.currentThread() || group == null || group.getName().equals("system")
				|| thread.getName().startsWith("ForkJoinPool.common");
	}

	/**
	 * Waits for another process, since threads of one JVM wait without a subscription.
	 */
	private static void useLocks(ApplicationContextRunner runner) {
		runner.run((context) -> {
			LockTemplate template = context.getBean(LockTemplate.class);
			redis.nodes().forEach((node) -> node.execute("SET", "lock:{order}", "another", "PX", "20000"));
			CompletableFuture<LockHandle> waiting = template
				.acquireAsync(LockRequest.of("order").waitTime(Duration.ofSeconds(20)))
				.toCompletableFuture();
			Awaitility.await()
				.pollInterval(Duration.ofMillis(5))
				.until(() -> redis.nodes().stream().anyMatch((node) -> subscribers(node) == 1));
			redis.nodes().forEach((node) -> node.execute("DEL", "lock:{order}"));
			waiting.get(20, TimeUnit.SECONDS).close();
		});
	}

	private static long subscribers(EmbeddedRedisNode node) {
		Object reply = node.execute("PUBSUB", "CHANNELS", "lock:instance:*");
		return (reply instanceof List<?> channels)
				? channels.stream().filter(LockLifecycleTests::isOfAnInstance).count() : -1;
	}

	/** Spring Data keeps its connection by another channel beside it. */
	private static boolean isOfAnInstance(Object channel) {
		return !String.valueOf(channel).endsWith(":none");
	}

	private static long connections() {
		return redis.nodes()
			.stream()
			.map((node) -> String.valueOf(node.execute("CLIENT", "LIST")))
			.flatMap(String::lines)
			.filter((line) -> !line.isBlank())
			.count();
	}

	@Test
	void beansThatUseLocksStopFirstAndHeldLocksAreReleased() {
		this.contextRunner.withBean(LastUser.class).run((context) -> {
			LockTemplate template = context.getBean(LockTemplate.class);
			LockHandle forgotten = template.acquire(LockRequest.of("forgotten").waitTime(Duration.ofSeconds(20)));
			LastUser user = context.getBean(LastUser.class);
			context.close();
			assertThat(user.lockedWhileStopping).isTrue();
			assertThat(forgotten.isHeld()).isFalse();
			assertThat(redis.nodes()).map((node) -> String.valueOf(node.execute("EXISTS", "lock:{forgotten}")))
				.containsOnly("0");
		});
	}

	@ParameterizedTest
	@ValueSource(classes = { ThreadPoolTaskExecutor.class, ThreadPoolTaskScheduler.class })
	void tasksOfExecutorsEndUnderTheirLocks(Class<? extends AsyncTaskExecutor> type) {
		CompletableFuture<Boolean> held = new CompletableFuture<>();
		this.inMemoryRunner.withBean(type).run((context) -> runUntilClosed(context, type, held));
		assertThat(held).isCompletedWithValue(true);
	}

	/** It is told to wait for its tasks when beans are destroyed. */
	@Test
	void tasksThatAreOnlyWaitedForLaterLoseTheirLocks() {
		CompletableFuture<Boolean> held = new CompletableFuture<>();
		this.inMemoryRunner.withBean(ThreadPoolTaskExecutor.class, () -> {
			ThreadPoolTaskExecutor executor = new ThreadPoolTaskExecutor();
			executor.setWaitForTasksToCompleteOnShutdown(true);
			executor.setAwaitTerminationSeconds(30);
			return executor;
		}).run((context) -> runUntilClosed(context, ThreadPoolTaskExecutor.class, held));
		assertThat(held).isCompletedWithValue(false);
	}

	/** Runs a task that ends some time after the context began to close. */
	private static void runUntilClosed(AssertableApplicationContext context, Class<? extends AsyncTaskExecutor> type,
			CompletableFuture<Boolean> held) throws Exception {
		LockTemplate template = context.getBean(LockTemplate.class);
		CountDownLatch began = new CountDownLatch(1);
		context.getBean(type).execute(() -> {
			try (LockHandle lock = template.acquire(LockRequest.of("order"))) {
				began.countDown();
				Awaitility.await().until(() -> context.getSourceApplicationContext().isClosed());
				Awaitility.await().pollDelay(Duration.ofMillis(1_000)).until(() -> true);
				held.complete(lock.isHeld());
			}
		});
		began.await();
	}

	@Test
	void childContextUsesTheLocksOfItsParentAndLeavesThemAlone() {
		this.inMemoryRunner.run((parent) -> {
			LockTemplate template = parent.getBean(LockTemplate.class);
			LockHandle held = template.acquire(LockRequest.of("held"));
			this.inMemoryRunner.withParent(parent).run((child) -> {
				assertThat(child.getBean(LockTemplate.class)).isSameAs(template);
				assertThat(child.getBeansOfType(SmartLifecycle.class)).isEmpty();
			});
			assertThat(held.isHeld()).isTrue();
			assertThat(template.tryAcquire(LockRequest.of("order"))).isPresent();
		});
	}

	/** Stops as late as a web server does. */
	static class LastUser implements SmartLifecycle {

		private final LockTemplate template;

		private volatile boolean running;

		private volatile boolean lockedWhileStopping;

		LastUser(LockTemplate template) {
			this.template = template;
		}

		@Override
		public void start() {
			this.running = true;
		}

		@Override
		public void stop() {
			this.running = false;
			this.lockedWhileStopping = this.template.tryExecute(LockRequest.of("last").waitTime(Duration.ofSeconds(20)),
					() -> {
					});
		}

		@Override
		public boolean isRunning() {
			return this.running;
		}

		@Override
		public int getPhase() {
			return SmartLifecycle.DEFAULT_PHASE - 2048;
		}

	}

}
