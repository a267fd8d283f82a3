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

package io.quorlock.engine;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.Lock;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import io.quorlock.LockContext;
import io.quorlock.LockHandle;
import io.quorlock.LockInterruptedException;
import io.quorlock.LockLostEvent;
import io.quorlock.LockLostException;
import io.quorlock.LockNotAcquiredException;
import io.quorlock.LockRequest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link LockEngine} and {@link DefaultLockTemplate} over five nodes in memory.
 */
class LockEngineTests {

	private final EngineFixture fixture = EngineFixture.of(5);

	private final DefaultLockTemplate template = this.fixture.template;

	@AfterEach
	void stop() {
		this.fixture.close();
	}

	@Test
	void acquiresAndReleases() {
		try (LockHandle lock = this.template.acquire(LockRequest.of("order").key(42))) {
			assertThat(lock.isHeld()).isTrue();
			assertThat(lock.name()).isEqualTo("order:42");
			assertThat(lock.remaining()).isBetween(Duration.ofSeconds(29), Duration.ofSeconds(30));
			assertThat(lock.fencingToken()).isPositive();
			assertThat(this.template.tryAcquire(LockRequest.of("order:42"))).isEmpty();
		}
		try (LockHandle again = this.template.tryAcquire(LockRequest.of("order:42")).orElseThrow()) {
			assertThat(again.isHeld()).isTrue();
		}
	}

	@Test
	void fencingTokensStrictlyIncrease() {
		long last = 0;
		for (int i = 0; i < 100; i++) {
			try (LockHandle lock = this.template.acquire(LockRequest.of("order"))) {
				assertThat(lock.fencingToken()).isGreaterThan(last);
				last = lock.fencingToken();
			}
		}
	}

	@Test
	void threadsExcludeEachOtherAndAreAllServed() throws Exception {
		int[] counter = new int[1];
		List<Thread> threads = new ArrayList<>();
		AtomicReference<Throwable> failure = new AtomicReference<>();
		for (int i = 0; i < 16; i++) {
			Thread thread = new Thread(() -> {
				try {
					for (int n = 0; n < 200; n++) {
						this.template.executeWithoutResult(LockRequest.of("counter").waitTime(Duration.ofSeconds(60)),
								() -> counter[0]++);
					}
				}
				catch (Throwable ex) {
					failure.set(ex);
				}
			});
			threads.add(thread);
			thread.start();
		}
		for (Thread thread : threads) {
			thread.join(60_000);
		}
		assertThat(failure.get()).isNull();
		assertThat(counter[0]).isEqualTo(3200);
	}

	@Test
	void waiterInLineFailsWhenItsWaitIsOver() {
		try (LockHandle lock = this.template.acquire(LockRequest.of("order"))) {
			long start = System.nanoTime();
			assertThatExceptionOfType(LockNotAcquiredException.class)
				.isThrownBy(() -> this.template.acquire(LockRequest.of("order").waitTime(Duration.ofMillis(200))))
				.withMessageContaining("Lock 'order' was not acquired within")
				.withMessageContaining("of this instance has held 'order'");
			assertThat(Duration.ofNanos(System.nanoTime() - start)).isBetween(Duration.ofMillis(200),
					Duration.ofSeconds(2));
		}
	}

	@Test
	void severalNamesAreAllOrNone() {
		try (LockHandle b = this.template.acquire(LockRequest.of("b"))) {
			assertThat(this.template.tryAcquire(LockRequest.ofAll("a", "b"))).isEmpty();
			try (LockHandle a = this.template.tryAcquire(LockRequest.of("a")).orElseThrow()) {
				assertThat(a.isHeld()).isTrue();
			}
		}
		try (LockHandle both = this.template.acquire(LockRequest.ofAll("b", "a", "b"))) {
			assertThat(both.names()).containsExactly("a", "b");
			assertThat(both.fencingToken("a")).isPositive();
			assertThat(this.template.tryAcquire(LockRequest.of("a"))).isEmpty();
		}
	}

	@Test
	void executeReenters() {
		long token = this.template.execute("order", () -> {
			long outer = LockContext.fencingToken();
			long inner = this.template.execute("order", LockContext::fencingToken);
			assertThat(inner).isEqualTo(outer);
			assertThat(LockContext.current().orElseThrow().isHeld()).isTrue();
			return outer;
		});
		assertThat(token).isPositive();
		assertThat(LockContext.current()).isEmpty();
		assertThat(this.template.tryExecute("order", () -> {
		})).isTrue();
	}

	@Test
	void executeReentersSomeAndAcquiresTheOthers() {
		this.template.executeWithoutResult("a", () -> {
			long a = LockContext.fencingToken();
			this.template.executeWithoutResult(LockRequest.ofAll("a", "b"), () -> {
				LockHandle both = LockContext.current().orElseThrow();
				assertThat(both.names()).containsExactly("a", "b");
				assertThat(both.fencingToken("a")).isEqualTo(a);
				assertThat(both.fencingToken("b")).isPositive();
			});
			assertThat(LockContext.current().orElseThrow().isHeld()).isTrue();
		});
	}

	@Test
	void acquireNeverReenters() {
		this.template.executeWithoutResult("order",
				() -> assertThat(this.template.tryAcquire(LockRequest.of("order"))).isEmpty());
	}

	@Test
	void fixedLeaseIsLostWhenItEnds() {
		AtomicReference<LockLostEvent> event = new AtomicReference<>();
		LockHandle lock = this.template.acquire(LockRequest.of("order").leaseTime(Duration.ofMillis(100)));
		lock.onLost(event::set);
		Awaitility.await().untilAtomic(event, org.hamcrest.Matchers.notNullValue());
		assertThat(lock.isHeld()).isFalse();
		assertThatExceptionOfType(LockLostException.class).isThrownBy(lock::ensureHeld);
		lock.close();
		assertThat(this.template.tryExecute("order", () -> {
		})).isTrue();
	}

	@Test
	void leaseAboveTheMaximumIsRefused() {
		assertThatIllegalArgumentException()
			.isThrownBy(() -> this.template.acquire(LockRequest.of("order").leaseTime(Duration.ofSeconds(61))))
			.withMessageContaining("distributed-lock.max-lease-time");
	}

	@Test
	void holdAtLeastKeepsOthersOut() {
		this.template.acquire(LockRequest.of("job").holdAtLeast(Duration.ofMillis(300))).close();
		long start = System.nanoTime();
		assertThat(this.template.tryAcquire(LockRequest.of("job"))).isEmpty();
		this.template.acquire(LockRequest.of("job")).close();
		assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThan(Duration.ofMillis(200));
	}

	@Test
	void extendChangesTheValidity() {
		try (LockHandle lock = this.template.acquire(LockRequest.of("order").leaseTime(Duration.ofSeconds(10)))) {
			lock.extend(Duration.ofSeconds(50));
			assertThat(lock.remaining()).isGreaterThan(Duration.ofSeconds(40));
			lock.extend(Duration.ofSeconds(5));
			assertThat(lock.remaining()).isLessThan(Duration.ofSeconds(5));
		}
	}

	@Test
	void asynchronousAcquisitionCompletesOnAnotherThread() throws Exception {
		LockHandle first = this.template.acquire(LockRequest.of("order"));
		CompletableFuture<LockHandle> second = this.template.acquireAsync(LockRequest.of("order"))
			.toCompletableFuture();
		assertThat(second).isNotDone();
		first.close();
		try (LockHandle lock = second.get(5, TimeUnit.SECONDS)) {
			assertThat(lock.isHeld()).isTrue();
		}
	}

	@Test
	void cancelledAcquisitionLeavesTheLine() {
		LockHandle first = this.template.acquire(LockRequest.of("order"));
		CompletableFuture<LockHandle> second = this.template.acquireAsync(LockRequest.of("order"))
			.toCompletableFuture();
		second.cancel(true);
		first.close();
		assertThat(this.template.tryExecute("order", () -> {
		})).isTrue();
	}

	@Test
	void interruptEndsTheWaitAndLeavesNothing() throws Exception {
		LockHandle first = this.template.acquire(LockRequest.of("order"));
		AtomicReference<Throwable> failure = new AtomicReference<>();
		AtomicInteger flag = new AtomicInteger();
		Thread thread = new Thread(() -> {
			try {
				this.template.acquire(LockRequest.of("order"));
			}
			catch (LockInterruptedException ex) {
				failure.set(ex);
				flag.set(Thread.currentThread().isInterrupted() ? 1 : 0);
			}
		});
		thread.start();
		Awaitility.await().until(() -> thread.getState() == Thread.State.WAITING);
		thread.interrupt();
		thread.join(5_000);
		assertThat(failure.get()).hasCauseInstanceOf(InterruptedException.class);
		assertThat(flag).hasValue(1);
		first.close();
		this.template.acquire(LockRequest.of("order").waitTime(Duration.ZERO)).close();
	}

	@Test
	void closeWorksOnAnInterruptedThread() {
		LockHandle lock = this.template.acquire(LockRequest.of("order"));
		Thread.currentThread().interrupt();
		lock.close();
		assertThat(Thread.interrupted()).isTrue();
		assertThat(this.template.tryExecute("order", () -> {
		})).isTrue();
	}

	@Test
	void jucLockReentersAndUnlocks() throws Exception {
		Lock lock = this.template.asLock("order");
		lock.lock();
		lock.lock();
		lock.unlock();
		CountDownLatch blocked = new CountDownLatch(1);
		Thread other = new Thread(() -> {
			if (!this.template.asLock("order").tryLock()) {
				blocked.countDown();
			}
		});
		other.start();
		assertThat(blocked.await(5, TimeUnit.SECONDS)).isTrue();
		lock.unlock();
		assertThatExceptionOfType(IllegalMonitorStateException.class).isThrownBy(lock::unlock);
		assertThat(this.template.asLock("order").tryLock()).isTrue();
		this.template.asLock("order").unlock();
	}

	@Test
	void unlockingAnOuterLockInsideLeavesNothingBehindInTheContext() {
		Lock lock = this.template.asLock("a");
		lock.lock();
		this.template.executeWithoutResult("b", lock::unlock);
		assertThat(LockContext.current()).isEmpty();
		assertThat(lock.tryLock()).isTrue();
		lock.unlock();
	}

	@Test
	void stopReleasesWhatIsHeldAndTheEngineStartsAgain() {
		LockHandle lock = this.template.acquire(LockRequest.of("order"));
		this.fixture.engine.stop();
		assertThat(lock.isHeld()).isFalse();
		assertThatExceptionOfType(LockLostException.class).isThrownBy(lock::ensureHeld);
		this.fixture.engine.start();
		assertThat(this.template.tryExecute("order", () -> {
		})).isTrue();
	}

}
