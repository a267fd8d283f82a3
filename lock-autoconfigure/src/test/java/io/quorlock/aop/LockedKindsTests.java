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

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.AliasFor;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.transaction.support.TransactionTemplate;

import io.quorlock.LockContext;
import io.quorlock.LockException;
import io.quorlock.LockHandle;
import io.quorlock.LockLostException;
import io.quorlock.LockMode;
import io.quorlock.LockNotAcquiredException;
import io.quorlock.LockReentryException;
import io.quorlock.LockRequest;
import io.quorlock.LockTemplate;
import io.quorlock.annotation.DistributedLock;
import io.quorlock.annotation.DistributedLock.OnContention;
import io.quorlock.annotation.DistributedLock.OnLost;
import io.quorlock.engine.LockEngine;
import io.quorlock.engine.LockInspector;
import io.quorlock.engine.inspect.LockWait;
import io.quorlock.reactive.ReactiveLockContext;
import io.quorlock.transaction.TransactionConfiguration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for annotated methods with each kind of lock, on the real engine over five nodes
 * in memory.
 */
class LockedKindsTests {

	private AnnotationConfigApplicationContext context;

	private LockTemplate template;

	private Work work;

	@BeforeEach
	void start() {
		this.context = new AnnotationConfigApplicationContext(AopConfiguration.class, TransactionConfiguration.class,
				LockedMethodsOnEngineTests.EngineConfiguration.class, AsyncMethods.class, Work.class, Catalogue.class,
				Pool.class);
		this.template = this.context.getBean(LockTemplate.class);
		this.work = this.context.getBean(Work.class);
	}

	@AfterEach
	void stop() {
		assertThat(LockContext.capture()).isNull();
		this.context.close();
	}

	@Test
	void readersRunTogetherAndExcludeWriters() throws Exception {
		CountDownLatch inside = new CountDownLatch(3);
		CountDownLatch end = new CountDownLatch(1);
		CompletableFuture<Void> blocking = CompletableFuture.runAsync(() -> this.work.read(inside, end));
		CompletableFuture<Void> stage = this.work.readLater(inside, end);
		CompletableFuture<Void> mono = this.work.readReactively(inside, end).toFuture();
		assertThat(inside.await(20, TimeUnit.SECONDS)).isTrue();
		assertThat(this.template.tryAcquire(LockRequest.of("catalog"))).isEmpty();
		end.countDown();
		CompletableFuture.allOf(blocking, stage, mono).get(20, TimeUnit.SECONDS);
		this.template.acquire(LockRequest.of("catalog")).close();
	}

	@Test
	void permitsAreCountedAndOthersAreSkippedOrGetTheFallback() {
		LockRequest permit = LockRequest.of("exports").permits(2);
		try (LockHandle first = this.template.acquire(permit)) {
			assertThat(this.work.export()).isEqualTo(3 - first.permit());
			try (LockHandle second = this.template.acquire(permit)) {
				assertThat(second.permit()).isEqualTo(3 - first.permit());
				assertThat(this.work.export()).isNull();
				assertThat(this.work.exportOrNot()).isZero();
				assertThatExceptionOfType(LockNotAcquiredException.class).isThrownBy(this.work::exportNow);
			}
		}
	}

	@Test
	void asyncMethodHoldsItsKindUntilItIsDone() throws Exception {
		CountDownLatch inside = new CountDownLatch(2);
		CountDownLatch end = new CountDownLatch(1);
		CompletableFuture<LockMode> first = this.work.readAsync(inside, end);
		CompletableFuture<LockMode> second = this.work.readAsync(inside, end);
		CompletableFuture<Integer> permit = this.work.exportAsync(end);
		assertThat(inside.await(20, TimeUnit.SECONDS)).isTrue();
		assertThat(this.template.tryAcquire(LockRequest.of("catalog"))).isEmpty();
		end.countDown();
		assertThat(first.get(20, TimeUnit.SECONDS)).isEqualTo(LockMode.SHARED);
		assertThat(second.get(20, TimeUnit.SECONDS)).isEqualTo(LockMode.SHARED);
		assertThat(permit.get(20, TimeUnit.SECONDS)).isBetween(1, 2);
		this.template.acquire(LockRequest.of("catalog")).close();
	}

	@Test
	@Tag("long")
	void lossOfEachKindReachesTheCaller() {
		LockInspector inspector = new LockInspector(this.context.getBean(LockEngine.class));
		assertThatExceptionOfType(LockLostException.class)
			.isThrownBy(() -> this.work.reads(() -> inspector.forceRelease("catalog").join()));
		assertThatExceptionOfType(LockLostException.class)
			.isThrownBy(() -> this.work.permitted(() -> inspector.forceRelease("exports").join()));
		assertThatExceptionOfType(LockLostException.class)
			.isThrownBy(() -> this.work.fairly(() -> inspector.forceRelease("fair").join()));
		assertThatExceptionOfType(LockLostException.class)
			.isThrownBy(() -> this.work.job(() -> inspector.forceRelease("job").join()));
		this.work.readsWhateverHappens(() -> inspector.forceRelease("catalog").join());
		assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> this.work.permittedOrInterrupted(() -> {
			inspector.forceRelease("exports").join();
			Awaitility.await().until(() -> Thread.interrupted());
		}));
	}

	@Test
	void fairMethodIsServed() {
		assertThat(this.work.fair()).isPositive();
	}

	@Test
	void sharedClassAndAnnotationsOfTheApplication() {
		Catalogue catalogue = this.context.getBean(Catalogue.class);
		assertThat(catalogue.mode()).isEqualTo(LockMode.SHARED);
		assertThat(catalogue.permit()).isBetween(1, 4);
	}

	@Test
	void reentryOfALockThatIsNotReentrantFailsAtOnceAndNamesTheHolder() {
		assertThatExceptionOfType(LockReentryException.class).isThrownBy(() -> this.work.job(this.work::jobOrSkipped))
			.withMessageContaining("'job'")
			.withMessageContaining("Work.job");
		assertThatExceptionOfType(LockReentryException.class)
			.isThrownBy(() -> this.work.job(this.work::jobWithFallback));
		assertThatExceptionOfType(CompletionException.class)
			.isThrownBy(() -> this.work.job(() -> this.work.jobLater().join()))
			.withCauseInstanceOf(LockReentryException.class);
		assertThatExceptionOfType(LockReentryException.class)
			.isThrownBy(() -> this.work.jobMono(Mono.defer(this.work::jobReactively)).block(Duration.ofSeconds(20)))
			.withMessageContaining("Work.jobMono");
	}

	@Test
	void readerThatWantsToWriteIsRefusedAtOnce() {
		assertThatExceptionOfType(LockReentryException.class).isThrownBy(() -> this.work.reads(this.work::write))
			.withMessageContaining("Work.reads");
		this.work.writes(() -> this.work.reads(() -> assertThat(LockContext.current()).isPresent()));
	}

	@Test
	void transactionKeepsReadersAndPermitsUntilItsEnd() {
		LockRequest permit = LockRequest.of("one-permit").permits(1);
		this.context.getBean(TransactionTemplate.class).executeWithoutResult((status) -> {
			this.work.reads(() -> {
			});
			this.work.onePermit();
			assertThat(List.of(LockRequest.of("catalog"), permit))
				.allSatisfy((request) -> assertThat(fromAnotherThread(request)).isFalse());
		});
		this.template.acquire(LockRequest.of("catalog")).close();
		this.template.acquire(permit).close();
	}

	@Test
	void keyKeepsCallsOfEachKindApart() {
		this.work.readPage(7, () -> {
			assertThat(LockContext.current()).map(LockHandle::mode).contains(LockMode.SHARED);
			assertThat(fromAnotherThread(LockRequest.of("page").key(7).shared())).isTrue();
			assertThat(fromAnotherThread(LockRequest.of("page").key(7))).isFalse();
			assertThat(fromAnotherThread(LockRequest.of("page").key(8))).isTrue();
		});
		this.work.useSlot(7, () -> this.work.useSlot(8, () -> {
			LockRequest slot = LockRequest.of("slot").permits(1);
			assertThat(LockContext.current()).map(LockHandle::permit).contains(1);
			assertThat(fromAnotherThread(slot.key(7))).isFalse();
			assertThat(fromAnotherThread(slot.key(8))).isFalse();
			assertThat(fromAnotherThread(slot.key(9))).isTrue();
		}));
		this.work.oneUnit(7, () -> {
			this.work.oneUnit(8, () -> assertThat(fromAnotherThread(LockRequest.of("unit").key(8))).isFalse());
			assertThatExceptionOfType(LockReentryException.class).isThrownBy(() -> this.work.oneUnit(7, () -> {
			})).withMessageContaining("'unit:7'");
		});
	}

	@Test
	void permitsOfAClassAreThoseOfAllItsMethods() {
		Pool pool = this.context.getBean(Pool.class);
		LockRequest permit = LockRequest.of("pool").permits(2);
		try (LockHandle first = this.template.acquire(permit)) {
			assertThat(pool.permit()).isEqualTo(3 - first.permit());
			assertThat(pool.another()).isEqualTo(3 - first.permit());
			try (LockHandle second = this.template.acquire(permit)) {
				assertThatExceptionOfType(LockNotAcquiredException.class).isThrownBy(pool::permit);
				assertThatExceptionOfType(LockNotAcquiredException.class).isThrownBy(pool::another);
			}
		}
	}

	@Test
	void readersAreSkippedOrGetTheFallbackWhileAWriterHoldsTheLock() {
		LockRequest catalog = LockRequest.of("catalog");
		try (LockHandle writer = this.template.acquire(catalog)) {
			assertThat(this.work.readOrSkip()).isNull();
			assertThat(this.work.readOrElse()).isEqualTo("instead");
		}
		try (LockHandle reader = this.template.acquire(catalog.shared())) {
			assertThat(this.work.readOrSkip()).isEqualTo("read");
			assertThat(this.work.readOrElse()).isEqualTo("read");
		}
	}

	@Test
	void fairMethodsOfAllStylesAreServedInTheOrderOfTheirCalls() throws Exception {
		CompletableFuture<Long> mono;
		CompletableFuture<Long> async;
		CompletableFuture<Long> blocking;
		LockInspector inspector = new LockInspector(this.context.getBean(LockEngine.class));
		try (LockHandle first = this.template.acquire(LockRequest.of("fair").fair())) {
			mono = this.work.fairMono().toFuture();
			Awaitility.await().until(() -> inspector.waiting().size() == 1);
			async = this.work.fairAsync();
			Awaitility.await().until(() -> inspector.waiting().size() == 2);
			blocking = CompletableFuture.supplyAsync(this.work::fair);
			Awaitility.await().until(() -> inspector.waiting().size() == 3);
			assertThat(inspector.waiting()).allMatch(LockWait::fair);
		}
		assertThat(List.of(mono.get(20, TimeUnit.SECONDS), async.get(20, TimeUnit.SECONDS),
				blocking.get(20, TimeUnit.SECONDS)))
			.isSorted()
			.doesNotHaveDuplicates();
	}

	@Test
	void permitsOfReactiveMethodsAreCounted() throws Exception {
		CountDownLatch inside = new CountDownLatch(2);
		CountDownLatch end = new CountDownLatch(1);
		CompletableFuture<Integer> first = this.work.exportMono(inside, end).toFuture();
		CompletableFuture<Integer> second = this.work.exportMono(inside, end).toFuture();
		assertThat(inside.await(20, TimeUnit.SECONDS)).isTrue();
		assertThat(this.work.export()).isNull();
		end.countDown();
		assertThat(List.of(first.get(20, TimeUnit.SECONDS), second.get(20, TimeUnit.SECONDS)))
			.containsExactlyInAnyOrder(1, 2);
		assertThat(this.work.export()).isNotNull();
	}

	@Test
	void transactionKeepsAFairLockUntilItsEnd() {
		LockRequest fair = LockRequest.of("fair").fair();
		this.context.getBean(TransactionTemplate.class).executeWithoutResult((status) -> {
			this.work.fairly(() -> {
			});
			assertThat(fromAnotherThread(fair)).isFalse();
		});
		this.template.acquire(fair).close();
	}

	@Test
	void lossOfASharedLockBeforeTheCommitRollsBack() {
		LockInspector inspector = new LockInspector(this.context.getBean(LockEngine.class));
		JdbcClient orders = this.context.getBean(JdbcClient.class);
		assertThatExceptionOfType(LockLostException.class)
			.isThrownBy(() -> this.context.getBean(TransactionTemplate.class).executeWithoutResult((status) -> {
				this.work.reads(() -> orders.sql("insert into orders values (1)").update());
				inspector.forceRelease("catalog").join();
			}));
		assertThat(orders.sql("select count(*) from orders").query(Integer.class).single()).isZero();
	}

	@Test
	void permitIsKeptForAsLongAsTheMethodSays() {
		LockRequest permit = LockRequest.of("throttled").permits(2);
		assertThat(List.of(this.work.throttled(), this.work.throttled())).containsExactlyInAnyOrder(1, 2);
		assertThat(this.template.tryAcquire(permit)).isEmpty();
		new LockInspector(this.context.getBean(LockEngine.class)).forceRelease("throttled").join();
		this.template.acquire(permit).close();
	}

	private boolean fromAnotherThread(LockRequest request) {
		return CompletableFuture.supplyAsync(() -> {
			Optional<LockHandle> lock = this.template.tryAcquire(request);
			lock.ifPresent(LockHandle::close);
			return lock.isPresent();
		}).join();
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAsync
	static class AsyncMethods {

	}

	@Retention(RetentionPolicy.RUNTIME)
	@DistributedLock(name = "limited", fair = true)
	@interface Limited {

		@AliasFor(annotation = DistributedLock.class)
		int permits();

	}

	@DistributedLock(name = "catalogue", mode = LockMode.SHARED)
	static class Catalogue {

		public LockMode mode() {
			return LockContext.current().orElseThrow().mode();
		}

		@Limited(permits = 4)
		public int permit() {
			return LockContext.current().orElseThrow().permit();
		}

	}

	@DistributedLock(name = "pool", permits = 2, waitTime = "0s")
	static class Pool {

		public int permit() {
			return LockContext.current().orElseThrow().permit();
		}

		public int another() {
			return LockContext.current().orElseThrow().permit();
		}

	}

	static class Work {

		@DistributedLock(name = "page", key = "#number", mode = LockMode.SHARED)
		public void readPage(long number, Runnable body) {
			body.run();
		}

		@DistributedLock(name = "slot", key = "#number", permits = 1)
		public void useSlot(long number, Runnable body) {
			body.run();
		}

		@DistributedLock(name = "unit", key = "#number", reentrant = false)
		public void oneUnit(long number, Runnable body) {
			body.run();
		}

		@DistributedLock(name = "catalog", mode = LockMode.SHARED, waitTime = "0s", onContention = OnContention.SKIP)
		public String readOrSkip() {
			return "read";
		}

		@DistributedLock(name = "catalog", mode = LockMode.SHARED, waitTime = "0s", fallback = "insteadOfReading")
		public String readOrElse() {
			return "read";
		}

		public String insteadOfReading() {
			return "instead";
		}

		@DistributedLock(name = "fair", fair = true)
		public Mono<Long> fairMono() {
			return ReactiveLockContext.fencingToken();
		}

		@Async
		@DistributedLock(name = "fair", fair = true)
		public CompletableFuture<Long> fairAsync() {
			return CompletableFuture.completedFuture(LockContext.fencingToken());
		}

		@DistributedLock(name = "exports", permits = 2)
		public Mono<Integer> exportMono(CountDownLatch inside, CountDownLatch end) {
			return ReactiveLockContext.current().flatMap((lock) -> Mono.fromFuture(CompletableFuture.supplyAsync(() -> {
				meet(inside, end);
				return lock.permit();
			})));
		}

		@DistributedLock(name = "throttled", permits = 2, holdAtLeast = "30s")
		public int throttled() {
			return LockContext.current().orElseThrow().permit();
		}

		@DistributedLock(name = "catalog", mode = LockMode.SHARED)
		public void read(CountDownLatch inside, CountDownLatch end) {
			meet(inside, end);
		}

		@DistributedLock(name = "catalog", mode = LockMode.SHARED)
		public CompletableFuture<Void> readLater(CountDownLatch inside, CountDownLatch end) {
			return CompletableFuture.runAsync(() -> meet(inside, end));
		}

		@DistributedLock(name = "catalog", mode = LockMode.SHARED)
		public Mono<Void> readReactively(CountDownLatch inside, CountDownLatch end) {
			return Mono.fromFuture(CompletableFuture.runAsync(() -> meet(inside, end)));
		}

		@DistributedLock(name = "catalog", mode = LockMode.SHARED)
		public void reads(Runnable body) {
			body.run();
		}

		@DistributedLock(name = "catalog")
		public void writes(Runnable body) {
			body.run();
		}

		@DistributedLock(name = "catalog", onContention = OnContention.SKIP)
		public void write() {
		}

		@DistributedLock(name = "exports", permits = 2, waitTime = "0s", onContention = OnContention.SKIP)
		public Integer export() {
			return LockContext.current().orElseThrow().permit();
		}

		@DistributedLock(name = "exports", permits = 2, waitTime = "0s", fallback = "none")
		public int exportOrNot() {
			return LockContext.current().orElseThrow().permit();
		}

		@DistributedLock(name = "exports", permits = 2, waitTime = "0s")
		public void exportNow() {
		}

		@Async
		@DistributedLock(name = "catalog", mode = LockMode.SHARED)
		public CompletableFuture<LockMode> readAsync(CountDownLatch inside, CountDownLatch end) {
			meet(inside, end);
			return CompletableFuture.completedFuture(LockContext.current().orElseThrow().mode());
		}

		@Async
		@DistributedLock(name = "exports", permits = 2)
		public CompletableFuture<Integer> exportAsync(CountDownLatch end) {
			meet(new CountDownLatch(1), end);
			return CompletableFuture.completedFuture(LockContext.current().orElseThrow().permit());
		}

		@DistributedLock(name = "catalog", mode = LockMode.SHARED, onLost = OnLost.IGNORE)
		public void readsWhateverHappens(Runnable body) {
			body.run();
		}

		@DistributedLock(name = "exports", permits = 2)
		public void permitted(Runnable body) {
			body.run();
		}

		@DistributedLock(name = "exports", permits = 2, onLost = OnLost.INTERRUPT)
		public void permittedOrInterrupted(Runnable body) {
			body.run();
		}

		@DistributedLock(name = "fair", fair = true)
		public void fairly(Runnable body) {
			body.run();
		}

		public int none() {
			return 0;
		}

		@DistributedLock(name = "one-permit", permits = 1)
		public void onePermit() {
		}

		@DistributedLock(name = "fair", fair = true)
		public long fair() {
			return LockContext.fencingToken();
		}

		@DistributedLock(name = "job", reentrant = false)
		public void job(Runnable body) {
			body.run();
		}

		@DistributedLock(name = "job", reentrant = false)
		public Mono<Void> jobMono(Mono<Void> body) {
			return body;
		}

		@DistributedLock(name = "job", reentrant = false, onContention = OnContention.SKIP)
		public void jobOrSkipped() {
		}

		@DistributedLock(name = "job", reentrant = false, fallback = "instead")
		public void jobWithFallback() {
		}

		public void instead(LockException failure) {
		}

		@DistributedLock(name = "job", reentrant = false, onContention = OnContention.SKIP)
		public CompletableFuture<Void> jobLater() {
			return CompletableFuture.completedFuture(null);
		}

		@DistributedLock(name = "job", reentrant = false, onContention = OnContention.SKIP)
		public Mono<Void> jobReactively() {
			return Mono.empty();
		}

		private static void meet(CountDownLatch inside, CountDownLatch end) {
			inside.countDown();
			try {
				assertThat(end.await(20, TimeUnit.SECONDS)).isTrue();
			}
			catch (InterruptedException ex) {
				throw new IllegalStateException(ex);
			}
		}

	}

}
