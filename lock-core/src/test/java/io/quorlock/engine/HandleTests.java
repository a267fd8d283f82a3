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
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import io.quorlock.LockAtRiskEvent;
import io.quorlock.LockHandle;
import io.quorlock.LockLostEvent;
import io.quorlock.LockLostException;
import io.quorlock.LockMode;
import io.quorlock.LockRequest;
import io.quorlock.LockUnavailableException;
import io.quorlock.ReleaseRequest;
import io.quorlock.Settings;
import io.quorlock.engine.event.RequestObservation;
import io.quorlock.spi.ReentrantLockHandle;
import io.quorlock.store.FakeGrant;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@link Handle}: what it refuses, and what it does once it is closed.
 */
class HandleTests {

	private static final LockRequest ORDER = LockRequest.of("order");

	private final FakeStoreEngine fake = new FakeStoreEngine();

	/** The loss is told, and the callbacks from before have not all run yet. */
	@Test
	void callbackThatIsRegisteredWhileTheLossIsToldRunsOnce() {
		List<LockLostEvent> lost = new ArrayList<>();
		AtomicReference<LockHandle> lock = new AtomicReference<>();
		LockEngine engine = new LockEngine(Settings.engine("app@host:1").build(), this.fake.store, this.fake.time,
				this.fake.time, Runnable::run, List.of(), List.of((request) -> new RequestObservation() {

					@Override
					public void onLost(LockLostEvent event) {
						Objects.requireNonNull(lock.get()).onLost(lost::add);
					}

				}));
		engine.start();
		engine.acquireAsync(ORDER, Duration.ZERO).thenAccept(lock::set);
		this.fake.grant().lose("gone");
		assertThat(lost).hasSize(1);
	}

	@Test
	void leaseThatIsTooLongOrTooShortIsNotExtendedTo() {
		LockHandle lock = this.fake.held(ORDER);
		assertThatIllegalArgumentException().isThrownBy(() -> lock.extend(Duration.ofSeconds(60).plusNanos(1)))
			.withMessage("Lease time PT1M0.000000001S of lock 'order' is longer than "
					+ "distributed-lock.max-lease-time (PT1M)");
		assertThatIllegalArgumentException().isThrownBy(() -> lock.extend(Duration.ofNanos(999_999)))
			.withMessageEndingWith("is shorter than 1 ms");
		assertThatIllegalArgumentException().isThrownBy(() -> lock.extend(Duration.ofSeconds(Long.MIN_VALUE)))
			.withMessageEndingWith("is shorter than 1 ms");
		assertThat(this.fake.store.calls()).noneMatch((call) -> call.startsWith("extend"));
		lock.extend(Duration.ofSeconds(60));
		lock.extend(Duration.ofMillis(1));
		assertThat(this.fake.store.calls()).contains("extend order by PT1M", "extend order by PT0.001S");
	}

	@Test
	void leaseThatIsTooLongOrTooShortIsNotAskedFor() {
		assertThatIllegalArgumentException()
			.isThrownBy(() -> this.fake.acquire(ORDER.leaseTime(Duration.ofSeconds(61))));
		assertThatIllegalArgumentException()
			.isThrownBy(() -> this.fake.acquire(ORDER.leaseTime(Duration.ofNanos(999_999))));
		assertThat(this.fake.store.contenders()).isEmpty();
	}

	@Test
	void lockThatWasLostOrReleasedIsNotExtended() {
		CompletableFuture<LockHandle> lost = this.fake.acquire(ORDER);
		FakeGrant grant = this.fake.grant();
		grant.end();
		assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> lost.join().extend(Duration.ofSeconds(10)));
		LockHandle closed = this.fake.held(LockRequest.of("stock"));
		closed.closeAsync();
		assertThatIllegalStateException().isThrownBy(() -> closed.extend(Duration.ofSeconds(10)))
			.withMessageContaining("its handle is closed");
		assertThat(this.fake.store.calls()).noneMatch((call) -> call.startsWith("extend"));
	}

	/** The two say different things to the user. */
	@Test
	void extensionThatFailsSinceTheLockWasLostMeanwhileSaysSo() {
		CompletableFuture<LockHandle> lost = this.fake.acquire(ORDER);
		FakeGrant grant = this.fake.grant();
		grant.extensionsFail();
		assertThatExceptionOfType(LockUnavailableException.class)
			.isThrownBy(() -> lost.join().extend(Duration.ofSeconds(10)))
			.withMessageContaining("no quorum confirmed");
		grant.beforeNextLook(() -> grant.beforeNextLook(grant::end));
		assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> lost.join().extend(Duration.ofSeconds(10)));
	}

	@Test
	void lockIsReleasedOnceItsReleaseIsConfirmed() {
		returnsBehindTheReplies(LockHandle::close, "release");
	}

	@Test
	void lockIsDowngradedOnceThatIsConfirmed() {
		returnsBehindTheReplies(LockHandle::downgrade, "renew");
	}

	private static void returnsBehindTheReplies(Consumer<LockHandle> call, String operation) {
		ScriptedCluster cluster = new ScriptedCluster(3);
		LockHandle lock = cluster.acquire(ORDER).join();
		cluster.silence();
		AtomicBoolean replied = new AtomicBoolean();
		CompletableFuture<Boolean> behind = CompletableFuture.supplyAsync(() -> {
			call.accept(lock);
			return replied.get();
		});
		Awaitility.await().until(() -> cluster.nodes.get(2).operations().contains(operation));
		replied.set(true);
		cluster.nodes.forEach((node) -> node.last().grant());
		assertThat(behind.join()).isTrue();
	}

	@Test
	void closedHandleHasNoTimeLeft() {
		LockHandle lock = this.fake.held(ORDER);
		LockHandle inner = ((ReentrantLockHandle) lock).reenter(List.of("order"));
		assertThat(inner.remaining()).isPositive();
		inner.closeAsync();
		assertThat(inner.remaining()).isZero();
		assertThat(lock.remaining()).isPositive();
	}

	@Test
	void writerThatWasDowngradedDoesNotHoldTheLockAtLeast() {
		LockHandle lock = this.fake.held(ORDER);
		lock.downgrade();
		assertThatIllegalStateException().isThrownBy(() -> lock.holdAtLeast(Duration.ofSeconds(10)))
			.withMessageContaining("is shared");
		lock.closeAsync();
		assertThat(this.fake.store.releases().get(0).cooldown()).isZero();
	}

	@Test
	void holdThatNoRequestMayAskForIsRefused() {
		LockHandle lock = this.fake.held(ORDER);
		assertThatIllegalArgumentException().isThrownBy(() -> lock.holdAtLeast(Duration.ofSeconds(-1)));
		assertThatIllegalArgumentException().isThrownBy(() -> lock.holdAtLeast(Duration.ofDays(100_000)));
		lock.closeAsync();
		assertThat(this.fake.store.releases().get(0).cooldown()).isZero();
	}

	@Test
	void readerDoesNotHoldTheLockAtLeast() {
		LockHandle lock = this.fake.held(ORDER.shared());
		assertThatIllegalStateException().isThrownBy(() -> lock.holdAtLeast(Duration.ofSeconds(10)))
			.withMessageContaining("is shared");
	}

	@Test
	void leaseThatItsRequestRetainsCoolsDownInstead() {
		LockHandle lock = this.fake.held(ORDER.retainTime(Duration.ofSeconds(20)));
		lock.holdAtLeast(Duration.ofSeconds(10));
		lock.closeAsync();
		assertThat(this.fake.store.releases().get(0).cooldown()).isEqualTo(Duration.ofSeconds(10));
	}

	/** From now on, and not from the grant. */
	@Test
	void holdBeginsWhenItIsAskedFor() {
		LockHandle lock = this.fake.held(ORDER);
		this.fake.time.advance(Duration.ofSeconds(20));
		lock.holdAtLeast(Duration.ofSeconds(10));
		this.fake.time.advance(Duration.ofSeconds(3));
		lock.closeAsync();
		assertThat(this.fake.store.releases().get(0).cooldown()).isEqualTo(Duration.ofSeconds(7));
	}

	@Test
	void handleOfSomeNamesKnowsOnlyTheirTokensAndReentersNoOthers() {
		ScriptedCluster cluster = new ScriptedCluster(1);
		LockHandle all = cluster.acquire(LockRequest.ofAll("a", "b", "c")).join();
		assertThat(all.fencingToken("b")).isPositive();
		LockHandle last = ((ReentrantLockHandle) all).reenter(List.of("c"));
		assertThat(last.fencingToken()).isEqualTo(all.fencingToken("c"));
		assertThatIllegalArgumentException().isThrownBy(() -> last.fencingToken("a"));
		assertThatIllegalArgumentException().isThrownBy(() -> ((ReentrantLockHandle) last).reenter(List.of("a", "c")));
	}

	@Test
	void handleOfSeveralNamesHasNoTokenOfItsOwn() {
		LockHandle both = this.fake.held(LockRequest.ofAll("a", "b"));
		assertThatIllegalStateException().isThrownBy(both::fencingToken)
			.withMessage("Lock 'a,b' has a fencing token per name: ask for one with fencingToken(name)");
	}

	@Test
	void handleSaysWhyItHasNoToken() {
		CompletableFuture<LockHandle> lock = this.fake.acquire(ORDER);
		this.fake.store.contender().grant(FakeGrant::unfenced);
		assertThatIllegalStateException().isThrownBy(() -> lock.join().fencingToken())
			.withMessage("Lock 'order' has no fencing token: distributed-lock.fencing.enabled is false");
	}

	/** Each name has a fence of its own. */
	@Test
	void handleOfTheSecondNameHasTheTokenOfTheSecondName() {
		ScriptedCluster cluster = new ScriptedCluster(1);
		cluster.acquire(LockRequest.of("b")).join().closeAsync();
		LockHandle both = cluster.acquire(LockRequest.ofAll("a", "b")).join();
		HeldLease lease = cluster.engine.leases().iterator().next();
		long[] tokens = lease.grant.tokens();
		assertThat(tokens).hasSize(2);
		assertThat(both.fencingToken("a")).isEqualTo(tokens[0]);
		assertThat(((ReentrantLockHandle) both).reenter(List.of("b")).fencingToken()).isEqualTo(tokens[1]);
	}

	@Test
	void callbacksOfAClosedHandleDoNotRun() {
		CompletableFuture<LockHandle> lock = this.fake.acquire(ORDER);
		FakeGrant grant = this.fake.grant();
		LockHandle inner = ((ReentrantLockHandle) lock.join()).reenter(List.of("order"));
		List<Object> events = new ArrayList<>();
		inner.onReleaseRequested(events::add);
		inner.closeAsync();
		inner.onLost(events::add);
		inner.onAtRisk(events::add);
		inner.onReleaseRequested(events::add);
		grant.requestRelease(Duration.ofSeconds(1));
		grant.risk("no reply");
		grant.lose("another has it");
		assertThat(events).isEmpty();
	}

	@Test
	void callbackThatFailsDoesNotKeepOthersFromRunning() {
		CompletableFuture<LockHandle> lock = this.fake.acquire(ORDER);
		FakeGrant grant = this.fake.grant();
		List<ReleaseRequest> requests = new ArrayList<>();
		List<LockLostEvent> losses = new ArrayList<>();
		List<LockAtRiskEvent> risks = new ArrayList<>();
		LockHandle handle = lock.join();
		handle.onReleaseRequested((request) -> fail());
		handle.onReleaseRequested(requests::add);
		handle.onAtRisk((event) -> fail());
		handle.onAtRisk(risks::add);
		handle.onLost((event) -> fail());
		handle.onLost(losses::add);
		grant.requestRelease(Duration.ofSeconds(1));
		grant.risk("no reply");
		grant.lose("another has it");
		assertThat(requests).hasSize(1);
		assertThat(risks).hasSize(1);
		assertThat(losses).hasSize(1);
	}

	private static void fail() {
		throw new AssertionError("on purpose");
	}

	@Test
	void permitAndReaderAreNotDowngraded() {
		LockHandle reader = this.fake.held(ORDER.shared());
		assertThatIllegalStateException().isThrownBy(reader::downgrade);
		LockHandle permit = this.fake.held(LockRequest.of("export").permits(2));
		assertThatIllegalStateException().isThrownBy(permit::downgrade);
		assertThat(permit.mode()).isEqualTo(LockMode.EXCLUSIVE);
	}

	/** Its holder would go on as a reader of what others write. */
	@Test
	void writerThatLosesItsLeaseAsItIsDowngradedIsTold() {
		CompletableFuture<LockHandle> lock = this.fake.acquire(ORDER);
		FakeGrant grant = this.fake.grant();
		LockHandle writer = lock.join();
		grant.beforeNextLook(() -> grant.beforeNextLook(grant::end));
		assertThatExceptionOfType(LockLostException.class).isThrownBy(writer::downgrade);
	}

}
