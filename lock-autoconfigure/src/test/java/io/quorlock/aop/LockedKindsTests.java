package io.quorlock.aop;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.AliasFor;
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
				LockedMethodsOnEngineTests.EngineConfiguration.class, AsyncMethods.class, Work.class, Catalogue.class);
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

	private boolean fromAnotherThread(LockRequest request) {
		return CompletableFuture.supplyAsync(() -> this.template.tryAcquire(request).isPresent()).join();
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

	static class Work {

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
