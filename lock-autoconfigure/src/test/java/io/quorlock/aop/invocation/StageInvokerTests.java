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

import java.io.IOException;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

import io.micrometer.context.ContextRegistry;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.transaction.support.TransactionSynchronizationManager;

import io.quorlock.LockContext;
import io.quorlock.LockException;
import io.quorlock.LockHandle;
import io.quorlock.LockLostException;
import io.quorlock.LockNotAcquiredException;
import io.quorlock.LockReentryException;
import io.quorlock.LockRequest;
import io.quorlock.LockUnavailableException;
import io.quorlock.annotation.DistributedLock;
import io.quorlock.annotation.DistributedLock.OnContention;
import io.quorlock.annotation.DistributedLock.OnLost;
import io.quorlock.aop.AopConfiguration;
import io.quorlock.aop.FakeLockTemplate;
import io.quorlock.transaction.TransactionalLockHandle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link StageInvoker}.
 */
class StageInvokerTests {

	private final ThreadLocal<String> user = new ThreadLocal<>();

	private AnnotationConfigApplicationContext context;

	private FakeLockTemplate locks;

	private Work work;

	private Orders orders;

	@BeforeEach
	void start() {
		this.context = new AnnotationConfigApplicationContext(AopConfiguration.class, Work.class, Orders.class);
		this.locks = this.context.getBean(FakeLockTemplate.class);
		this.work = this.context.getBean(Work.class);
		this.orders = this.context.getBean(Orders.class);
	}

	@AfterEach
	void stop() {
		assertThat(LockContext.capture()).isNull();
		ContextRegistry.getInstance().removeThreadLocalAccessor("user");
		this.user.remove();
		this.context.close();
	}

	@Test
	void holdsUntilTheStageCompletes() {
		CompletableFuture<String> result = this.orders.place();
		awaitCalls(1);
		assertThat(this.locks.isHeld("place")).isTrue();
		assertThat(result).isNotDone();
		this.work.original.complete("done");
		assertThat(result).succeedsWithin(10, TimeUnit.SECONDS).isEqualTo("done");
		assertThat(this.locks.heldCount()).isZero();
	}

	@Test
	void waitsForTheLockWithoutBlockingTheCaller() {
		this.locks.holdElsewhere("patient");
		this.work.original.complete("done");
		CompletableFuture<String> result = this.orders.placePatiently().toCompletableFuture();
		assertThat(this.work.calls).hasValue(0);
		this.locks.releaseElsewhere("patient");
		assertThat(result).succeedsWithin(10, TimeUnit.SECONDS).isEqualTo("done");
	}

	@Test
	void releasesWhenTheStageFails() {
		CompletableFuture<String> result = this.orders.place();
		IllegalStateException failure = new IllegalStateException("full");
		this.work.original.completeExceptionally(failure);
		assertThat(result).failsWithin(10, TimeUnit.SECONDS).withThrowableThat().withCause(failure);
		assertThat(this.locks.heldCount()).isZero();
	}

	/** The work is done, and the lease ends by itself. */
	@Test
	void resultIsThatOfTheMethodAlthoughTheReleaseFails() {
		this.locks.failCloses();
		this.work.original.complete("done");
		assertThat(this.orders.place()).succeedsWithin(10, TimeUnit.SECONDS).isEqualTo("done");
	}

	@Test
	void callersCallbackGetsTheFailureItself() {
		CompletableFuture<@Nullable Throwable> seen = this.orders.placeInSteps().handle((value, failure) -> failure);
		IllegalStateException failure = new IllegalStateException("full");
		this.work.original.completeExceptionally(failure);
		assertThat(seen).succeedsWithin(10, TimeUnit.SECONDS).isSameAs(failure);
	}

	@Test
	void methodThatReturnsNoStageIsDone() {
		assertThat(this.orders.nothing()).succeedsWithin(10, TimeUnit.SECONDS).isNull();
		assertThat(this.locks.events()).containsExactly("lock nothing", "unlock nothing");
	}

	@Test
	void releasesWhenTheMethodThrows() {
		IllegalStateException failure = new IllegalStateException("full");
		this.work.failure = failure;
		assertThat(this.orders.place()).failsWithin(10, TimeUnit.SECONDS).withThrowableThat().withCause(failure);
		assertThat(this.locks.heldCount()).isZero();
	}

	@Test
	void cancellingTheResultDoesNotReleaseBeforeTheOriginalHasEnded() {
		CompletableFuture<String> result = this.orders.place();
		awaitCalls(1);
		assertThat(result.cancel(true)).isTrue();
		assertThat(this.work.original).isNotDone();
		assertThat(this.locks.isHeld("place")).isTrue();
		this.work.original.complete("late");
		Awaitility.await().until(() -> this.locks.heldCount() == 0);
		assertThatExceptionOfType(CancellationException.class).isThrownBy(result::join);
	}

	@Test
	void cancellingWhileWaitingRunsNothingAndLeavesNoLock() {
		this.locks.holdElsewhere("patient");
		CompletableFuture<String> result = this.orders.placePatiently().toCompletableFuture();
		assertThat(result.cancel(true)).isTrue();
		this.locks.releaseElsewhere("patient");
		Awaitility.await().until(() -> this.locks.events().contains("unlock patient"));
		assertThat(this.locks.heldCount()).isZero();
		assertThat(this.work.calls).hasValue(0);
	}

	/**
	 * Too late to cancel the request: the lock is granted, and the method about to run.
	 */
	@Test
	void cancellingAsTheLockIsGrantedRunsNothingAndLeavesNoLock() {
		this.locks.holdElsewhere("patient");
		CompletableFuture<CompletableFuture<String>> result = new CompletableFuture<>();
		ContextRegistry.getInstance()
			.registerThreadLocalAccessor("user", this.user::get, (value) -> result.join().cancel(true),
					this.user::remove);
		this.user.set("ada");
		result.complete(this.orders.placePatiently().toCompletableFuture());
		this.locks.releaseElsewhere("patient");
		Awaitility.await().until(() -> this.locks.events().contains("unlock patient"));
		assertThat(result.join()).isCancelled();
		assertThat(this.locks.heldCount()).isZero();
		assertThat(this.work.calls).hasValue(0);
	}

	@Test
	void lossFailsTheResultAtOnce() {
		CompletableFuture<String> result = this.orders.place();
		awaitCalls(1);
		this.locks.lose("place");
		assertThat(result).failsWithin(10, TimeUnit.SECONDS)
			.withThrowableThat()
			.withCauseInstanceOf(LockLostException.class);
		assertThat(this.work.original).isNotDone();
	}

	@Test
	void ignoredLossLeavesTheResult() {
		CompletableFuture<String> result = this.orders.ignoring();
		awaitCalls(1);
		assertThat(this.work.lock).as("lets its transaction commit")
			.isInstanceOfSatisfying(TransactionalLockHandle.class,
					(lock) -> assertThat(lock.isLossTolerated()).isTrue());
		this.locks.lose("ignore");
		this.work.original.complete("done");
		assertThat(result).succeedsWithin(10, TimeUnit.SECONDS).isEqualTo("done");
	}

	@Test
	void contentionFailsTheResult() {
		this.locks.holdElsewhere("place");
		assertThatExceptionOfType(CompletionException.class).isThrownBy(this.orders.place()::join)
			.withCauseInstanceOf(LockNotAcquiredException.class);
	}

	@Test
	void skipReturnsACompletedStageWithNull() {
		this.locks.holdElsewhere("skip");
		assertThat(this.orders.skipping()).succeedsWithin(10, TimeUnit.SECONDS).isNull();
		this.locks.unavailable(true);
		assertThatExceptionOfType(CompletionException.class).isThrownBy(this.orders.skipping()::join)
			.withCauseInstanceOf(LockUnavailableException.class);
	}

	@Test
	void fallbackRunsInstead() {
		this.locks.holdElsewhere("fallback");
		assertThat(this.orders.falling()).succeedsWithin(10, TimeUnit.SECONDS).isEqualTo("busy");
	}

	@Test
	void failureOfAFallbackIsThatOfTheResult() {
		this.locks.holdElsewhere("fallback");
		assertThat(this.orders.fallingFurther()).failsWithin(10, TimeUnit.SECONDS)
			.withThrowableThat()
			.withCauseInstanceOf(IOException.class);
	}

	/** The lock is requested on the thread of the transaction then. */
	@Test
	void fallbackRunsInsteadWithinATransaction() {
		this.locks.holdElsewhere("fallback");
		TransactionSynchronizationManager.setActualTransactionActive(true);
		try {
			assertThat(this.orders.falling()).isCompletedWithValue("busy");
		}
		finally {
			TransactionSynchronizationManager.setActualTransactionActive(false);
		}
	}

	@Test
	void fallbackDoesNotHideThatTheCallerHoldsTheLock() throws Exception {
		CompletableFuture<String> result;
		try (LockHandle outer = this.locks.acquire(LockRequest.of("fallback"))) {
			LockContext before = LockContext.restore(LockContext.with(outer, null));
			try {
				result = this.orders.fallingOnce();
			}
			finally {
				LockContext.restore(before);
			}
			assertThat(result).failsWithin(10, TimeUnit.SECONDS)
				.withThrowableThat()
				.withCauseInstanceOf(LockReentryException.class);
		}
	}

	@Test
	void methodSeesItsLockAndTheCallersContext() {
		ContextRegistry.getInstance().registerThreadLocalAccessor("user", this.user);
		this.user.set("ada");
		this.work.original.complete("done");
		assertThat(this.orders.place()).succeedsWithin(10, TimeUnit.SECONDS);
		this.work.inMethod = this.user::get;
		assertThat(this.orders.place()).succeedsWithin(10, TimeUnit.SECONDS);
		assertThat(this.work.seen).isEqualTo("ada");
		assertThat(this.work.lock).isNotNull().extracting(LockHandle::name).isEqualTo("place");
	}

	@Test
	void releasesWhenTheCallersContextCannotBeRestored() {
		this.locks.holdElsewhere("patient");
		IllegalStateException failure = new IllegalStateException("no context");
		ContextRegistry.getInstance().registerThreadLocalAccessor("user", this.user::get, (value) -> {
			throw failure;
		}, this.user::remove);
		this.user.set("ada");
		CompletableFuture<String> result = this.orders.placePatiently().toCompletableFuture();
		this.locks.releaseElsewhere("patient");
		assertThat(result).failsWithin(10, TimeUnit.SECONDS).withThrowableThat().withCause(failure);
		Awaitility.await().until(() -> this.locks.heldCount() == 0);
		assertThat(this.work.calls).hasValue(0);
	}

	@Test
	void keepsTheLockWhereTheThreadsContextCannotBeRestoredAfterTheMethod() throws InterruptedException {
		ContextRegistry.getInstance().registerThreadLocalAccessor("user", this.user::get, this.user::set, () -> {
			throw new IllegalStateException("no context");
		});
		this.user.set("ada");
		CompletableFuture<Thread> granted = new CompletableFuture<>();
		this.work.inMethod = () -> {
			granted.complete(Thread.currentThread());
			return null;
		};
		this.locks.holdElsewhere("patient");
		CompletableFuture<String> result = this.orders.placePatiently().toCompletableFuture();
		this.locks.releaseElsewhere("patient");
		awaitCalls(1);
		granted.join().join();
		assertThat(this.locks.isHeld("patient")).isTrue();
		this.work.original.complete("done");
		assertThat(result).succeedsWithin(10, TimeUnit.SECONDS).isEqualTo("done");
	}

	@Test
	void lossIsReportedAlsoWhenTheStageIsDoneFirst() {
		this.work.original.complete("done");
		this.work.inMethod = () -> {
			this.locks.lose("place");
			return null;
		};
		assertThat(this.orders.place()).failsWithin(10, TimeUnit.SECONDS)
			.withThrowableThat()
			.withCauseInstanceOf(LockLostException.class);
	}

	@Test
	void failureOfAMethodThatLostItsLockSaysThatItDid() {
		IllegalStateException failure = new IllegalStateException("full");
		this.work.failure = failure;
		this.work.inMethod = () -> {
			this.locks.lose("place");
			return null;
		};
		assertThat(this.orders.place()).failsWithin(10, TimeUnit.SECONDS);
		Awaitility.await()
			.untilAsserted(
					() -> assertThat(failure.getSuppressed()).singleElement().isInstanceOf(LockLostException.class));
	}

	@Test
	void reentersWhatTheCallerHolds() {
		this.work.original.complete("done");
		this.locks.execute("place", () -> assertThat(this.orders.place()).succeedsWithin(10, TimeUnit.SECONDS));
		assertThat(this.locks.events()).containsExactly("lock place", "unlock place");
	}

	private void awaitCalls(int calls) {
		Awaitility.await().until(() -> this.work.calls.get() == calls);
	}

	static class Work {

		final CompletableFuture<String> original = new CompletableFuture<>();

		final AtomicInteger calls = new AtomicInteger();

		volatile @Nullable RuntimeException failure;

		volatile Supplier<@Nullable String> inMethod = () -> null;

		volatile @Nullable String seen;

		volatile @Nullable LockHandle lock;

		CompletableFuture<String> run() {
			this.seen = this.inMethod.get();
			this.lock = LockContext.current().orElse(null);
			this.calls.incrementAndGet();
			RuntimeException failure = this.failure;
			if (failure != null) {
				throw failure;
			}
			return this.original;
		}

	}

	static class Orders {

		private final Work work;

		Orders(Work work) {
			this.work = work;
		}

		@DistributedLock("place")
		public CompletableFuture<String> place() {
			return this.work.run();
		}

		@DistributedLock("place")
		public CompletableFuture<String> placeInSteps() {
			return this.work.run().thenApply(String::trim);
		}

		@DistributedLock("nothing")
		public @Nullable CompletableFuture<String> nothing() {
			return null;
		}

		@DistributedLock(name = "patient", waitTime = "30s")
		public CompletionStage<String> placePatiently() {
			return this.work.run();
		}

		@DistributedLock(name = "ignore", onLost = OnLost.IGNORE)
		public CompletableFuture<String> ignoring() {
			return this.work.run();
		}

		@DistributedLock(name = "skip", onContention = OnContention.SKIP)
		public CompletableFuture<String> skipping() {
			return this.work.run();
		}

		@DistributedLock(name = "fallback", fallback = "busy")
		public CompletableFuture<String> falling() {
			return this.work.run();
		}

		@DistributedLock(name = "fallback", fallback = "broken")
		public CompletableFuture<String> fallingFurther() {
			return this.work.run();
		}

		CompletableFuture<String> broken() throws IOException {
			throw new IOException("disk full");
		}

		@DistributedLock(name = "fallback", reentrant = false, fallback = "explained")
		public CompletableFuture<String> fallingOnce() {
			return this.work.run();
		}

		CompletableFuture<String> explained(LockException failure) {
			return CompletableFuture.completedFuture(failure.getMessage());
		}

		CompletableFuture<String> busy() {
			return CompletableFuture.completedFuture("busy");
		}

	}

}
