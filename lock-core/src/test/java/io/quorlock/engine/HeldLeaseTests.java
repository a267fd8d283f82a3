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
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;

import org.junit.jupiter.api.Test;

import io.quorlock.LockHandle;
import io.quorlock.LockLostEvent;
import io.quorlock.LockLostException;
import io.quorlock.LockMode;
import io.quorlock.LockRequest;
import io.quorlock.ReleaseRequest;
import io.quorlock.engine.event.LockListener;
import io.quorlock.store.FakeGrant;
import io.quorlock.time.LockTimer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link HeldLease}.
 */
class HeldLeaseTests {

	private static final LockRequest ORDER = LockRequest.of("order");

	private static final LockRequest STOCK = LockRequest.of("stock");

	private static final LockRequest RETAINED = ORDER.retainTime(Duration.ofSeconds(20));

	private final List<String> ends = new ArrayList<>();

	private final LockListener listener = new LockListener() {

		@Override
		public void onReleased(LockRequest request, Duration held) {
			HeldLeaseTests.this.ends.add("released " + request.baseName());
		}

		@Override
		public void onLost(LockRequest request, LockLostEvent event) {
			HeldLeaseTests.this.ends.add("lost " + request.baseName());
		}

	};

	private final FakeStoreEngine fake = new FakeStoreEngine(this.listener);

	private HeldLease lease() {
		return this.fake.engine.leases().iterator().next();
	}

	@Test
	void leaseThatWasLostLeavesNothingBehind() {
		FakeStoreEngine limited = new FakeStoreEngine(
				(settings) -> settings.set(EngineSettings::maxHoldTime, Duration.ofMinutes(1)));
		limited.acquire(ORDER);
		FakeGrant grant = limited.grant();
		assertThat(limited.engine.leases()).hasSize(1);
		grant.lose("another has it");
		assertThat(limited.engine.leases()).isEmpty();
		assertThat(limited.time.pending()).isZero();
	}

	@Test
	void leaseSaysWhyItWasLostFirst() {
		CompletableFuture<LockHandle> lock = this.fake.acquire(ORDER);
		FakeGrant grant = this.fake.grant();
		grant.lose("another has it");
		grant.lose("no reply");
		assertThatExceptionOfType(LockLostException.class).isThrownBy(lock.join()::ensureHeld)
			.withMessageContaining("another has it");
		assertThat(this.ends).containsExactly("lost order");
	}

	/** Whoever finds the loss asks for the holders just after that. */
	@Test
	void holderThatLeavesWhileALossIsFoundIsNotForgotten() {
		AtomicReference<Runnable> onCancel = new AtomicReference<>();
		LockTimer timer = (nanos, task) -> {
			LockTimer.Timeout timeout = this.fake.time.schedule(nanos, task);
			return () -> {
				timeout.cancel();
				Optional.ofNullable(onCancel.getAndSet(null)).ifPresent(Runnable::run);
			};
		};
		LockEngine engine = new LockEngine(TestSettings.defaults("app@host:1")
			.engineBuilder()
			.set(EngineSettings::maxHoldTime, Duration.ofMinutes(1))
			.build(), this.fake.store, this.fake.time, timer, Runnable::run, List.of(this.listener), List.of());
		engine.start();
		CompletableFuture<LockHandle> lock = engine.acquireAsync(ORDER, Duration.ofSeconds(5));
		FakeGrant grant = this.fake.grant();
		LockHandle handle = lock.join();
		onCancel.set(handle::closeAsync);
		grant.lose("another has it");
		assertThat(this.ends).containsExactly("lost order");
	}

	@Test
	void leaseThatWasReleasedIsNotLostAnyMore() {
		CompletableFuture<LockHandle> lock = this.fake.acquire(ORDER);
		FakeGrant grant = this.fake.grant();
		lock.join().closeAsync();
		grant.lose("another has it");
		assertThat(this.ends).containsExactly("released order");
	}

	/** The holder of both closes the second once it has lost the first. */
	@Test
	void leaseThatIsReleasedDuringTheStopIsNotReleasedAgain() {
		LockHandle order = this.fake.held(ORDER);
		LockHandle stock = this.fake.held(STOCK);
		order.onLost((event) -> stock.closeAsync());
		this.fake.engine.stop();
		assertThat(this.fake.store.releases()).hasSize(2);
		assertThat(this.ends).containsExactly("lost order", "released stock");
	}

	/** Only then it is released by the stop. */
	@Test
	void leaseInUseIsKnownHoweverOftenItIsAskedFor() {
		LockHandle lock = this.fake.held(RETAINED);
		assertThat(this.fake.acquire(ORDER.waitTime(Duration.ZERO))).isCompletedExceptionally();
		assertThat(this.fake.engine.leases()).hasSize(1);
		this.fake.engine.stop();
		assertThat(lock.isHeld()).isFalse();
		assertThat(this.fake.store.releases()).hasSize(1);
	}

	/** It would be kept unused. */
	@Test
	void leaseThatIsLostAsItsHolderLeavesIsNotReportedAsReleased() {
		List<Runnable> events = new ArrayList<>();
		LockTimer timer = (delay, task) -> {
			events.forEach(Runnable::run);
			return this.fake.time.schedule(delay, task);
		};
		LockEngine engine = new LockEngine(TestSettings.defaults("app@host:1").engine(), this.fake.store,
				this.fake.time, timer, Runnable::run, List.of(this.listener), List.of());
		engine.start();
		CompletableFuture<LockHandle> lock = engine.acquireAsync(RETAINED, Duration.ofSeconds(5));
		FakeGrant grant = this.fake.grant();
		events.add(() -> grant.lose("another has it"));
		lock.join().closeAsync();
		assertThat(this.ends).containsExactly("lost order");
		assertThat(this.fake.store.releases()).isEmpty();
	}

	@Test
	void leaseThatHasEndedIsNoLongerAtRisk() {
		this.fake.acquire(ORDER);
		FakeGrant grant = this.fake.grant();
		grant.risk("no reply");
		assertThat(lease().isAtRisk()).isTrue();
		grant.end();
		assertThat(lease().isAtRisk()).isFalse();
	}

	@Test
	void requestThatHoldsALeaseTakesItNoLonger() {
		this.fake.held(RETAINED).closeAsync();
		assertThat(this.fake.acquire(RETAINED)).isCompletedWithValueMatching(LockHandle::isHeld);
		assertThat(lease().taker()).isNull();
	}

	/** The time for hand-overs was over before they got it. */
	@Test
	void unusedLeaseThatReadersGetLateIsSharedWithOtherInstancesAtOnce() {
		CompletableFuture<LockHandle> writer = this.fake.acquire(RETAINED);
		FakeGrant grant = this.fake.grant();
		writer.join().closeAsync();
		this.fake.time.advance(Duration.ofSeconds(1));
		assertThat(this.fake.acquire(ORDER.shared())).isCompletedWithValueMatching(LockHandle::isHeld);
		assertThat(grant.mode()).isEqualTo(LockMode.SHARED);
	}

	@Test
	void leaseThatIsNeverUnusedIsHandedOverThoughOthersWantIt() {
		CompletableFuture<LockHandle> first = this.fake.acquire(ORDER);
		FakeGrant grant = this.fake.grant();
		CompletableFuture<LockHandle> second = this.fake.acquire(ORDER);
		grant.wanted();
		first.join().closeAsync();
		assertThat(second).isCompletedWithValueMatching(LockHandle::isHeld);
	}

	@Test
	void readerExtendsTheLeaseOfAllByMoreThanTheDefault() {
		LockHandle first = this.fake.held(ORDER.shared());
		this.fake.acquire(ORDER.shared());
		first.extend(Duration.ofMinutes(1));
		assertThat(this.fake.store.calls()).contains("extend order by PT1M");
	}

	@Test
	void downgradeByAReaderLeavesTheLeaseToTheOthers() {
		LockHandle first = this.fake.held(ORDER.shared());
		LockHandle second = this.fake.acquire(ORDER.shared()).join();
		((Handle) first).downgradeAsync();
		first.closeAsync();
		assertThat(second.isHeld()).isTrue();
		assertThat(this.fake.store.releases()).isEmpty();
	}

	@Test
	void readerThatLeavesALostLeaseIsNotReportedAsReleased() {
		LockHandle first = this.fake.held(ORDER.shared());
		this.fake.acquire(ORDER.shared());
		this.fake.store.grants().get(0).lose("another has it");
		first.closeAsync();
		assertThat(this.ends).containsExactly("lost order", "lost order");
	}

	@Test
	void nobodyJoinsReadersThatHaveLeft() {
		LockHandle reader = this.fake.held(ORDER.shared());
		HeldLease lease = lease();
		Turn readers = lease.turn;
		Holder holder = readers.first;
		CompletableFuture<LockHandle> writer = this.fake.acquire(ORDER);
		reader.closeAsync();
		assertThat(lease.join(readers, holder)).isFalse();
		this.fake.grant();
		assertThat(writer).isCompletedWithValueMatching(LockHandle::isHeld);
	}

	@Test
	void readerThatJoinsALeaseThatIsLostDoesNotHoldIt() {
		this.fake.held(STOCK.shared());
		Holder other = lease().turn.first;
		this.fake.store.grants().get(0).lose("another has it");
		this.fake.held(ORDER.shared());
		HeldLease lease = lease();
		this.fake.store.grants().get(1).lose("another has it");
		assertThat(lease.join(lease.turn, other)).isFalse();
		assertThat(lease.holders()).doesNotContain(other);
	}

	@Test
	void storeThatPassesNoRequestsOnSaysSoEachTime() {
		LockHandle lock = this.fake.held(ORDER);
		this.fake.store.grants().get(0).passesNoRequestsOn();
		for (int i = 0; i < 2; i++) {
			assertThatExceptionOfType(UnsupportedOperationException.class)
				.isThrownBy(() -> lock.onReleaseRequested((request) -> {
				}));
		}
	}

	/** A holder that leaves at once must not hand the lease over. */
	@Test
	void leaseIsKnownToBeWantedBeforeItsHoldersAreTold() {
		LockHandle lock = this.fake.held(ORDER);
		HeldLease lease = lease();
		List<Boolean> wanted = new ArrayList<>();
		lock.onReleaseRequested((request) -> wanted.add(lease.tenure().wanted));
		this.fake.store.grants().get(0).requestRelease(Duration.ofSeconds(1));
		assertThat(wanted).containsExactly(true);
	}

	/** Otherwise each of them would be told of one request several times. */
	@Test
	void storeIsListenedToOnceHoweverManyHoldersListen() {
		LockHandle lock = this.fake.held(ORDER);
		List<ReleaseRequest> requests = new ArrayList<>();
		lock.onReleaseRequested(requests::add);
		this.fake.store.grants().get(0).passesNoRequestsOn();
		lock.onReleaseRequested(requests::add);
		this.fake.store.grants().get(0).requestRelease(Duration.ofSeconds(1));
		assertThat(requests).hasSize(2);
	}

}
