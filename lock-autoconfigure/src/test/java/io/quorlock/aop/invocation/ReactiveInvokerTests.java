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

package io.quorlock.aop.invocation;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Publisher;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Hooks;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Schedulers;
import reactor.test.StepVerifier;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.scheduling.annotation.Async;

import io.quorlock.LockContext;
import io.quorlock.LockException;
import io.quorlock.LockLostException;
import io.quorlock.LockNotAcquiredException;
import io.quorlock.LockReentryException;
import io.quorlock.LockUnavailableException;
import io.quorlock.annotation.DistributedLock;
import io.quorlock.annotation.DistributedLock.OnContention;
import io.quorlock.annotation.DistributedLock.OnLost;
import io.quorlock.aop.AopConfiguration;
import io.quorlock.aop.FakeLockTemplate;
import io.quorlock.reactive.LockContextThreadLocalAccessor;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ReactiveInvoker} and {@link LockContextThreadLocalAccessor}.
 */
class ReactiveInvokerTests {

	private static final Duration TIMEOUT = Duration.ofSeconds(10);

	private AnnotationConfigApplicationContext context;

	private FakeLockTemplate locks;

	private Work work;

	private Orders orders;

	@BeforeEach
	void start() {
		this.context = new AnnotationConfigApplicationContext(AopConfiguration.class, Work.class, Orders.class,
				AsyncOrders.class, MonoOrders.class);
		this.locks = this.context.getBean(FakeLockTemplate.class);
		this.work = this.context.getBean(Work.class);
		this.orders = this.context.getBean(Orders.class);
	}

	@AfterEach
	void stop() {
		assertThat(LockContext.capture()).isNull();
		this.context.close();
	}

	@Test
	void takesTheLockAtSubscriptionOncePerSubscription() {
		this.work.mono = Mono.fromSupplier(() -> "held: " + this.locks.isHeld("mono"));
		Mono<String> result = this.orders.mono();
		assertThat(this.locks.requests()).isEmpty();
		assertThat(this.work.calls).hasValue(0);
		assertThat(result.block(TIMEOUT)).isEqualTo("held: true");
		assertThat(result.block(TIMEOUT)).isEqualTo("held: true");
		assertThat(this.locks.events()).containsExactly("lock mono", "unlock mono", "lock mono", "unlock mono");
		assertThat(this.work.calls).hasValue(2);
	}

	@Test
	void releasesBeforeAMonoCompletes() {
		this.work.mono = Mono.empty();
		StepVerifier.create(this.orders.mono()).verifyComplete();
		assertThat(this.locks.events()).containsExactly("lock mono", "unlock mono");
	}

	/** Spring runs no such method on another thread, and refuses to where it could. */
	@Test
	void reactiveMethodOfAnAsynchronousClassIsLockedAtSubscription() {
		this.work.mono = Mono.fromSupplier(() -> "held: " + this.locks.isHeld("async"));
		assertThat(this.context.getBean(AsyncOrders.class).mono().block(TIMEOUT)).isEqualTo("held: true");
	}

	@Test
	void typeOfAGenericResultIsThatOfTheBean() {
		this.work.mono = Mono.just("generic");
		StepVerifier.create(this.context.getBean(MonoOrders.class).run()).expectNext("generic").verifyComplete();
	}

	@Test
	void holdsTheLockAcrossAllElements() {
		this.work.flux = Flux.range(1, 3).map((i) -> i + " " + this.locks.isHeld("flux"));
		StepVerifier.create(this.orders.flux()).expectNext("1 true", "2 true", "3 true").verifyComplete();
		assertThat(this.locks.heldCount()).isZero();
	}

	@Test
	void releasesOnError() {
		this.work.mono = Mono.error(new IllegalStateException("full"));
		StepVerifier.create(this.orders.mono()).verifyErrorMessage("full");
		this.work.failure = new IllegalStateException("thrown");
		StepVerifier.create(this.orders.mono()).verifyErrorMessage("thrown");
		assertThat(this.locks.heldCount()).isZero();
	}

	@Test
	void releasesOnCancellation() {
		this.work.flux = Flux.just("a").concatWith(Flux.never());
		StepVerifier.create(this.orders.flux()).expectNext("a").thenCancel().verify(TIMEOUT);
		Awaitility.await().until(() -> this.locks.heldCount() == 0);
	}

	@Test
	void cancellationWhileWaitingLeavesNoLock() {
		this.locks.holdElsewhere("patient");
		Disposable subscription = this.orders.patient().subscribe();
		Awaitility.await().until(() -> this.locks.requests().size() == 1);
		subscription.dispose();
		this.locks.releaseElsewhere("patient");
		Awaitility.await().until(() -> this.locks.events().equals(List.of("lock patient", "unlock patient")));
		assertThat(this.work.calls).hasValue(0);
	}

	@Test
	void cancellationAtAnyMomentLeavesNoLock() {
		this.work.mono = Mono.just("x");
		for (int i = 0; i < 300; i++) {
			Disposable subscription = this.orders.mono().subscribe();
			for (int spin = 0; spin < i * 50; spin++) {
				Thread.onSpinWait();
			}
			subscription.dispose();
		}
		Awaitility.await()
			.untilAsserted(() -> assertThat(this.locks.events().stream().filter("lock mono"::equals).count())
				.isEqualTo(this.locks.events().stream().filter("unlock mono"::equals).count()));
		Awaitility.await().until(() -> this.locks.heldCount() == 0);
	}

	/** No cancellation stops the code that a thread is in. */
	@Test
	void cancellationWhileTheMethodRunsReleasesBehindIt() {
		CompletableFuture<Boolean> running = new CompletableFuture<>();
		CompletableFuture<Boolean> end = new CompletableFuture<>();
		this.work.inMethod = () -> {
			running.complete(true);
			end.join();
		};
		Disposable subscription = this.orders.mono().subscribe();
		assertThat(running).succeedsWithin(TIMEOUT);
		subscription.dispose();
		Awaitility.await().during(Duration.ofMillis(200)).until(() -> this.locks.isHeld("mono"));
		end.complete(true);
		Awaitility.await().until(() -> this.locks.heldCount() == 0);
	}

	@Test
	void lossFailsAndCancelsThePipeline() {
		Sinks.Many<String> sink = Sinks.many().unicast().onBackpressureBuffer();
		AtomicInteger cancelled = new AtomicInteger();
		this.work.flux = sink.asFlux().doOnCancel(cancelled::incrementAndGet);
		StepVerifier.create(this.orders.flux())
			.then(() -> sink.tryEmitNext("a"))
			.expectNext("a")
			.then(() -> this.locks.lose("flux"))
			.expectError(LockLostException.class)
			.verify(TIMEOUT);
		Awaitility.await().untilAsserted(() -> assertThat(cancelled).hasValue(1));
	}

	@Test
	void lossIsReportedAlsoWhenThePipelineCompletesFirst() {
		this.work.mono = Mono.fromSupplier(() -> {
			this.locks.lose("mono");
			return "done";
		});
		StepVerifier.create(this.orders.mono()).expectError(LockLostException.class).verify(TIMEOUT);
	}

	@Test
	void ignoredLossLeavesTheResult() {
		this.work.mono = Mono.fromSupplier(() -> {
			this.locks.lose("ignore");
			return "done";
		});
		StepVerifier.create(this.orders.ignoring()).expectNext("done").verifyComplete();
	}

	@Test
	void contentionAndOutageFailThePipeline() {
		this.locks.holdElsewhere("mono");
		StepVerifier.create(this.orders.mono()).verifyError(LockNotAcquiredException.class);
		this.locks.unavailable(true);
		StepVerifier.create(this.orders.skippingFlux()).verifyError(LockUnavailableException.class);
	}

	@Test
	void skipReturnsAnEmptyPipeline() {
		this.locks.holdElsewhere("skip");
		StepVerifier.create(this.orders.skippingMono()).verifyComplete();
		StepVerifier.create(this.orders.skippingFlux()).verifyComplete();
		assertThat(this.work.calls).hasValue(0);
	}

	@Test
	void fallbackRunsInsteadButNotForErrorsOfTheMethod() {
		this.work.mono = Mono.error(new LockNotAcquiredException("inner", "x", null, Duration.ZERO, 1));
		StepVerifier.create(this.orders.falling()).verifyErrorMessage("inner");
		this.locks.holdElsewhere("fallback");
		StepVerifier.create(this.orders.falling()).expectNext("busy").verifyComplete();
	}

	@Test
	void fallbackDoesNotHideThatThePipelineHoldsTheLock() {
		this.work.mono = Mono.defer(this.orders::fallingOnce);
		StepVerifier.create(this.orders.falling()).verifyError(LockReentryException.class);
	}

	@Test
	void reentersThroughTheReactorContext() {
		this.work.mono = Mono.defer(() -> {
			this.work.mono = Mono.just("inner");
			return this.orders.mono();
		}).publishOn(Schedulers.parallel());
		StepVerifier.create(this.orders.mono()).expectNext("inner").verifyComplete();
		assertThat(this.locks.events()).containsExactly("lock mono", "unlock mono");
	}

	@Test
	void neverReentersThroughTheThreadOfAnotherCall() {
		this.work.mono = Mono.just("x");
		this.locks.execute("mono", () -> {
			StepVerifier.create(this.orders.mono()).verifyError(LockNotAcquiredException.class);
			return true;
		});
	}

	@Test
	void methodSeesItsLock() {
		this.work.inMethod = () -> assertThat(LockContext.current().orElseThrow().name()).isEqualTo("mono");
		this.work.mono = Mono.deferContextual((view) -> {
			LockContext lock = view.get(LockContextThreadLocalAccessor.KEY);
			return Mono.just(lock.handle().name());
		});
		StepVerifier.create(this.orders.mono()).expectNext("mono").verifyComplete();
	}

	@Test
	void threadThatCalledTheMethodKeepsNoLock() {
		this.work.flux = Flux.just("a");
		StepVerifier.create(this.orders.flux().map((value) -> Optional.ofNullable(LockContext.capture())))
			.expectNext(Optional.empty())
			.verifyComplete();
	}

	@Test
	void lockContextFollowsThroughContextPropagation() {
		Hooks.enableAutomaticContextPropagation();
		try {
			this.work.mono = Mono.just("x")
				.publishOn(Schedulers.parallel())
				.map((x) -> LockContext.current().orElseThrow().name());
			StepVerifier.create(this.orders.mono()).expectNext("mono").verifyComplete();
			StepVerifier
				.create(Mono.just("y").publishOn(Schedulers.parallel()).map((x) -> LockContext.current().isEmpty()))
				.expectNext(true)
				.verifyComplete();
		}
		finally {
			Hooks.disableAutomaticContextPropagation();
		}
	}

	@Test
	void adaptsOtherReactiveTypes() {
		this.work.flux = Flux.just("a", "b");
		StepVerifier.create(this.orders.publisher()).expectNext("a", "b").verifyComplete();
		assertThat(this.locks.events()).containsExactly("lock publisher", "unlock publisher");
	}

	static class Work {

		final AtomicInteger calls = new AtomicInteger();

		volatile Mono<String> mono = Mono.never();

		volatile Flux<String> flux = Flux.never();

		volatile Runnable inMethod = () -> {
		};

		volatile @Nullable RuntimeException failure;

		Mono<String> mono() {
			called();
			return this.mono;
		}

		Flux<String> flux() {
			called();
			return this.flux;
		}

		private void called() {
			this.calls.incrementAndGet();
			this.inMethod.run();
			RuntimeException failure = this.failure;
			if (failure != null) {
				throw failure;
			}
		}

	}

	abstract static class GenericOrders<R> {

		@DistributedLock("generic")
		public R run() {
			return result();
		}

		abstract R result();

	}

	static class MonoOrders extends GenericOrders<Mono<String>> {

		private final Work work;

		MonoOrders(Work work) {
			this.work = work;
		}

		@Override
		Mono<String> result() {
			return this.work.mono();
		}

	}

	@Async
	static class AsyncOrders {

		private final Work work;

		AsyncOrders(Work work) {
			this.work = work;
		}

		@DistributedLock("async")
		public Mono<String> mono() {
			return this.work.mono();
		}

	}

	static class Orders {

		private final Work work;

		Orders(Work work) {
			this.work = work;
		}

		@DistributedLock("mono")
		public Mono<String> mono() {
			return this.work.mono();
		}

		@DistributedLock(name = "patient", waitTime = "30s")
		public Mono<String> patient() {
			return this.work.mono();
		}

		@DistributedLock("flux")
		public Flux<String> flux() {
			return this.work.flux();
		}

		@DistributedLock("publisher")
		public Publisher<String> publisher() {
			return this.work.flux();
		}

		@DistributedLock(name = "ignore", onLost = OnLost.IGNORE)
		public Mono<String> ignoring() {
			return this.work.mono();
		}

		@DistributedLock(name = "skip", onContention = OnContention.SKIP)
		public Mono<String> skippingMono() {
			return this.work.mono();
		}

		@DistributedLock(name = "skip", onContention = OnContention.SKIP)
		public Flux<String> skippingFlux() {
			return this.work.flux();
		}

		@DistributedLock(name = "fallback", fallback = "busy")
		public Mono<String> falling() {
			return this.work.mono();
		}

		@DistributedLock(name = "fallback", reentrant = false, fallback = "explained")
		public Mono<String> fallingOnce() {
			return this.work.mono();
		}

		Mono<String> explained(LockException failure) {
			return Mono.justOrEmpty(failure.getMessage());
		}

		Mono<String> busy() {
			return Mono.just("busy");
		}

	}

}
