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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;

import io.quorlock.LockCancelledException;
import io.quorlock.LockException;
import io.quorlock.LockHandle;
import io.quorlock.LockInterruptedException;
import io.quorlock.LockNotAcquiredException;
import io.quorlock.LockRequest;
import io.quorlock.LockUnavailableException;
import io.quorlock.store.ClaimFailure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link LockCall}: what a caller is told who does not get a lock.
 */
class LockCallTests {

	private static final LockRequest ORDER = LockRequest.of("order");

	private final FakeStoreEngine fake = new FakeStoreEngine();

	private void advance(int seconds) {
		this.fake.time.advance(Duration.ofSeconds(seconds));
	}

	private static <T extends LockException> T failureOf(CompletableFuture<LockHandle> lock, Class<T> type) {
		assertThat(lock).isCompletedExceptionally();
		return assertThatExceptionOfType(CompletionException.class).isThrownBy(lock::join)
			.havingCause()
			.asInstanceOf(InstanceOfAssertFactories.type(type))
			.actual();
	}

	@Test
	void refusalByAnotherInstanceSaysWhoHoldsItAndHowLongTheWaitWas() {
		CompletableFuture<LockHandle> lock = this.fake.acquire(ORDER);
		advance(3);
		this.fake.store.contender().fail(new ClaimFailure.Held("other@host:2", "other@host:2 holds\nit"));
		LockNotAcquiredException failure = failureOf(lock, LockNotAcquiredException.class);
		assertThat(failure)
			.hasMessage("Lock 'order' was not acquired within 3000 ms (1 attempt): other@host:2 holds\\u000ait");
		assertThat(failure.getName()).isEqualTo("order");
		assertThat(failure.getOwner()).isEqualTo("other@host:2");
		assertThat(failure.getWaited()).isEqualTo(Duration.ofSeconds(3));
		assertThat(failure.getAttempts()).isOne();
	}

	@Test
	void refusalByThisInstanceSaysWhichThreadHoldsItAndForHowLong() {
		this.fake.held(ORDER);
		advance(4);
		CompletableFuture<LockHandle> lock = this.fake.acquire(ORDER.waitTime(Duration.ofSeconds(2)));
		advance(2);
		LockNotAcquiredException failure = failureOf(lock, LockNotAcquiredException.class);
		assertThat(failure).hasMessage("Lock 'order' was not acquired within 2000 ms (0 attempts): thread '%s' of "
			.formatted(Thread.currentThread().getName()) + "this instance has held 'order' for 6000 ms");
		assertThat(failure.getOwner()).isEqualTo("app@host:1");
		assertThat(failure.getWaited()).isEqualTo(Duration.ofSeconds(2));
		assertThat(failure.getAttempts()).isZero();
	}

	@Test
	void requestBehindOthersOfThisInstanceSaysSo() {
		this.fake.acquire(ORDER.waitTime(Duration.ofSeconds(60)));
		CompletableFuture<LockHandle> behind = this.fake.acquire(ORDER.waitTime(Duration.ofSeconds(2)));
		advance(2);
		LockNotAcquiredException failure = failureOf(behind, LockNotAcquiredException.class);
		assertThat(failure).hasMessageEndingWith("another thread of this instance is in front of it");
		assertThat(failure.getOwner()).isEqualTo("app@host:1");
	}

	/** It would have been refused, or told of the outage, itself. */
	@Test
	void requestBehindOthersIsToldWhatTheStoreToldThem() {
		this.fake.acquire(ORDER.waitTime(Duration.ofSeconds(60)));
		CompletableFuture<LockHandle> behind = this.fake.acquire(ORDER.waitTime(Duration.ofSeconds(2)));
		this.fake.store.contender().answered(new ClaimFailure.Held("other@host:2", "other@host:2 holds it"));
		advance(2);
		assertThat(failureOf(behind, LockNotAcquiredException.class).getOwner()).isEqualTo("other@host:2");
		CompletableFuture<LockHandle> later = this.fake.acquire(ORDER.waitTime(Duration.ofSeconds(2)));
		this.fake.store.contender().answered(new ClaimFailure.Unavailable("no node replied"));
		advance(2);
		assertThat(failureOf(later, LockUnavailableException.class)).hasMessageEndingWith("no node replied");
	}

	@Test
	void requestBehindOthersIsToldOfTheOutageForWhichTheyWait() {
		this.fake.acquire(ORDER.waitTime(Duration.ofSeconds(60)));
		CompletableFuture<LockHandle> behind = this.fake.acquire(ORDER.waitTime(Duration.ofSeconds(2)));
		this.fake.store.close();
		advance(2);
		assertThat(failureOf(behind, LockUnavailableException.class)).hasMessageContaining("0 of 0 nodes vote");
	}

	@Test
	void outageSaysHowLongItWasWaitedFor() {
		CompletableFuture<LockHandle> lock = this.fake.acquire(ORDER);
		advance(3);
		this.fake.store.contender().fail(new ClaimFailure.Unavailable("no node replied"));
		assertThat(failureOf(lock, LockUnavailableException.class))
			.hasMessage("Lock 'order' is unavailable after 3000 ms and 1 attempt: no node replied");
	}

	@Test
	void waitThatIsInterruptedSaysHowLongItWas() {
		this.fake.store.afterEachStart((contender) -> advance(3));
		Thread.currentThread().interrupt();
		assertThatExceptionOfType(LockInterruptedException.class).isThrownBy(() -> this.fake.engine.acquire(ORDER))
			.withMessage("The wait for lock 'order' was interrupted after 3000 ms and 1 attempt")
			.withCauseInstanceOf(InterruptedException.class)
			.satisfies((interrupted) -> {
				assertThat(interrupted.getName()).isEqualTo("order");
				assertThat(interrupted.getWaited()).isEqualTo(Duration.ofSeconds(3));
			});
		assertThat(Thread.interrupted()).isTrue();
	}

	@Test
	void claimThatTheStoreCancelledIsNoRefusal() {
		CompletableFuture<LockHandle> lock = this.fake.acquire(ORDER);
		advance(3);
		this.fake.store.contender().fail(new ClaimFailure.Cancelled());
		LockCancelledException failure = failureOf(lock, LockCancelledException.class);
		assertThat(failure).hasMessage("The wait for lock 'order' was cancelled after 3000 ms and 1 attempt");
		assertThat(failure.getWaited()).isEqualTo(Duration.ofSeconds(3));
		assertThat(failure.getName()).isEqualTo("order");
	}

}
