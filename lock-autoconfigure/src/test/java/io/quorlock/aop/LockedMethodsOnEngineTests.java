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

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.IntStream;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.transaction.support.TransactionTemplate;

import io.quorlock.LockContext;
import io.quorlock.LockHandle;
import io.quorlock.LockLostException;
import io.quorlock.LockRequest;
import io.quorlock.LockTemplate;
import io.quorlock.annotation.DistributedLock;
import io.quorlock.annotation.DistributedLock.OnLost;
import io.quorlock.engine.DefaultLockTemplate;
import io.quorlock.engine.LockEngine;
import io.quorlock.engine.LockInspector;
import io.quorlock.engine.TestEngines;
import io.quorlock.engine.TestSettings;
import io.quorlock.quorum.node.InMemoryLockNode;
import io.quorlock.reactive.LockContextThreadLocalAccessor;
import io.quorlock.time.SystemClock;
import io.quorlock.time.TimerThread;
import io.quorlock.transaction.TransactionAwareLockTemplate;
import io.quorlock.transaction.TransactionConfiguration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for annotated methods on the real engine, over five nodes in memory.
 */
class LockedMethodsOnEngineTests {

	private AnnotationConfigApplicationContext context;

	private LockTemplate template;

	private Counters counters;

	@BeforeEach
	void start() {
		this.context = new AnnotationConfigApplicationContext(AopConfiguration.class, TransactionConfiguration.class,
				EngineConfiguration.class, Counters.class);
		this.template = this.context.getBean(LockTemplate.class);
		this.counters = this.context.getBean(Counters.class);
	}

	@AfterEach
	void stop() {
		assertThat(LockContext.capture()).isNull();
		Awaitility.await()
			.untilAsserted(() -> assertThat(List.of("count", "lease", "interrupt", "tx", "other", "part:a", "part:b"))
				.allSatisfy((name) -> assertThat(this.template.tryAcquire(LockRequest.of(name))).isPresent()
					.get()
					.satisfies(LockHandle::close)));
		this.context.close();
	}

	@Test
	void countsExactlyFromBlockingAsynchronousAndReactiveMethods() throws Exception {
		int threads = 6;
		int rounds = 60;
		ExecutorService callers = Executors.newFixedThreadPool(threads);
		try {
			CompletableFuture<?>[] calls = IntStream.range(0, threads)
				.mapToObj((thread) -> CompletableFuture.runAsync(() -> count(thread, rounds), callers))
				.toArray(CompletableFuture[]::new);
			CompletableFuture.allOf(calls).get(60, TimeUnit.SECONDS);
		}
		finally {
			callers.shutdownNow();
		}
		assertThat(this.counters.count()).isEqualTo(threads * rounds);
		assertThat(this.counters.tokens()).hasSize(threads * rounds);
	}

	private void count(int thread, int rounds) {
		for (int i = 0; i < rounds; i++) {
			switch (thread % 3) {
				case 0 -> this.counters.blocking();
				case 1 -> this.counters.stage().join();
				default -> this.counters.mono().block(Duration.ofSeconds(30));
			}
		}
	}

	@Test
	void cancellationAtAnyMomentLeavesNoLock() {
		for (int i = 0; i < 300; i++) {
			Disposable subscription = this.counters.mono().subscribe();
			CompletableFuture<Integer> stage = this.counters.stage();
			for (int spin = 0; spin < i * 100; spin++) {
				Thread.onSpinWait();
			}
			subscription.dispose();
			stage.cancel(true);
		}
	}

	@Test
	void futureThatItsCallerCancelsOrCompletesWaitsNoLonger() {
		LockInspector inspector = new LockInspector(this.context.getBean(LockEngine.class));
		try (LockHandle held = this.template.acquire(LockRequest.of("count"))) {
			for (Consumer<CompletableFuture<Integer>> end : List.<Consumer<CompletableFuture<Integer>>>of(
					(future) -> future.cancel(true), (future) -> future.complete(1),
					(future) -> future.completeExceptionally(new IllegalStateException()))) {
				CompletableFuture<Integer> stage = this.counters.stage();
				Awaitility.await().until(() -> inspector.waiting().size() == 1);
				end.accept(stage);
				Awaitility.await().until(() -> inspector.waiting().isEmpty());
			}
		}
		assertThat(this.counters.count()).isZero();
	}

	@Test
	void cancellationWhileReenteringPartlyLeavesNoLock() {
		try (LockHandle held = this.template.acquire(LockRequest.of("part").key("a"))) {
			LockContext outer = LockContext.with(held, null);
			for (int i = 0; i < 100; i++) {
				Disposable subscription = this.counters.parts("a", "b")
					.contextWrite((view) -> view.put(LockContextThreadLocalAccessor.KEY, outer))
					.subscribe();
				for (int spin = 0; spin < i * 200; spin++) {
					Thread.onSpinWait();
				}
				subscription.dispose();
			}
		}
	}

	@Test
	void leaseThatRunsOutIsALoss() {
		assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> this.counters.beyondItsLease());
	}

	@Test
	void lossInterruptsTheMethod() {
		assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> this.counters.sleepsForEver())
			.withCauseInstanceOf(InterruptedException.class);
		assertThat(Thread.currentThread().isInterrupted()).isFalse();
		assertThat(this.counters.heldAtInterrupt()).isTrue();
	}

	@Test
	@Tag("long")
	void endOfAFixedLeaseOfTheCallerInterruptsTheMethod() {
		LockRequest fixed = LockRequest.of("interrupt").leaseTime(Duration.ofSeconds(3));
		assertThatExceptionOfType(LockLostException.class)
			.isThrownBy(() -> this.template.executeWithoutResult(fixed, this.counters::sleepsWhileItIsRenewed))
			.withCauseInstanceOf(InterruptedException.class);
		assertThat(this.counters.heldAtInterrupt()).isTrue();
	}

	@Test
	@Tag("long")
	void endOfTheLongestHoldInterruptsTheMethod() {
		try (AnnotationConfigApplicationContext limited = new AnnotationConfigApplicationContext(AopConfiguration.class,
				TransactionConfiguration.class, LimitedEngineConfiguration.class, Counters.class)) {
			Counters counters = limited.getBean(Counters.class);
			assertThatExceptionOfType(LockLostException.class).isThrownBy(counters::sleepsWhileItIsRenewed)
				.withCauseInstanceOf(InterruptedException.class)
				.withMessageContaining("its lease ends, and is not renewed");
			assertThat(counters.heldAtInterrupt()).isTrue();
		}
	}

	@Test
	void interruptThatTheMethodDoesNotConsumeEndsWithIt() {
		this.counters.returnsOnceItIsInterrupted();
		assertThat(Thread.interrupted()).isFalse();
	}

	@Test
	void interruptByOthersOutlastsTheInterruptOfTheLoss() {
		assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> this.counters.isInterruptedByOthers());
		assertThat(Thread.interrupted()).isTrue();
	}

	@Test
	void transactionTakesItsLocksAgainAlsoTogetherWithOthers() {
		this.context.getBean(TransactionTemplate.class).executeWithoutResult((status) -> {
			long token = this.template.execute("tx", LockContext::fencingToken);
			assertThat(this.template.<Long, RuntimeException>execute("tx", LockContext::fencingToken)).isEqualTo(token);
			this.template.executeWithoutResult(LockRequest.ofAll("tx", "other"), () -> {
				LockHandle both = LockContext.current().orElseThrow();
				assertThat(both.names()).containsExactly("other", "tx");
				assertThat(both.fencingToken("tx")).isEqualTo(token);
			});
			try (LockHandle again = this.template.acquire(LockRequest.of("other"))) {
				assertThat(again.isHeld()).isTrue();
			}
		});
	}

	@Configuration(proxyBeanMethods = false)
	static class EngineConfiguration {

		@Bean
		TestSettings settings() {
			return TestSettings.patient("app@host:1");
		}

		@Bean(destroyMethod = "close")
		TimerThread timer() {
			return new TimerThread("test-timer");
		}

		@Bean(destroyMethod = "shutdownNow")
		ExecutorService callbacks() {
			return Executors.newCachedThreadPool();
		}

		@Bean(initMethod = "start", destroyMethod = "stop")
		LockEngine engine(TestSettings settings, TimerThread timer, ExecutorService callbacks) {
			SystemClock clock = new SystemClock();
			List<InMemoryLockNode> nodes = IntStream.range(0, 5)
				.mapToObj((i) -> new InMemoryLockNode("node" + i + ":6379", clock))
				.toList();
			return TestEngines.create(settings, nodes, clock, timer, callbacks, List.of(), List.of());
		}

		@Bean
		@Primary
		LockTemplate transactionAwareLockTemplate(LockEngine engine) {
			return new TransactionAwareLockTemplate(new DefaultLockTemplate(engine), true);
		}

	}

	/** Renews a lease of three seconds for one and a half. */
	@Configuration(proxyBeanMethods = false)
	static class LimitedEngineConfiguration extends EngineConfiguration {

		@Bean
		@Override
		TestSettings settings() {
			TestSettings it = super.settings();
			return new TestSettings(it.instanceId(), it.waitTime(), Duration.ofSeconds(3), it.maxLeaseTime(),
					Duration.ofMillis(1_500), it.operationTimeout(), it.retryMinDelay(), it.retryMaxDelay(),
					it.maxAttempts(), it.clockDriftFactor(), it.fencing(), it.fencingRetention(), it.handoverMax(),
					it.handoverMaxDuration());
		}

	}

	static class Counters {

		private final AtomicInteger count = new AtomicInteger();

		private final AtomicBoolean heldAtInterrupt = new AtomicBoolean();

		private final Set<Long> tokens = ConcurrentHashMap.newKeySet();

		@DistributedLock(name = "count", waitTime = "30s")
		public int blocking() {
			return increment();
		}

		@DistributedLock(name = "count", waitTime = "30s")
		public CompletableFuture<Integer> stage() {
			int read = read();
			return CompletableFuture.supplyAsync(() -> write(read));
		}

		@DistributedLock(name = "count", waitTime = "30s")
		public Mono<Integer> mono() {
			int read = read();
			return Mono.just(read).publishOn(Schedulers.parallel()).map(this::write);
		}

		@DistributedLock(name = "part", key = "#keys", waitTime = "30s")
		public Flux<Integer> parts(String... keys) {
			return Flux.just(1);
		}

		@DistributedLock(name = "lease", leaseTime = "100ms")
		public void beyondItsLease() {
			LockHandle lock = LockContext.current().orElseThrow();
			Awaitility.await().until(() -> !lock.isHeld());
		}

		@DistributedLock(name = "interrupt", onLost = OnLost.INTERRUPT)
		public void sleepsWhileItIsRenewed() throws InterruptedException {
			sleep();
		}

		@DistributedLock(name = "interrupt", leaseTime = "3s", onLost = OnLost.INTERRUPT)
		public void sleepsForEver() throws InterruptedException {
			sleep();
		}

		private void sleep() throws InterruptedException {
			LockHandle lock = LockContext.current().orElseThrow();
			try {
				Thread.sleep(Duration.ofSeconds(30).toMillis());
			}
			finally {
				this.heldAtInterrupt.set(lock.isHeld());
			}
		}

		@DistributedLock(name = "interrupt", leaseTime = "1s", onLost = OnLost.INTERRUPT)
		public void isInterruptedByOthers() {
			Thread.currentThread().interrupt();
			LockHandle lock = LockContext.current().orElseThrow();
			while (lock.isHeld()) {
				Thread.onSpinWait();
			}
			lock.ensureHeld();
		}

		@DistributedLock(name = "interrupt", leaseTime = "2s", onLost = OnLost.INTERRUPT)
		public void returnsOnceItIsInterrupted() {
			while (!Thread.currentThread().isInterrupted()) {
				Thread.onSpinWait();
			}
		}

		public boolean heldAtInterrupt() {
			return this.heldAtInterrupt.get();
		}

		public int count() {
			return this.count.get();
		}

		public Set<Long> tokens() {
			return this.tokens;
		}

		private int increment() {
			return write(read());
		}

		private int read() {
			this.tokens.add(LockContext.fencingToken());
			int read = this.count.get();
			Thread.yield();
			return read;
		}

		private int write(int read) {
			this.count.set(read + 1);
			return read + 1;
		}

	}

}
