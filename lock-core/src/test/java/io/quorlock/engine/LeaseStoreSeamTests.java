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

import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import io.quorlock.LockAtRiskEvent;
import io.quorlock.LockHandle;
import io.quorlock.LockLostException;
import io.quorlock.LockNotAcquiredException;
import io.quorlock.LockRequest;
import io.quorlock.LockUnavailableException;
import io.quorlock.ReleaseRequest;
import io.quorlock.Settings;
import io.quorlock.engine.event.LockListener;
import io.quorlock.store.ClaimFailure;
import io.quorlock.store.FakeContender;
import io.quorlock.store.FakeGrant;
import io.quorlock.store.FakeLeaseStore;
import io.quorlock.store.ReleaseResult;
import io.quorlock.time.LockClock;
import io.quorlock.time.ManualTime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * The engine at its seam alone: what it asks of a store, and what it makes of the
 * outcome.
 */
class LeaseStoreSeamTests {

	private static final LockRequest ORDER = LockRequest.of("order");

	private static final Duration WAIT = Duration.ofSeconds(5);

	private final FakeLeaseStore store = new FakeLeaseStore();

	private final ManualTime time = new ManualTime();

	private LockEngine engine = engine(UnaryOperator.identity());

	private LockEngine engine(UnaryOperator<Settings<EngineSettings>> settings) {
		Settings<EngineSettings> builder = settings.apply(TestSettings.defaults("app@host:1").engineBuilder());
		LockEngine created = new LockEngine(builder.build(), this.store, this.time, this.time, Runnable::run);
		created.start();
		this.store.calls().clear();
		return created;
	}

	private CompletableFuture<LockHandle> acquire(LockRequest request) {
		return this.engine.acquireAsync(request, WAIT);
	}

	private LockHandle held(LockRequest request) {
		CompletableFuture<LockHandle> lock = acquire(request);
		this.store.contender().grant();
		return lock.join();
	}

	private FakeGrant grant(FakeContender contender) {
		return contender.grant();
	}

	private static Throwable failureOf(CompletableFuture<?> lock) {
		assertThat(lock).isCompletedExceptionally();
		try {
			lock.join();
		}
		catch (CompletionException ex) {
			return Objects.requireNonNull(ex.getCause());
		}
		throw new AssertionError("It was acquired");
	}

	@Test
	void nextRequestGetsTheLeaseItselfAndTheNextToken() {
		CompletableFuture<LockHandle> first = acquire(ORDER);
		FakeGrant grant = grant(this.store.contender());
		CompletableFuture<LockHandle> second = acquire(ORDER);
		assertThat(second).isNotDone();
		first.join().closeAsync();
		assertThat(second.join().fencingToken()).isEqualTo(first.join().fencingToken() + 1);
		assertThat(grant.passed()).isOne();
		assertThat(this.store.calls()).containsExactly("start order");
		second.join().closeAsync();
		assertThat(this.store.calls()).containsExactly("start order", "release order");
	}

	@Test
	void lateCloseOfAnEarlierHolderLeavesTheLeaseAlone() {
		LockHandle first = held(ORDER);
		CompletableFuture<LockHandle> second = acquire(ORDER);
		first.closeAsync();
		first.closeAsync();
		assertThat(second.join().isHeld()).isTrue();
		assertThat(first.isHeld()).isFalse();
		assertThat(this.store.releases()).isEmpty();
	}

	@Test
	void nextRequestAsksBehindTheReleaseIfTheLeaseDoesNotPass() {
		CompletableFuture<LockHandle> first = acquire(ORDER);
		grant(this.store.contender()).staysWhereItIs();
		CompletableFuture<LockHandle> second = acquire(ORDER);
		first.join().closeAsync();
		assertThat(this.store.releases()).singleElement()
			.satisfies((released) -> assertThat(released.next()).isSameAs(this.store.contender()));
		assertThat(this.store.calls()).containsExactly("start order", "release order", "start order");
		this.store.contender().grant();
		assertThat(second.join().fencingToken()).isEqualTo(2_000);
	}

	@Test
	void leasePassesNoMoreOftenThanItsTokensLast() {
		this.engine = engine((settings) -> settings.set(EngineSettings::handoverMax, 2)
			.set(EngineSettings::handoverMaxDuration, Duration.ofSeconds(10)));
		LockHandle first = held(ORDER);
		CompletableFuture<LockHandle> second = acquire(ORDER);
		CompletableFuture<LockHandle> third = acquire(ORDER);
		first.closeAsync();
		second.join().closeAsync();
		assertThat(third).isNotDone();
		assertThat(this.store.contenders()).hasSize(2);
		this.store.contender().grant();
		assertThat(third.join().fencingToken()).isEqualTo(2_000);
	}

	@Test
	void requestForOtherNamesAsksForItself() {
		held(ORDER);
		acquire(LockRequest.of("stock"));
		assertThat(this.store.calls()).containsExactly("start order", "start stock");
	}

	@Test
	void lossIsToldToTheHolderAndReleasesNothingAgain() {
		CompletableFuture<LockHandle> lock = acquire(ORDER);
		FakeGrant grant = grant(this.store.contender());
		List<String> reasons = new ArrayList<>();
		lock.join().onLost((event) -> reasons.add(event.reason()));
		grant.lose("another has it");
		assertThat(reasons).containsExactly("another has it");
		assertThat(lock.join().isHeld()).isFalse();
		assertThatThrownBy(() -> lock.join().ensureHeld()).isInstanceOf(LockLostException.class)
			.hasMessageContaining("another has it");
		lock.join().closeAsync();
		assertThat(this.store.releases()).isEmpty();
	}

	@Test
	void leaseWhoseTimeIsOverIsNotHeldBeforeAnythingIsTold() {
		CompletableFuture<LockHandle> lock = acquire(ORDER);
		grant(this.store.contender()).end();
		assertThat(lock.join().isHeld()).isFalse();
		assertThat(lock.join().remaining()).isZero();
	}

	@Test
	void lossLetsTheNextRequestAsk() {
		CompletableFuture<LockHandle> first = acquire(ORDER);
		FakeGrant grant = grant(this.store.contender());
		CompletableFuture<LockHandle> second = acquire(ORDER);
		grant.lose("another has it");
		assertThat(first.join().isHeld()).isFalse();
		assertThat(this.store.contenders()).hasSize(2);
		this.store.contender().grant();
		assertThat(second.join().isHeld()).isTrue();
	}

	@Test
	void lostLeasePassesToNobody() {
		CompletableFuture<LockHandle> first = acquire(ORDER);
		FakeGrant grant = grant(this.store.contender());
		CompletableFuture<LockHandle> second = acquire(ORDER);
		grant.end();
		first.join().closeAsync();
		assertThat(second).isNotDone();
		assertThat(grant.passed()).isZero();
		assertThat(this.store.contenders()).hasSize(2);
	}

	@Test
	void refusalNamesTheOwnerAndAnUnavailableStoreIsNoRefusal() {
		CompletableFuture<LockHandle> refused = acquire(ORDER);
		this.store.contender().fail(new ClaimFailure.Held("other@host:2", "other@host:2 holds it"));
		assertThat(failureOf(refused)).isInstanceOf(LockNotAcquiredException.class)
			.hasMessageContaining("other@host:2 holds it");
		CompletableFuture<LockHandle> failed = acquire(ORDER);
		this.store.contender().fail(new ClaimFailure.Unavailable("no node replied"));
		assertThat(failureOf(failed)).isInstanceOf(LockUnavailableException.class)
			.hasMessageContaining("no node replied");
	}

	@Test
	void failureOfOneLetsTheNextAsk() {
		CompletableFuture<LockHandle> first = acquire(ORDER);
		CompletableFuture<LockHandle> second = acquire(ORDER);
		assertThat(this.store.contenders()).hasSize(1);
		this.store.contender().fail(new ClaimFailure.Held("other@host:2", "other@host:2 holds it"));
		assertThat(first).isCompletedExceptionally();
		assertThat(this.store.contenders()).hasSize(2);
		this.store.contender().grant();
		assertThat(second.join().isHeld()).isTrue();
	}

	@Test
	void requestWithoutAWaitSharesTheOutcomeOfTheOneInFront() {
		CompletableFuture<LockHandle> waiting = acquire(ORDER);
		this.store.contender().waits();
		CompletableFuture<LockHandle> immediate = acquire(ORDER.waitTime(Duration.ZERO));
		assertThat(this.store.contenders()).hasSize(1);
		this.store.contender().refuseFollowers(new ClaimFailure.Held("other@host:2", "other@host:2 holds it"));
		assertThat(failureOf(immediate)).isInstanceOf(LockNotAcquiredException.class);
		assertThat(waiting).isNotDone();
	}

	@Test
	void cancelledRequestGivesBackWhatIsGrantedLate() {
		CompletableFuture<LockHandle> lock = acquire(ORDER);
		FakeContender contender = this.store.contender();
		CompletableFuture<LockHandle> next = acquire(ORDER);
		lock.cancel(true);
		assertThat(contender.isCancelled()).isTrue();
		assertThat(this.store.contenders()).as("the place is kept").hasSize(1);
		contender.grant();
		assertThatThrownBy(lock::join).isInstanceOf(CancellationException.class);
		assertThat(next).as("it passed on").isDone();
		assertThat(next.join().isHeld()).isTrue();
		next.join().closeAsync();
		assertThat(this.store.releases()).hasSize(1);
	}

	@Test
	void reentryAsksTheStoreOnceAndTheLastHandleReleases() {
		DefaultLockTemplate template = new DefaultLockTemplate(this.engine);
		FakeLeaseStore granting = this.store;
		AtomicInteger inside = new AtomicInteger();
		Thread caller = new Thread(() -> template.executeWithoutResult("order", () -> {
			template.executeWithoutResult("order", inside::incrementAndGet);
			inside.incrementAndGet();
			assertThat(granting.releases()).isEmpty();
		}));
		caller.start();
		while (granting.contenders().isEmpty() || !granting.contender().isStarted()) {
			Thread.onSpinWait();
		}
		granting.contender().grant();
		join(caller);
		assertThat(inside).hasValue(2);
		assertThat(granting.contenders()).hasSize(1);
		assertThat(granting.releases()).hasSize(1);
	}

	private static void join(Thread thread) {
		try {
			thread.join();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	@Test
	void leaseThatIsRetainedIsTakenAgainWithoutTheStore() {
		LockRequest retained = ORDER.retainTime(Duration.ofSeconds(10));
		LockHandle first = held(retained);
		long token = first.fencingToken();
		first.closeAsync();
		assertThat(this.store.releases()).isEmpty();
		LockHandle second = acquire(retained).join();
		assertThat(second.fencingToken()).isEqualTo(token + 1);
		assertThat(this.store.contenders()).hasSize(1);
	}

	@Test
	void retainedLeaseIsReleasedWhenOthersWantItOrItsTimeIsOver() {
		LockRequest retained = ORDER.retainTime(Duration.ofSeconds(10));
		CompletableFuture<LockHandle> first = acquire(retained);
		FakeGrant grant = grant(this.store.contender());
		first.join().closeAsync();
		grant.wanted();
		assertThat(this.store.releases()).hasSize(1);
		held(retained).closeAsync();
		this.time.advance(Duration.ofSeconds(9));
		assertThat(this.store.releases()).hasSize(1);
		this.time.advance(Duration.ofSeconds(2));
		assertThat(this.store.releases()).hasSize(2);
	}

	/** Others could not ask for them, or would wait for them. */
	@Test
	void settingRetainsOnlyLocksThatCanBeRetained() {
		this.engine = engine((settings) -> settings.set(EngineSettings::retainTime, Duration.ofSeconds(20)));
		Duration second = Duration.ofSeconds(1);
		for (LockRequest request : List.of(ORDER.shared(), ORDER.permits(2), ORDER.fair(), ORDER.leaseTime(second),
				ORDER.holdAtLeast(second), LockRequest.ofAll("order", "stock"), ORDER.retainTime(Duration.ZERO))) {
			this.store.releases().clear();
			held(request).closeAsync();
			assertThat(this.store.contender().claim().retained()).as("%s", request).isFalse();
			assertThat(this.store.releases()).as("%s", request).hasSize(1);
		}
		this.store.releases().clear();
		held(ORDER).closeAsync();
		assertThat(this.store.contender().claim().retained()).isTrue();
		assertThat(this.store.releases()).isEmpty();
	}

	@Test
	void leaseInUseThatIsWantedIsReleasedAtItsEndInsteadOfPassingOn() {
		LockRequest retained = ORDER.retainTime(Duration.ofSeconds(10));
		CompletableFuture<LockHandle> first = acquire(retained);
		FakeGrant grant = grant(this.store.contender());
		CompletableFuture<LockHandle> second = acquire(retained);
		grant.wanted();
		first.join().closeAsync();
		assertThat(this.store.releases()).hasSize(1);
		assertThat(second).isNotDone();
	}

	@Test
	void requestToReleaseReachesTheHolderThatListens() {
		CompletableFuture<LockHandle> lock = acquire(ORDER);
		FakeGrant grant = grant(this.store.contender());
		List<ReleaseRequest> requests = new ArrayList<>();
		lock.join().onReleaseRequested(requests::add);
		grant.requestRelease(Duration.ofSeconds(3));
		assertThat(requests).extracting(ReleaseRequest::deadline).containsExactly(Duration.ofSeconds(3));
		assertThat(lock.join().isHeld()).isTrue();
	}

	@Test
	void renewalStopsAtTheLimitForEachHolder() {
		this.engine = engine((settings) -> settings.set(EngineSettings::maxHoldTime, Duration.ofSeconds(20)));
		CompletableFuture<LockHandle> first = acquire(ORDER);
		FakeGrant grant = grant(this.store.contender());
		this.time.advance(Duration.ofSeconds(15));
		first.join().closeAsync();
		assertThat(this.store.releases()).hasSize(1);
		held(ORDER);
		this.time.advance(Duration.ofSeconds(19));
		assertThat(grant.stops()).isEmpty();
		CompletableFuture<LockHandle> other = acquire(LockRequest.of("stock").leaseTime(Duration.ofSeconds(50)));
		FakeGrant fixed = grant(this.store.contender());
		this.time.advance(Duration.ofSeconds(30));
		assertThat(fixed.stops()).as("a fixed lease is not renewed").isEmpty();
		assertThat(other.join().isHeld()).isTrue();
	}

	@Test
	void holderThatStaysTooLongIsRenewedNoMore() {
		this.engine = engine((settings) -> settings.set(EngineSettings::maxHoldTime, Duration.ofSeconds(20)));
		acquire(ORDER);
		FakeGrant grant = grant(this.store.contender());
		this.time.advance(Duration.ofSeconds(21));
		assertThat(grant.stops()).singleElement().asString().contains("max-hold-time");
	}

	@Test
	void shortHoldCoolsDownForTheRest() {
		LockHandle lock = held(ORDER.holdAtLeast(Duration.ofSeconds(10)));
		this.time.advance(Duration.ofSeconds(4));
		lock.closeAsync();
		assertThat(this.store.releases()).singleElement()
			.satisfies((released) -> assertThat(released.cooldown()).isEqualTo(Duration.ofSeconds(6)));
	}

	@Test
	void shortHoldCoolsDownAlsoForWhoeverAsksBehindTheRelease() {
		LockHandle lock = held(ORDER.holdAtLeast(Duration.ofSeconds(10)));
		acquire(ORDER);
		lock.closeAsync();
		assertThat(this.store.releases()).singleElement().satisfies((released) -> {
			assertThat(released.cooldown()).isEqualTo(Duration.ofSeconds(10));
			assertThat(released.next()).isNotNull();
		});
	}

	@Test
	void unconfirmedReleaseIsARelease() {
		this.store.releasesAre(ReleaseResult.UNCONFIRMED);
		LockHandle lock = held(ORDER);
		assertThat(lock.closeAsync()).isCompleted();
		assertThat(lock.isHeld()).isFalse();
	}

	@Test
	void stopFailsWhoWaitsReleasesWhatIsHeldAndTellsTheHolders() {
		LockHandle lock = held(ORDER);
		List<String> reasons = new ArrayList<>();
		lock.onLost((event) -> reasons.add(event.reason()));
		CompletableFuture<LockHandle> queued = acquire(ORDER);
		CompletableFuture<LockHandle> asking = acquire(LockRequest.of("stock"));
		FakeContender contender = this.store.contender();
		this.store.calls().clear();
		this.engine.stop();
		assertThat(failureOf(queued)).isInstanceOf(LockUnavailableException.class);
		assertThat(failureOf(asking)).isInstanceOf(LockUnavailableException.class);
		assertThat(contender.isCancelled()).isTrue();
		assertThat(reasons).singleElement().asString().contains("stopped");
		assertThat(lock.isHeld()).isFalse();
		assertThat(this.store.calls()).containsExactly("cancel stock", "release order", "stop", "close");
		assertThat(this.store.releases().get(0).next()).isNull();
	}

	@Test
	void grantThatComesAfterTheStopIsReleased() {
		acquire(ORDER);
		FakeContender contender = this.store.contender();
		this.engine.stop();
		FakeGrant grant = contender.grant();
		assertThat(grant.isValid()).isFalse();
		assertThat(this.store.releases()).hasSize(1);
	}

	@Test
	void stoppedEngineRefusesAndWorksAgainOnceItIsStarted() {
		this.engine.stop();
		assertThatThrownBy(() -> acquire(ORDER)).isInstanceOf(LockUnavailableException.class);
		assertThat(this.store.contenders()).isEmpty();
		this.engine.start();
		assertThat(held(ORDER).isHeld()).isTrue();
	}

	@Test
	void stopOfARetainedLeaseReleasesIt() {
		held(ORDER.retainTime(Duration.ofMinutes(5))).closeAsync();
		assertThat(this.store.releases()).isEmpty();
		this.engine.stop();
		assertThat(this.store.releases()).hasSize(1);
	}

	@Test
	void operatorsQuestionsGoToTheStore() {
		LockInspector inspector = new LockInspector(this.engine);
		inspector.inspect("order").join();
		inspector.forceRelease("order", 2).join();
		inspector.requestRelease("order", Duration.ofSeconds(1)).join();
		inspector.requestRelease("order", Duration.ofSeconds(-1)).join();
		assertThat(this.store.calls()).containsExactly("inspect order", "force order#2", "request order within PT1S",
				"request order within PT0S");
		held(ORDER);
		assertThat(inspector.held()).hasSize(1);
	}

	/**
	 * Whoever wants the lease asks its owner once, and would wait for the retain time.
	 */
	@Test
	void leaseThatIsWantedWhileItsHolderLeavesIsNotRetained() {
		CompletableFuture<LockHandle> lock = acquire(ORDER.retainTime(Duration.ofSeconds(10)));
		FakeGrant grant = grant(this.store.contender());
		LockHandle held = lock.join();
		grant.beforeNextLook(() -> grant.beforeNextLook(grant::wanted)); // it may be kept
		held.closeAsync();
		assertThat(this.store.calls()).containsExactly("start order", "release order");
	}

	/** R26: only its loss is reported. */
	@Test
	void leaseWhoseTimeIsOverIsNotReportedAsAtRisk() {
		List<LockAtRiskEvent> events = new ArrayList<>();
		LockListener listener = new LockListener() {

			@Override
			public void onAtRisk(LockRequest request, LockAtRiskEvent event) {
				events.add(event);
			}

		};
		this.engine = new LockEngine(TestSettings.defaults("app@host:1").engine(), this.store, this.time, this.time,
				Runnable::run, List.of(listener), List.of());
		this.engine.start();
		acquire(ORDER);
		FakeGrant grant = grant(this.store.contender());
		grant.end();
		grant.risk("no reply");
		assertThat(events).isEmpty();
	}

	@Test
	void requestThatIsCancelledAsItsTurnComesLeavesItsPlaceToTheNext() {
		CompletableFuture<LockHandle> first = acquire(ORDER);
		FakeContender asking = this.store.contender();
		CompletableFuture<LockHandle> second = acquire(ORDER);
		CompletableFuture<LockHandle> third = acquire(ORDER);
		this.store.beforeNextClaim(() -> second.cancel(false));
		asking.fail(new ClaimFailure.Held("other@host:2", "other@host:2 holds it"));
		assertThat(first).isCompletedExceptionally();
		this.store.contender().grant();
		assertThat(third).isCompletedWithValueMatching(LockHandle::isHeld);
	}

	/** A request may wait for minutes while others ask again and again. */
	@Test
	void requestsThatFollowedOneThatStillWaitsAreForgotten() {
		acquire(ORDER);
		List<WeakReference<LockRequest>> followers = new ArrayList<>();
		for (int i = 0; i < 100; i++) {
			LockRequest follower = LockRequest.of("order").waitTime(Duration.ZERO);
			CompletableFuture<LockHandle> lock = this.engine.acquireAsync(follower, Duration.ZERO);
			assertThat(lock).isNotDone();
			this.store.contender().refuseFollowers(new ClaimFailure.Held("other@host:2", "other@host:2 holds it"));
			assertThat(lock).isCompletedExceptionally();
			followers.add(new WeakReference<>(follower));
		}
		Awaitility.await().untilAsserted(() -> {
			System.gc();
			assertThat(followers.stream().filter((follower) -> follower.get() != null)).hasSizeLessThan(10);
		});
	}

	/** It is taken out of the queue, and enters it again if the hand-overs are over. */
	@Test
	void readerThatIsCancelledAtAnyInstantOfADowngradeLeavesTheNameToOthers() {
		for (int instant = 0; instant < 30; instant++) {
			AtomicInteger left = new AtomicInteger(Integer.MAX_VALUE);
			List<CompletableFuture<LockHandle>> readers = new ArrayList<>();
			LockClock clock = this.time.beforeLook(() -> {
				if (left.getAndDecrement() == 0) {
					this.time.pause(Duration.ofSeconds(1));
					readers.forEach((reader) -> reader.cancel(false));
				}
			});
			this.engine = new LockEngine(TestSettings.defaults("app@host:1").engine(), this.store, clock, this.time,
					Runnable::run);
			this.engine.start();
			LockHandle writer = held(ORDER);
			CompletableFuture<LockHandle> reader = acquire(ORDER.shared());
			readers.add(reader);
			left.set(instant);
			writer.downgrade();
			left.set(Integer.MAX_VALUE);
			writer.closeAsync();
			reader.thenAccept(LockHandle::closeAsync);
			CompletableFuture<LockHandle> next = acquire(ORDER);
			this.store.contender().grant();
			assertThat(next).as("instant %d", instant).isCompletedWithValueMatching(LockHandle::isHeld);
		}
	}

}
