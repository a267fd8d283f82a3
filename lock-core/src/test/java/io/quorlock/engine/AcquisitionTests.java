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
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;

import org.junit.jupiter.api.Test;

import io.quorlock.LockHandle;
import io.quorlock.LockNotAcquiredException;
import io.quorlock.LockRequest;
import io.quorlock.LockUnavailableException;
import io.quorlock.Settings;
import io.quorlock.engine.event.LockListener;
import io.quorlock.store.ClaimFailure;
import io.quorlock.store.FakeContender;
import io.quorlock.store.FakeGrant;
import io.quorlock.store.FakeLeaseStore;
import io.quorlock.time.LockClock;
import io.quorlock.time.LockTimer;
import io.quorlock.time.ManualTime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link Acquisition}: which requests of one instance wait for each other, and
 * which ask for themselves.
 */
class AcquisitionTests {

	private static final LockRequest ORDER = LockRequest.of("order");

	private static final LockRequest AT_ONCE = ORDER.waitTime(Duration.ZERO);

	private static final ClaimFailure HELD = new ClaimFailure.Held("other@host:2", "other@host:2 holds it");

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
	void requestWithoutAWaitForOtherPermitsAsksForItself() {
		this.fake.acquire(ORDER.permits(2));
		this.fake.acquire(AT_ONCE.permits(1));
		assertThat(asked()).isEqualTo(2);
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

	/** It would stay there for ever, in the way of every writer. */
	@Test
	void readerThatSharesALeaseTakesNoPlaceInTheQueue() {
		LockHandle first = this.fake.held(ORDER.shared());
		LockHandle second = this.fake.acquire(ORDER.shared()).join();
		first.closeAsync();
		second.closeAsync();
		this.fake.acquire(ORDER);
		assertThat(asked()).isEqualTo(2);
	}

	/** Readers that come and go would starve the writer. */
	@Test
	void readerWithoutAWaitIsRefusedBehindAWriterThatWaits() {
		this.fake.held(ORDER.shared());
		CompletableFuture<LockHandle> writer = this.fake.acquire(ORDER);
		assertThat(this.fake.acquire(AT_ONCE.shared())).failsWithin(Duration.ZERO)
			.withThrowableThat()
			.withCauseInstanceOf(LockNotAcquiredException.class)
			.withMessageContaining("another thread of this instance is in front of it");
		assertThat(asked()).isOne();
		assertThat(writer).isNotDone();
	}

	@Test
	void readerInFrontOfAWriterKeepsItsPlaceWhenAWriterIsGranted() {
		CompletableFuture<LockHandle> first = this.fake.acquire(ORDER);
		CompletableFuture<LockHandle> reader = this.fake.acquire(ORDER.shared());
		CompletableFuture<LockHandle> writer = this.fake.acquire(ORDER);
		this.fake.grant();
		first.join().closeAsync();
		assertThat(reader).isCompletedWithValueMatching(LockHandle::isHeld);
		assertThat(writer).isNotDone();
	}

	@Test
	void requestWithoutAWaitFollowsOneThatIsAboutToAsk() {
		List<CompletableFuture<LockHandle>> followers = new ArrayList<>();
		this.fake.store.beforeNextClaim(() -> followers.add(this.fake.acquire(AT_ONCE)));
		CompletableFuture<LockHandle> first = this.fake.acquire(ORDER);
		assertThat(asked()).isOne();
		assertThat(followers).singleElement().satisfies((follower) -> assertThat(follower).isNotDone());
		this.fake.store.contender().refuseFollowers(HELD);
		assertThat(followers.get(0)).isCompletedExceptionally();
		assertThat(first).isNotDone();
		assertThat(this.fake.time.pending()).as("its limit is over").isZero();
	}

	/** It was in front a moment ago, and nobody would tell the outcome any more. */
	@Test
	void requestThatWouldFollowOneThatHasJustEndedAsksForItself() {
		List<Runnable> events = new ArrayList<>();
		LockTimer timer = (delay, task) -> {
			events.forEach(Runnable::run);
			return this.fake.time.schedule(delay, task);
		};
		LockEngine engine = new LockEngine(TestSettings.defaults("app@host:1").engine(), this.fake.store,
				this.fake.time, timer, Runnable::run);
		engine.start();
		CompletableFuture<LockHandle> first = engine.acquireAsync(ORDER, Duration.ofSeconds(5));
		events.add(() -> this.fake.store.contender().fail(HELD));
		CompletableFuture<LockHandle> second = engine.acquireAsync(AT_ONCE, Duration.ZERO);
		assertThat(first).isCompletedExceptionally();
		assertThat(second).isNotDone();
		assertThat(asked()).isEqualTo(2);
		this.fake.grant();
		assertThat(second).isCompletedWithValueMatching(LockHandle::isHeld);
	}

	@Test
	void outcomeOfAQuestionThatItFollowedBeforeTouchesNoRequest() {
		this.fake.acquire(ORDER);
		CompletableFuture<LockHandle> second = this.fake.acquire(AT_ONCE);
		FakeContender first = this.fake.store.contender();
		first.fail(HELD);
		first.refuseFollowers(HELD);
		assertThat(second).isNotDone();
		this.fake.engine.stop();
		assertThat(second).isCompletedExceptionally();
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
		FakeStoreEngine without = new FakeStoreEngine((settings) -> settings.set(EngineSettings::handoverMax, 0)
			.set(EngineSettings::handoverMaxDuration, Duration.ofMillis(50)));
		without.held(ORDER.shared());
		CompletableFuture<LockHandle> second = without.acquire(ORDER.shared());
		assertThat(second).isNotDone();
		assertThat(without.store.contenders()).hasSize(2);
	}

	@Test
	void readerThatFixesItsLeaseDoesNotWaitForOneThatOthersMayShare() {
		this.fake.acquire(ORDER.shared());
		CompletableFuture<LockHandle> fixed = this.fake.acquire(ORDER.shared().leaseTime(Duration.ofSeconds(1)));
		assertThat(asked()).isEqualTo(2);
		this.fake.store.contenders().get(1).grant();
		assertThat(fixed).isCompletedWithValueMatching(LockHandle::isHeld);
	}

	@Test
	void readerSharesTheLeaseThatItMayBesideOneThatAnotherReaderHasFixed() {
		this.fake.held(ORDER.shared().leaseTime(Duration.ofSeconds(1)));
		this.fake.held(ORDER.shared());
		assertThat(this.fake.acquire(ORDER.shared())).isCompletedWithValueMatching(LockHandle::isHeld);
		assertThat(asked()).isEqualTo(2);
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

	/** It may be lucky where the one in front was not. */
	@Test
	void requestWithoutAWaitAsksForItselfOnceTheOneInFrontHasFailed() {
		CompletableFuture<LockHandle> first = this.fake.acquire(ORDER);
		CompletableFuture<LockHandle> second = this.fake.acquire(AT_ONCE);
		this.fake.store.contender().fail(new ClaimFailure.Unavailable("no node replied"));
		assertThat(first).isCompletedExceptionally();
		assertThat(second).isNotDone();
		assertThat(asked()).isEqualTo(2);
		this.fake.grant();
		assertThat(second).isCompletedWithValueMatching(LockHandle::isHeld);
	}

	@Test
	void outcomeOfARequestThatIsCancelledIsReportedOnce() {
		List<String> outcomes = new ArrayList<>();
		FakeStoreEngine observed = new FakeStoreEngine(new LockListener() {

			@Override
			public void onAcquired(LockRequest request, LockHandle handle, Duration waited, int attempts) {
				outcomes.add("acquired " + request.baseName());
			}

			@Override
			public void onNotAcquired(LockRequest request, boolean unavailable, Duration waited, int attempts) {
				outcomes.add("not acquired " + request.baseName());
			}

		});
		observed.acquire(ORDER).cancel(false);
		observed.store.contender().fail(new ClaimFailure.Cancelled());
		observed.acquire(LockRequest.of("stock")).cancel(false);
		observed.grant();
		assertThat(outcomes).containsExactly("not acquired order", "not acquired stock");
		assertThat(observed.store.releases()).hasSize(1);
	}

	@Test
	void requestThatTookALeaseAndAsksBehindItsReleaseAsksForThoseThatFollowIt() {
		LockRequest retained = ORDER.retainTime(Duration.ofSeconds(20));
		CompletableFuture<LockHandle> first = this.fake.acquire(retained);
		FakeGrant grant = this.fake.grant();
		first.join().closeAsync();
		List<CompletableFuture<LockHandle>> followers = new ArrayList<>();
		grant.staysWhereItIs();
		grant.beforeNextPass(() -> followers.add(this.fake.acquire(AT_ONCE)));
		CompletableFuture<LockHandle> second = this.fake.acquire(retained);
		assertThat(followers).singleElement().satisfies((follower) -> assertThat(follower).isNotDone());
		assertThat(asked()).isEqualTo(2);
		this.fake.store.contender().refuseFollowers(HELD);
		assertThat(followers.get(0)).isCompletedExceptionally();
		assertThat(second).isNotDone();
	}

	@Test
	void requestThatFollowsOneThatTakesALeaseIsRefusedBecauseOfIt() {
		LockRequest retained = ORDER.retainTime(Duration.ofSeconds(20));
		CompletableFuture<LockHandle> first = this.fake.acquire(retained);
		FakeGrant grant = this.fake.grant();
		first.join().closeAsync();
		List<CompletableFuture<LockHandle>> followers = new ArrayList<>();
		grant.beforeNextPass(() -> followers.add(this.fake.acquire(AT_ONCE)));
		assertThat(this.fake.acquire(retained)).isCompletedWithValueMatching(LockHandle::isHeld);
		assertThat(followers.get(0)).failsWithin(Duration.ZERO)
			.withThrowableThat()
			.withCauseInstanceOf(LockNotAcquiredException.class);
	}

	@Test
	void readersThatWaitShareTheLeaseOfTheReaderThatAsked() {
		this.fake.acquire(ORDER.shared());
		CompletableFuture<LockHandle> second = this.fake.acquire(ORDER.shared());
		CompletableFuture<LockHandle> third = this.fake.acquire(ORDER.shared());
		this.fake.grant();
		assertThat(second).isCompletedWithValueMatching(LockHandle::isHeld);
		assertThat(third).isCompletedWithValueMatching(LockHandle::isHeld);
		assertThat(asked()).isOne();
	}

	/** Two others may hold the name, of which the last asks for one permit alone. */
	@Test
	void permitOfMoreIsNotHandedToARequestForFewer() {
		LockHandle first = this.fake.held(ORDER.permits(2));
		this.fake.held(ORDER.permits(2));
		CompletableFuture<LockHandle> only = this.fake.acquire(ORDER.permits(1));
		first.closeAsync();
		assertThat(only).isNotDone();
		assertThat(this.fake.store.releases()).hasSize(1);
	}

	@Test
	void requestThatCannotUseAnUnusedLeaseTakesItsPlace() {
		this.fake.held(ORDER.retainTime(Duration.ofSeconds(20))).closeAsync();
		this.fake.acquire(AT_ONCE.leaseTime(Duration.ofSeconds(1)));
		assertThat(this.fake.store.releases()).hasSize(1);
		assertThat(asked()).isEqualTo(2);
		this.fake.acquire(ORDER);
		assertThat(asked()).as("the next one waits behind it").isEqualTo(2);
	}

	@Test
	void requestForSeveralNamesEndsAllUnusedLeasesInItsWay() {
		this.fake.held(ORDER.retainTime(Duration.ofSeconds(20))).closeAsync();
		this.fake.held(LockRequest.of("stock").retainTime(Duration.ofSeconds(20))).closeAsync();
		this.fake.acquire(LockRequest.ofAll("order", "stock").waitTime(Duration.ZERO));
		assertThat(this.fake.store.releases()).hasSize(2);
	}

	@Test
	void leaseWhoseTimeIsOverIsNotKept() {
		CompletableFuture<LockHandle> lock = this.fake.acquire(ORDER.retainTime(Duration.ofSeconds(20)));
		this.fake.grant().end();
		lock.join().closeAsync();
		this.fake.acquire(ORDER);
		assertThat(asked()).isEqualTo(2);
	}

	@Test
	void leaseThatIsLostAsItIsTakenIsNotReleased() {
		LockRequest retained = ORDER.retainTime(Duration.ofSeconds(20));
		CompletableFuture<LockHandle> first = this.fake.acquire(retained);
		FakeGrant grant = this.fake.grant();
		first.join().closeAsync();
		grant.beforeNextPass(() -> grant.lose("another has it"));
		CompletableFuture<LockHandle> second = this.fake.acquire(retained);
		assertThat(this.fake.store.releases()).isEmpty();
		assertThat(asked()).isEqualTo(2);
		this.fake.grant();
		assertThat(second).isCompletedWithValueMatching(LockHandle::isHeld);
	}

	@Test
	void leaseThatIsLostAsItIsOfferedIsNotReleased() {
		CompletableFuture<LockHandle> first = this.fake.acquire(ORDER.retainTime(Duration.ofSeconds(20)));
		FakeGrant grant = this.fake.grant();
		first.join().closeAsync();
		grant.beforeNextPass(() -> grant.lose("another has it"));
		CompletableFuture<LockHandle> second = this.fake.acquire(ORDER.leaseTime(Duration.ofSeconds(10)));
		assertThat(this.fake.store.releases()).isEmpty();
		assertThat(asked()).isEqualTo(2);
		this.fake.grant();
		assertThat(second).isCompletedWithValueMatching(LockHandle::isHeld);
	}

	/** It has left the queue before it entered it, and would not wake up the next. */
	@Test
	void requestThatIsCancelledAsItEntersTheQueueLeavesItsTurnToTheNext() {
		AtomicBoolean cancelling = new AtomicBoolean();
		// No reader joins any more.
		LockEngine engine = cancelling(cancelling, Duration.ofSeconds(1));
		Duration wait = Duration.ofSeconds(5);
		CompletableFuture<LockHandle> writer = engine.acquireAsync(ORDER, wait);
		this.fake.grant();
		CompletableFuture<LockHandle> reader = engine.acquireAsync(ORDER.shared(), wait);
		writer.join().closeAsync();
		cancelling.set(true);
		assertThat(engine.acquireAsync(ORDER.shared(), wait)).isCompletedExceptionally();
		CompletableFuture<LockHandle> next = engine.acquireAsync(ORDER, wait);
		reader.join().closeAsync();
		assertThat(this.fake.store.releases()).singleElement()
			.satisfies((released) -> assertThat(released.next()).isNotNull());
		this.fake.grant();
		assertThat(next).isCompletedWithValueMatching(LockHandle::isHeld);
	}

	/** Nobody would close its handle. */
	@Test
	void readerThatIsCancelledAsItSharesALeaseDoesNotKeepIt() {
		AtomicBoolean cancelling = new AtomicBoolean();
		List<LockRequest> released = new ArrayList<>();
		LockEngine engine = cancelling(cancelling, Duration.ZERO, new LockListener() {

			@Override
			public void onReleased(LockRequest request, Duration held) {
				released.add(request);
			}

		});
		CompletableFuture<LockHandle> first = engine.acquireAsync(ORDER.shared(), Duration.ofSeconds(5));
		this.fake.grant();
		cancelling.set(true);
		assertThat(engine.acquireAsync(ORDER.shared(), Duration.ofSeconds(5))).isCompletedExceptionally();
		assertThat(asked()).isOne();
		assertThat(released).as("nobody had it").isEmpty();
		first.join().closeAsync();
		assertThat(this.fake.store.releases()).hasSize(1);
	}

	/** A stop would say that the lock was held. */
	@Test
	void requestThatIsCancelledAsALeaseIsHandedToItIsNoHolder() {
		AtomicBoolean cancelling = new AtomicBoolean();
		LockEngine engine = cancelling(cancelling, Duration.ZERO);
		LockRequest retained = ORDER.retainTime(Duration.ofSeconds(20));
		CompletableFuture<LockHandle> first = engine.acquireAsync(retained, Duration.ofSeconds(5));
		FakeGrant grant = this.fake.grant();
		CompletableFuture<LockHandle> second = engine.acquireAsync(retained, Duration.ofSeconds(5));
		grant.beforeNextPass(() -> cancelling.set(true));
		first.join().closeAsync();
		assertThat(second).isCompletedExceptionally();
		assertThat(grant.passed()).isOne();
		assertThat(engine.leases()).singleElement().satisfies((lease) -> {
			assertThat(lease.isRetained()).isTrue();
			assertThat(lease.holders()).isEmpty();
		});
	}

	@Test
	void holderIsToldOfTheLossBeforeTheNextRequestAsks() {
		CompletableFuture<LockHandle> first = this.fake.acquire(ORDER);
		FakeGrant grant = this.fake.grant();
		this.fake.acquire(ORDER);
		List<Integer> askedWhenTold = new ArrayList<>();
		first.join().onLost((event) -> askedWhenTold.add(asked()));
		grant.lose("another has it");
		assertThat(askedWhenTold).containsExactly(1);
		assertThat(asked()).isEqualTo(2);
	}

	/**
	 * Return an engine that cancels a request as it looks whether it may share a lease.
	 */
	private LockEngine cancelling(AtomicBoolean cancelling, Duration pause, LockListener... listeners) {
		List<LockEngine> engines = new ArrayList<>(1);
		LockClock clock = this.fake.time.beforeLook(
				() -> engines.stream().flatMap((engine) -> engine.acquisitions.stream()).toList().forEach((request) -> {
					if (cancelling.compareAndSet(true, false)) {
						this.fake.time.pause(pause);
						request.cancel(request.call.cancelled());
					}
				}));
		LockEngine engine = new LockEngine(TestSettings.defaults("app@host:1").engine(), this.fake.store, clock,
				this.fake.time, Runnable::run, List.of(listeners), List.of());
		engines.add(engine);
		engine.start();
		return engine;
	}

	/** It was cancelled in between, so that nobody asks for it. */
	@Test
	void requestThatIsCancelledAsItTakesALeaseLeavesTheNameToTheNext() {
		LockRequest retained = ORDER.retainTime(Duration.ofSeconds(20));
		CompletableFuture<LockHandle> first = this.fake.acquire(retained);
		FakeGrant grant = this.fake.grant();
		first.join().closeAsync();
		List<CompletableFuture<LockHandle>> others = new ArrayList<>();
		grant.staysWhereItIs();
		grant.beforeNextPass(() -> {
			Acquisition taker = this.fake.engine.acquisitions.iterator().next();
			others.add(this.fake.acquire(ORDER));
			others.add(this.fake.acquire(AT_ONCE));
			taker.cancel(taker.call.cancelled());
		});
		assertThat(this.fake.acquire(retained)).isCompletedExceptionally();
		assertThat(this.fake.store.releases()).hasSize(1);
		FakeContender next = this.fake.store.contender();
		assertThat(next.isStarted()).isTrue();
		next.refuseFollowers(HELD);
		assertThat(others.get(1)).isCompletedExceptionally();
		next.grant();
		assertThat(others.get(0)).isCompletedWithValueMatching(LockHandle::isHeld);
	}

	/** It has no holder here yet, but will have one that permits do not exclude. */
	@Test
	void permitOfANameForWhichALockIsWaitedIsRefused() {
		this.fake.held(LockRequest.of("stock"));
		CompletableFuture<LockHandle> both = this.fake.acquire(LockRequest.ofAll("order", "stock"));
		assertThat(both).isNotDone();
		assertThatIllegalArgumentException().isThrownBy(() -> this.fake.acquire(ORDER.permits(2)))
			.withMessageContaining("used with permits and without");
		assertThat(this.fake.engine.acquisitions).as("the refused one is forgotten").hasSize(1);
	}

	@Test
	void requestWithoutAWaitAsksForItselfOnceTheOneWhoseTurnCameIsCancelled() {
		LockHandle held = this.fake.held(ORDER.leaseTime(Duration.ofSeconds(10)));
		CompletableFuture<LockHandle> next = this.fake.acquire(ORDER);
		List<CompletableFuture<LockHandle>> followers = new ArrayList<>();
		this.fake.store.beforeNextClaim(() -> {
			followers.add(this.fake.acquire(AT_ONCE));
			next.cancel(true);
		});
		held.closeAsync();
		assertThat(this.fake.store.calls()).endsWith("release order", "start order");
		this.fake.grant();
		assertThat(followers.get(0)).isCompletedWithValueMatching(LockHandle::isHeld);
	}

	/** Another thread cancels it, and has not taken it out of the queue yet. */
	@Test
	void requestBehindOneThatIsBeingCancelledAsItsTurnComesAsksInItsPlace() {
		AtomicReference<Runnable> whileCancelled = new AtomicReference<>(() -> {
		});
		FakeLeaseStore store = new FakeLeaseStore();
		ManualTime time = new ManualTime();
		LockTimer timer = (nanos, work) -> {
			LockTimer.Timeout timeout = time.schedule(nanos, work);
			return () -> {
				timeout.cancel();
				whileCancelled.getAndSet(() -> {
				}).run();
			};
		};
		LockEngine engine = new LockEngine(TestSettings.defaults("app@host:1").engineBuilder().build(), store, time,
				timer, Runnable::run);
		engine.start();
		CompletableFuture<LockHandle> held = engine.acquireAsync(ORDER.leaseTime(Duration.ofSeconds(10)),
				Duration.ofSeconds(5));
		store.contender().grant();
		CompletableFuture<LockHandle> next = engine.acquireAsync(ORDER, Duration.ofSeconds(5));
		CompletableFuture<LockHandle> last = engine.acquireAsync(ORDER, Duration.ofSeconds(5));
		whileCancelled.set(() -> held.join().closeAsync());
		next.cancel(true);
		assertThat(store.calls()).endsWith("release order", "start order");
		store.contender().grant();
		assertThat(last).isCompletedWithValueMatching(LockHandle::isHeld);
	}

	@Test
	void requestWithoutAWaitAsksForItselfOnceTheOneThatWasAboutToAskIsCancelled() {
		List<CompletableFuture<LockHandle>> followers = new ArrayList<>();
		this.fake.store.beforeNextClaim(() -> {
			Acquisition first = this.fake.engine.acquisitions.iterator().next();
			followers.add(this.fake.acquire(AT_ONCE));
			first.cancel(first.call.cancelled());
		});
		assertThat(this.fake.acquire(ORDER)).isCompletedExceptionally();
		assertThat(followers.get(0)).isNotDone();
		this.fake.grant();
		assertThat(followers.get(0)).isCompletedWithValueMatching(LockHandle::isHeld);
	}

	/** Nobody holds it yet, and a place is no hold (R13). */
	@Test
	void readerWithoutAWaitPassesAWriterThatOnlyWaitsForAnotherName() {
		this.fake.held(LockRequest.of("stock"));
		CompletableFuture<LockHandle> both = this.fake.acquire(LockRequest.ofAll("order", "stock"));
		CompletableFuture<LockHandle> reader = this.fake.acquire(AT_ONCE.shared());
		assertThat(both).isNotDone();
		assertThat(reader).isNotDone();
		this.fake.grant();
		assertThat(reader).isCompletedWithValueMatching(LockHandle::isHeld);
	}

	/** In the queues of several names others would wait behind it until its turn came. */
	@Test
	void requestThatIsCancelledAsItEntersTheQueuesKeepsNobodyWaiting() {
		this.fake.acquire(LockRequest.of("stock"));
		LockCall call = new LockCall(this.fake.engine, LockRequest.ofAll("order", "stock"), Duration.ofSeconds(5));
		Acquisition both = new Acquisition(call);
		both.cancel(call.cancelled());
		both.start(true);
		this.fake.acquire(ORDER);
		assertThat(this.fake.store.calls()).endsWith("start stock", "start order");
		assertThat(this.fake.engine.acquisitions).hasSize(2);
	}

	@Test
	void permitIsNotRefusedWhileAnotherIsOnlyAskedFor() {
		this.fake.held(ORDER.permits(2));
		this.fake.acquire(ORDER.permits(2));
		CompletableFuture<LockHandle> third = this.fake.acquire(AT_ONCE.permits(2));
		assertThat(third).isNotDone();
		this.fake.store.contender().refuseFollowers(new ClaimFailure.Unavailable("no node replied"));
		assertThat(third).failsWithin(Duration.ZERO)
			.withThrowableThat()
			.withCauseInstanceOf(LockUnavailableException.class);
	}

	@Test
	void requestThatWaitedBehindOneThatAsksForTheLastPermitIsToldWhatThatIsTold() {
		this.fake.held(ORDER.permits(2));
		this.fake.acquire(ORDER.permits(2));
		this.fake.store.contender().answered(new ClaimFailure.Unavailable("no node replied"));
		CompletableFuture<LockHandle> third = this.fake.acquire(ORDER.permits(2).waitTime(Duration.ofSeconds(1)));
		this.fake.time.advance(Duration.ofSeconds(1));
		assertThat(third).failsWithin(Duration.ZERO)
			.withThrowableThat()
			.withCauseInstanceOf(LockUnavailableException.class);
	}

	/** The second may get none, so that there is one for the third. */
	@Test
	void permitIsNotRefusedBecauseTheFirstOfTwoThatAskGetsOne() {
		this.fake.acquire(ORDER.permits(2));
		CompletableFuture<LockHandle> second = this.fake.acquire(ORDER.permits(2));
		CompletableFuture<LockHandle> third = this.fake.acquire(AT_ONCE.permits(2));
		List<FakeContender> asked = List.copyOf(this.fake.store.contenders());
		assertThat(asked).hasSize(2);
		asked.get(0).grant();
		assertThat(third).isNotDone();
		second.cancel(true);
		asked.get(1).fail(new ClaimFailure.Cancelled());
		assertThat(asked()).isEqualTo(3);
		this.fake.grant();
		assertThat(third).isCompletedWithValueMatching(LockHandle::isHeld);
	}

	@Test
	void permitIsRefusedOnceAllOfThemAreHeldHere() {
		this.fake.held(ORDER.permits(2));
		this.fake.acquire(ORDER.permits(2));
		CompletableFuture<LockHandle> third = this.fake.acquire(AT_ONCE.permits(2));
		this.fake.grant();
		assertThat(third).failsWithin(Duration.ZERO)
			.withThrowableThat()
			.withCauseInstanceOf(LockNotAcquiredException.class);
	}

	@Test
	void allReadersThatWaitedForAWriterAskOnceItHasLeft() {
		LockHandle writer = this.fake.held(ORDER);
		LockRequest fixed = ORDER.shared().leaseTime(Duration.ofSeconds(10));
		this.fake.acquire(fixed);
		this.fake.acquire(fixed);
		assertThat(asked()).isOne();
		writer.closeAsync();
		assertThat(this.fake.store.contenders()).hasSize(3).allMatch(FakeContender::isStarted);
	}

	/** However long it was a writer: the time for hand-overs begins anew. */
	@Test
	void readerThatWaitsSharesTheLeaseOfAWriterThatWasDowngraded() {
		LockHandle writer = this.fake.held(ORDER);
		CompletableFuture<LockHandle> reader = this.fake.acquire(ORDER.shared());
		this.fake.time.advance(Duration.ofSeconds(1));
		writer.downgrade();
		assertThat(reader).isCompletedWithValueMatching(LockHandle::isHeld);
		assertThat(asked()).isOne();
	}

	@Test
	void readerAsksBesideAWriterThatWasDowngraded() {
		LockHandle writer = this.fake.held(ORDER);
		this.fake.acquire(ORDER.shared().leaseTime(Duration.ofSeconds(10)));
		assertThat(asked()).isOne();
		writer.downgrade();
		assertThat(asked()).isEqualTo(2);
		assertThat(writer.isHeld()).isTrue();
	}

	@Test
	void writerWhoseWaitIsOverKeepsNoReaderOut() {
		this.fake.held(ORDER.shared());
		CompletableFuture<LockHandle> writer = this.fake.acquire(ORDER);
		this.fake.time.advance(Duration.ofSeconds(5));
		assertThat(writer).isCompletedExceptionally();
		CompletableFuture<LockHandle> reader = this.fake.acquire(ORDER.shared());
		assertThat(reader).isNotDone();
		this.fake.grant();
		assertThat(reader).isCompletedWithValueMatching(LockHandle::isHeld);
	}

	/** Between the look whether the engine runs, and the place in the queue. */
	@Test
	void requestThatTheStopDidNotSeeEnds() {
		List<LockEngine> engines = new ArrayList<>();
		LockEngine engine = new LockEngine(Settings.engine("app@host:1").build(), this.fake.store, this.fake.time,
				this.fake.time, Runnable::run, List.of(), List.of((request) -> {
					engines.forEach(LockEngine::stop);
					return null;
				}));
		engines.add(engine);
		engine.start();
		CompletableFuture<LockHandle> lock = engine.acquireAsync(ORDER, LockRequest.UNLIMITED_WAIT);
		assertThat(lock).failsWithin(Duration.ZERO)
			.withThrowableThat()
			.withCauseInstanceOf(LockUnavailableException.class)
			.withMessageContaining("the lock engine of this instance is stopped");
		assertThat(asked()).isZero();
		assertThat(engine.acquisitions).isEmpty();
	}

	/** Its holder learns of the stop while others are still told, and closes it. */
	@Test
	void lockThatIsClosedDuringTheStopIsHandedToNobody() {
		LockHandle lock = this.fake.held(ORDER);
		CompletableFuture<LockHandle> first = this.fake.acquire(ORDER);
		first.whenComplete((handle, ex) -> lock.closeAsync());
		this.fake.time.advance(Duration.ofMillis(1));
		CompletableFuture<LockHandle> second = this.fake.acquire(ORDER);
		this.fake.engine.stop();
		assertThat(second).failsWithin(Duration.ZERO)
			.withThrowableThat()
			.withCauseInstanceOf(LockUnavailableException.class);
	}

	@Test
	void stopLeavesNoTimerAndNoLeaseBehind() {
		this.fake.held(ORDER.retainTime(Duration.ofSeconds(20))).closeAsync();
		this.fake.held(LockRequest.of("stock"));
		this.fake.acquire(LockRequest.of("stock"));
		this.fake.acquire(LockRequest.of("stock").waitTime(Duration.ZERO));
		this.fake.engine.stop();
		assertThat(this.fake.engine.leases()).isEmpty();
		assertThat(this.fake.engine.acquisitions).isEmpty();
		assertThat(this.fake.time.pending()).isZero();
	}

	/** Nothing lets readers share, so that each enters the queue once more. */
	@Test
	void readerThatEntersTheQueueAgainLeavesNoTimerBehind() {
		FakeStoreEngine apart = new FakeStoreEngine((settings) -> settings.set(EngineSettings::handoverMax, 16)
			.set(EngineSettings::handoverMaxDuration, Duration.ZERO));
		apart.acquire(ORDER.shared());
		CompletableFuture<LockHandle> second = apart.acquire(ORDER.shared());
		CompletableFuture<LockHandle> third = apart.acquire(ORDER.shared());
		apart.store.contenders().get(0).grant();
		apart.store.contenders().get(1).grant();
		apart.store.contenders().get(2).grant();
		assertThat(second).isCompletedWithValueMatching(LockHandle::isHeld);
		assertThat(third).isCompletedWithValueMatching(LockHandle::isHeld);
		apart.engine.stop();
		assertThat(apart.time.pending()).isZero();
	}

	@Test
	void lockThatWasReleasedLeavesNoTimerAndNoLeaseBehind() {
		FakeStoreEngine limited = new FakeStoreEngine(
				(settings) -> settings.set(EngineSettings::maxHoldTime, Duration.ofMinutes(1)));
		LockHandle lock = limited.held(ORDER);
		CompletableFuture<LockHandle> next = limited.acquire(ORDER);
		assertThat(limited.time.pending()).isPositive();
		lock.closeAsync();
		next.join().closeAsync();
		assertThat(limited.engine.leases()).isEmpty();
		assertThat(limited.engine.acquisitions).isEmpty();
		assertThat(limited.time.pending()).isZero();
	}

	/** The timer ran in the instant of the hand-over, too late to cancel it. */
	@Test
	void limitOfAHolderIsNotThatOfTheNext() {
		List<Runnable> limits = new ArrayList<>();
		LockTimer timer = (delayNanos, task) -> {
			limits.add(task);
			return () -> {
			};
		};
		LockEngine engine = new LockEngine(
				Settings.engine("app@host:1").set(EngineSettings::maxHoldTime, Duration.ofMinutes(1)).build(),
				this.fake.store, this.fake.time, timer, Runnable::run);
		engine.start();
		CompletableFuture<LockHandle> first = engine.acquireAsync(ORDER, Duration.ZERO);
		FakeGrant grant = this.fake.grant();
		CompletableFuture<LockHandle> second = engine.acquireAsync(ORDER, Duration.ofSeconds(5));
		first.join().closeAsync();
		assertThat(second).isCompletedWithValueMatching(LockHandle::isHeld);
		limits.get(0).run();
		assertThat(grant.stops()).isEmpty();
		limits.get(limits.size() - 1).run();
		assertThat(grant.stops()).hasSize(1);
	}

	/** Another thread closes it. */
	@Test
	void readerDoesNotJoinAWriterThatLeavesWhileItIsDowngraded() throws Exception {
		CompletableFuture<LockHandle> writer = this.fake.acquire(ORDER);
		FakeGrant grant = this.fake.grant();
		grant.staysWhereItIs();
		CompletableFuture<LockHandle> reader = this.fake.acquire(ORDER.shared());
		CountDownLatch leaving = new CountDownLatch(1);
		CountDownLatch turned = new CountDownLatch(1);
		grant.beforeNextPass(() -> {
			leaving.countDown();
			await(turned);
		});
		CompletableFuture<Void> closing = new CompletableFuture<>();
		grant.afterNextDowngrade(() -> {
			closing.completeAsync(() -> {
				writer.join().close();
				return null;
			});
			await(leaving);
		});
		((Handle) writer.join()).downgradeAsync();
		turned.countDown();
		closing.get(10, TimeUnit.SECONDS);
		assertThat(this.fake.store.releases()).hasSize(1);
		assertThat(reader).isNotDone();
		this.fake.grant();
		assertThat(reader).isCompletedWithValueMatching(LockHandle::isHeld);
	}

	private static void await(CountDownLatch latch) {
		try {
			assertThat(latch.await(10, TimeUnit.SECONDS)).isTrue();
		}
		catch (InterruptedException ex) {
			throw new AssertionError(ex);
		}
	}

}
