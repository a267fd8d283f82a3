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

import org.junit.jupiter.api.Test;

import io.quorlock.LockHandle;
import io.quorlock.LockNotAcquiredException;
import io.quorlock.LockRequest;
import io.quorlock.LockUnavailableException;
import io.quorlock.store.FakeGrant;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Acquisition}: which requests of one instance wait for each other, and
 * which ask for themselves.
 */
class AcquisitionTests {

	private static final LockRequest ORDER = LockRequest.of("order");

	private static final LockRequest AT_ONCE = ORDER.waitTime(Duration.ZERO);

	private final FakeStoreEngine fake = new FakeStoreEngine();

	private int asked() {
		return this.fake.store.contenders().size();
	}

	@Test
	void requestWithoutAWaitForAnotherKindOfLockAsksForItself() {
		this.fake.acquire(ORDER);
		CompletableFuture<LockHandle> reader = this.fake.acquire(AT_ONCE.shared());
		assertThat(asked()).isEqualTo(2);
		this.fake.grant();
		assertThat(reader).isCompletedWithValueMatching(LockHandle::isHeld);
	}

	@Test
	void readerWithoutAWaitSharesTheLeaseThatTheReaderInFrontGets() {
		CompletableFuture<LockHandle> first = this.fake.acquire(ORDER.shared());
		CompletableFuture<LockHandle> second = this.fake.acquire(AT_ONCE.shared());
		this.fake.grant();
		assertThat(first).isCompletedWithValueMatching(LockHandle::isHeld);
		assertThat(second).isCompletedWithValueMatching(LockHandle::isHeld);
		assertThat(asked()).isOne();
	}

	@Test
	void requestThatHearsOfNoOutcomeInTimeIsNotRefused() {
		this.fake.acquire(ORDER);
		CompletableFuture<LockHandle> second = this.fake.acquire(AT_ONCE);
		this.fake.time.advance(Duration.ofMillis(199));
		assertThat(second).isNotDone();
		this.fake.time.advance(Duration.ofMillis(1));
		assertThat(second).failsWithin(Duration.ZERO)
			.withThrowableThat()
			.withCauseInstanceOf(LockUnavailableException.class)
			.withMessageContaining("its outcome was not known in time");
	}

	@Test
	void readersShareNothingIfThereAreNoHandOvers() {
		FakeStoreEngine without = new FakeStoreEngine((settings) -> settings.handover(0, Duration.ofMillis(50)));
		without.held(ORDER.shared());
		CompletableFuture<LockHandle> second = without.acquire(ORDER.shared());
		assertThat(second).isNotDone();
		assertThat(without.store.contenders()).hasSize(2);
	}

	/** It would be lost with that lease, which nothing renews. */
	@Test
	void readerDoesNotShareALeaseThatAnotherReaderHasFixed() {
		this.fake.held(ORDER.shared().leaseTime(Duration.ofSeconds(1)));
		assertThat(this.fake.acquire(ORDER.shared())).isNotDone();
		assertThat(asked()).isEqualTo(2);
	}

	/** The whole wait counts from the call on. */
	@Test
	void requestThatIsMadeAgainBehindOthersWaitsForTheRestOfItsTime() {
		CompletableFuture<LockHandle> lock = this.fake.acquire(ORDER);
		this.fake.acquire(ORDER.waitTime(Duration.ofSeconds(60)));
		this.fake.time.advance(Duration.ofSeconds(3));
		this.fake.store.contenders().get(0).grant(FakeGrant::end);
		assertThat(lock).isNotDone();
		this.fake.time.advance(Duration.ofSeconds(2));
		assertThat(lock).failsWithin(Duration.ZERO)
			.withThrowableThat()
			.withCauseInstanceOf(LockNotAcquiredException.class);
	}

	@Test
	void stopLeavesNoTimerAndNoLeaseBehind() {
		this.fake.held(ORDER.retainTime(Duration.ofSeconds(20))).closeAsync();
		this.fake.held(LockRequest.of("stock"));
		this.fake.acquire(LockRequest.of("stock"));
		this.fake.acquire(LockRequest.of("stock").waitTime(Duration.ZERO));
		this.fake.engine.stop();
		assertThat(this.fake.engine.leases()).isEmpty();
		assertThat(this.fake.engine.acquisitions()).isEmpty();
		assertThat(this.fake.time.pending()).isZero();
	}

	@Test
	void lockThatWasReleasedLeavesNoTimerAndNoLeaseBehind() {
		FakeStoreEngine limited = new FakeStoreEngine((settings) -> settings.maxHoldTime(Duration.ofMinutes(1)));
		LockHandle lock = limited.held(ORDER);
		CompletableFuture<LockHandle> next = limited.acquire(ORDER);
		assertThat(limited.time.pending()).isPositive();
		lock.closeAsync();
		next.join().closeAsync();
		assertThat(limited.engine.leases()).isEmpty();
		assertThat(limited.engine.acquisitions()).isEmpty();
		assertThat(limited.time.pending()).isZero();
	}

}
