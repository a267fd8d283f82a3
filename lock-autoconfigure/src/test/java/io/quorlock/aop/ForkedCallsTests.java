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
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;

import io.micrometer.context.ContextExecutorService;
import io.micrometer.context.ContextSnapshot;
import io.micrometer.context.ContextSnapshotFactory;
import kotlin.Unit;
import kotlinx.coroutines.BuildersKt;
import kotlinx.coroutines.CoroutineStart;
import kotlinx.coroutines.Dispatchers;
import kotlinx.coroutines.GlobalScope;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Hooks;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;
import reactor.util.retry.Retry;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.task.TaskExecutionAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.event.EventListener;
import org.springframework.core.PropagationContextElement;
import org.springframework.core.task.SimpleAsyncTaskExecutor;
import org.springframework.core.task.support.ContextPropagatingTaskDecorator;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;

import io.quorlock.LockContext;
import io.quorlock.LockHandle;
import io.quorlock.LockRequest;
import io.quorlock.LockTemplate;
import io.quorlock.annotation.DistributedLock;
import io.quorlock.engine.LockEngine;
import io.quorlock.engine.LockInspector;
import io.quorlock.reactive.ReactiveLockContext;
import io.quorlock.transaction.TransactionConfiguration;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for what counts as one call: work that is given the context of a call, and runs
 * beside it on another thread, does not re-enter its lock, however the context travels. A
 * reactive pipeline is one call on whatever threads its operators run.
 */
@Timeout(60)
class ForkedCallsTests {

	private static final ContextSnapshotFactory SNAPSHOTS = ContextSnapshotFactory.builder().build();

	private static final ExecutorService POOL = Executors.newCachedThreadPool((task) -> {
		Thread thread = new Thread(task, "fork");
		thread.setDaemon(true);
		return thread;
	});

	private AnnotationConfigApplicationContext context;

	private LockTemplate template;

	private LockInspector inspector;

	private Ledger ledger;

	@BeforeEach
	void start() {
		Hooks.enableAutomaticContextPropagation();
		this.context = new AnnotationConfigApplicationContext(AopConfiguration.class, TransactionConfiguration.class,
				LockedMethodsOnEngineTests.EngineConfiguration.class, Ledger.class);
		this.template = this.context.getBean(LockTemplate.class);
		this.inspector = new LockInspector(this.context.getBean(LockEngine.class));
		this.ledger = this.context.getBean(Ledger.class);
	}

	@AfterEach
	void stop() {
		Hooks.disableAutomaticContextPropagation();
		assertThat(LockContext.ofThread()).isNull();
		this.context.close();
	}

	static Stream<Arguments> ways() {
		Map<String, Consumer<Runnable>> ways = Map.of( //
				"a snapshot", (task) -> POOL.execute(snapshot().wrap(task)), //
				"a future on a wrapped executor",
				(task) -> CompletableFuture.runAsync(task, ContextExecutorService.wrap(POOL, SNAPSHOTS::captureAll)),
				"a task executor that propagates", ForkedCallsTests::onTaskExecutor, //
				"a pipeline that is subscribed to",
				(task) -> Mono.fromRunnable(task).subscribeOn(Schedulers.boundedElastic()).subscribe(),
				"a pipeline that becomes a future",
				(task) -> Mono.delay(Duration.ofMillis(1), Schedulers.boundedElastic())
					.doOnNext((tick) -> task.run())
					.toFuture(),
				"a pipeline that captures",
				(task) -> Mono.fromRunnable(task).subscribeOn(Schedulers.boundedElastic()).contextCapture().subscribe(),
				"a task of a scheduler", (task) -> Schedulers.boundedElastic().schedule(task), //
				"a coroutine",
				(task) -> BuildersKt.launch(GlobalScope.INSTANCE,
						Dispatchers.getIO().plus(new PropagationContextElement()), CoroutineStart.DEFAULT,
						(scope, continuation) -> {
							task.run();
							return Unit.INSTANCE;
						}),
				"by hand", ForkedCallsTests::byHand);
		return ways.entrySet().stream().map((way) -> Arguments.argumentSet(way.getKey(), way.getValue()));
	}

	private static ContextSnapshot snapshot() {
		return SNAPSHOTS.captureAll();
	}

	/** As {@code spring.task.execution.propagate-context} has it. */
	private static void onTaskExecutor(Runnable task) {
		SimpleAsyncTaskExecutor executor = new SimpleAsyncTaskExecutor();
		executor.setTaskDecorator(new ContextPropagatingTaskDecorator());
		executor.execute(task);
	}

	private static void byHand(Runnable task) {
		LockContext locks = LockContext.capture();
		POOL.execute(() -> {
			LockContext previous = LockContext.restore(locks);
			task.run();
			LockContext.restore(previous);
		});
	}

	@ParameterizedTest
	@MethodSource("ways")
	void forkOfABlockingMethodWaitsForItsEnd(Consumer<Runnable> way) {
		isForkOf((body) -> this.ledger.blocking(body), way);
	}

	@ParameterizedTest
	@MethodSource("ways")
	void forkOfACallbackWaitsForItsEnd(Consumer<Runnable> way) {
		isForkOf((body) -> this.template.executeWithoutResult("ledger", body::run), way);
	}

	@ParameterizedTest
	@MethodSource("ways")
	void forkOfAViewWaitsForItsEnd(Consumer<Runnable> way) {
		isForkOf((body) -> {
			this.template.asLock("ledger").lock();
			try {
				body.run();
			}
			finally {
				this.template.asLock("ledger").unlock();
			}
		}, way);
	}

	@ParameterizedTest
	@MethodSource("ways")
	void forkOfTheBodyOfAStageWaitsForItsEnd(Consumer<Runnable> way) {
		isForkOf((body) -> this.ledger.stage(body).join(), way);
	}

	@ParameterizedTest
	@MethodSource("ways")
	void forkOfTheBodyOfAPipelineWaitsForItsEnd(Consumer<Runnable> way) {
		isForkOf((body) -> this.ledger.pipeline(body, Mono.just(1)).block(), way);
	}

	@ParameterizedTest
	@MethodSource("ways")
	void forkOfAnOperatorWaitsForTheEndOfItsPipeline(Consumer<Runnable> way) {
		isForkOf((body) -> this.ledger
			.pipeline(Ledger.NOTHING, Mono.just(1).publishOn(Schedulers.boundedElastic()).doOnNext((any) -> body.run()))
			.block(), way);
	}

	/** Both of a method that may be re-entered and of one that may not. */
	private void isForkOf(Consumer<Runnable> origin, Consumer<Runnable> way) {
		for (Supplier<Long> method : List.<Supplier<Long>>of(this.ledger::post, this.ledger::postOnce)) {
			CompletableFuture<Long> seen = new CompletableFuture<>();
			CompletableFuture<Long> fork = new CompletableFuture<>();
			AtomicLong token = new AtomicLong();
			origin.accept(() -> {
				token.set(LockContext.fencingToken());
				way.accept(() -> {
					seen.complete(LockContext.current().map(LockHandle::fencingToken).orElse(0L));
					fork.complete(method.get());
				});
				Awaitility.await().until(() -> this.inspector.waiting().size() == 1);
				assertThat(fork).isNotDone();
				assertThat(token()).as("token of the origin, which re-enters").isEqualTo(token.get());
			});
			assertThat(fork).succeedsWithin(Duration.ofSeconds(20))
				.asInstanceOf(InstanceOfAssertFactories.LONG)
				.isGreaterThan(token.get());
			assertThat(seen).as("token that the fork sees").isCompletedWithValue(token.get());
			Awaitility.await().untilAsserted(() -> assertThat(this.inspector.held()).isEmpty());
		}
	}

	private long token() {
		return this.template.<Long, RuntimeException>execute("ledger", LockContext::fencingToken);
	}

	@Test
	@EnabledForJreRange(min = JRE.JAVA_21, disabledReason = "virtual threads need JDK 21")
	void forkOnAVirtualThreadWaitsForTheEndOfItsOrigin() throws Exception {
		ExecutorService virtual = (ExecutorService) Executors.class.getMethod("newVirtualThreadPerTaskExecutor")
			.invoke(null);
		Executor wrapped = ContextExecutorService.wrap(virtual, SNAPSHOTS::captureAll);
		isForkOf((body) -> this.ledger.blocking(body), wrapped::execute);
		isForkOf((body) -> CompletableFuture.runAsync(() -> this.ledger.blocking(body), virtual).join(),
				wrapped::execute);
		virtual.shutdown();
	}

	@Test
	void threadOfAPipelineThatRunsAForkLaterDoesNotReenter() throws Exception {
		ExecutorService one = Executors.newSingleThreadExecutor();
		Scheduler scheduler = Schedulers.fromExecutorService(one);
		CompletableFuture<Void> end = new CompletableFuture<>();
		CompletableFuture<Long> fork = new CompletableFuture<>();
		CompletableFuture<Integer> pipeline = this.ledger
			.pipeline(Ledger.NOTHING, Mono.just(1).publishOn(scheduler).doOnNext((any) -> {
				Executor wrapped = ContextExecutorService.wrap(one, SNAPSHOTS::captureAll);
				wrapped.execute(() -> {
					snapshot().wrap(Ledger.NOTHING).run();
					fork.complete(this.ledger.post());
				});
			}).delayUntil((any) -> Mono.fromFuture(end)))
			.toFuture();
		Awaitility.await().until(() -> this.inspector.waiting().size() == 1);
		assertThat(fork).isNotDone();
		end.complete(null);
		assertThat(pipeline).succeedsWithin(Duration.ofSeconds(20));
		assertThat(fork).succeedsWithin(Duration.ofSeconds(20));
		one.shutdown();
	}

	@Test
	void threadOfAPoolThatLeftALockDoesNotReenterItWithAnOldContext() {
		try (LockHandle lock = this.template.acquire(LockRequest.of("ledger"))) {
			LockContext.enter(lock, null);
			LockContext old = LockContext.capture();
			LockContext.leave(lock);
			LockContext.restore(old);
			LockRequest again = LockRequest.of("ledger");
			assertThat(this.template.tryExecute(again, Ledger.NOTHING::run)).as("re-entered").isFalse();
		}
		finally {
			LockContext.restore(null);
		}
	}

	static Stream<Arguments> moves() {
		Scheduler elastic = Schedulers.boundedElastic();
		Map<String, Function<Mono<Long>, Mono<Long>>> moves = Map.of( //
				"nowhere", (work) -> Mono.just(1).flatMap((any) -> work), //
				"publishOn", (work) -> Mono.just(1).hide().publishOn(elastic).flatMap((any) -> work), //
				"subscribeOn", (work) -> work.subscribeOn(elastic), //
				"delayElement",
				(work) -> Mono.just(1).delayElement(Duration.ofMillis(1), elastic).flatMap((any) -> work), "delay",
				(work) -> Mono.delay(Duration.ofMillis(1), elastic).flatMap((any) -> work), //
				"delayElements",
				(work) -> Flux.range(0, 3).delayElements(Duration.ofMillis(1), elastic).concatMap((any) -> work).last(),
				"twice",
				(work) -> Mono.just(1)
					.publishOn(Schedulers.parallel())
					.map((any) -> any)
					.publishOn(elastic)
					.flatMap((any) -> work),
				"retry", (work) -> {
					AtomicInteger failures = new AtomicInteger(2);
					return Mono.fromCallable(() -> {
						if (failures.getAndDecrement() > 0) {
							throw new IllegalStateException();
						}
						return 1;
					}).retryWhen(Retry.backoff(3, Duration.ofMillis(1)).scheduler(elastic)).flatMap((any) -> work);
				}, "many",
				(work) -> Flux.range(0, 2_000)
					.subscribeOn(elastic)
					.publishOn(Schedulers.newBoundedElastic(2, 10, "many"))
					.concatMap((i) -> (i % 500 == 499) ? work : Mono.empty())
					.last(),
				"several",
				(work) -> Flux.range(0, 4)
					.flatMap((any) -> work.subscribeOn(elastic))
					.reduce((left, right) -> left.equals(right) ? left : 0));
		return moves.entrySet().stream().map((move) -> Arguments.argumentSet(move.getKey(), move.getValue()));
	}

	@ParameterizedTest
	@MethodSource("moves")
	void blockingCodeReentersTheLockOfItsPipelineOnAnyThread(Function<Mono<Long>, Mono<Long>> move) {
		Mono<Long> work = Mono.fromCallable(this::token);
		AtomicLong token = new AtomicLong();
		assertThat(this.ledger.pipeline(() -> token.set(LockContext.fencingToken()), move.apply(work))
			.block(Duration.ofSeconds(20))).isEqualTo(token.get());
	}

	@ParameterizedTest
	@MethodSource("moves")
	void methodReentersTheLockOfItsPipelineOnAnyThread(Function<Mono<Long>, Mono<Long>> move) {
		for (boolean propagated : new boolean[] { true, false }) {
			if (!propagated) {
				Hooks.disableAutomaticContextPropagation();
			}
			AtomicLong token = new AtomicLong();
			Mono<Long> work = this.ledger.pipeline(Ledger.NOTHING, ReactiveLockContext.fencingToken());
			assertThat(this.ledger.pipeline(() -> token.set(LockContext.fencingToken()), move.apply(work))
				.block(Duration.ofSeconds(20))).isEqualTo(token.get());
		}
	}

	@Test
	void asynchronousListenersOfAnEventEnterOneAfterTheOther() {
		new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(TaskExecutionAutoConfiguration.class))
			.withPropertyValues("spring.task.execution.propagate-context=true")
			.withAllowBeanDefinitionOverriding(true)
			.withUserConfiguration(AopConfiguration.class, TransactionConfiguration.class,
					LockedMethodsOnEngineTests.EngineConfiguration.class, AsyncConfiguration.class)
			.run((context) -> {
				LockInspector inspector = new LockInspector(context.getBean(LockEngine.class));
				context.getBean(Publisher.class)
					.publish(() -> Awaitility.await().until(() -> inspector.waiting().size() == 2));
				Meeting meeting = context.getBean(Meeting.class);
				assertThat(meeting.ended.await(20, TimeUnit.SECONDS)).isTrue();
				assertThat(meeting.max).as("at once in the lock").hasValue(1);
			});
	}

	@EnableAsync
	@Configuration(proxyBeanMethods = false)
	@Import({ Publisher.class, Listeners.class, Meeting.class })
	static class AsyncConfiguration {

	}

	static class Publisher {

		private final ApplicationEventPublisher events;

		private final Meeting meeting;

		Publisher(ApplicationEventPublisher events, Meeting meeting) {
			this.events = events;
			this.meeting = meeting;
		}

		@DistributedLock("listeners")
		public void publish(Runnable body) {
			this.events.publishEvent("posted");
			this.meeting.attend(body);
		}

	}

	static class Listeners {

		private final Meeting meeting;

		Listeners(Meeting meeting) {
			this.meeting = meeting;
		}

		@Async
		@EventListener
		@DistributedLock(name = "listeners", waitTime = "20s")
		public void first(String event) {
			this.meeting.attend(Thread::yield);
		}

		@Async
		@EventListener
		@DistributedLock(name = "listeners", waitTime = "20s", reentrant = false)
		public void second(String event) {
			this.meeting.attend(Thread::yield);
		}

	}

	static class Meeting {

		private final CountDownLatch ended = new CountDownLatch(3);

		private final AtomicInteger now = new AtomicInteger();

		private final AtomicInteger max = new AtomicInteger();

		void attend(Runnable work) {
			this.max.accumulateAndGet(this.now.incrementAndGet(), Math::max);
			work.run();
			this.now.decrementAndGet();
			this.ended.countDown();
		}

	}

	static class Ledger {

		static final Runnable NOTHING = () -> {
		};

		@DistributedLock("ledger")
		public void blocking(Runnable body) {
			body.run();
		}

		@DistributedLock("ledger")
		public CompletableFuture<Void> stage(Runnable body) {
			body.run();
			return CompletableFuture.completedFuture(null);
		}

		@DistributedLock("ledger")
		public <T> Mono<T> pipeline(Runnable body, Mono<T> result) {
			body.run();
			return result;
		}

		@DistributedLock(name = "ledger", waitTime = "20s")
		public long post() {
			return LockContext.fencingToken();
		}

		@DistributedLock(name = "ledger", waitTime = "20s", reentrant = false)
		public long postOnce() {
			return LockContext.fencingToken();
		}

	}

}
