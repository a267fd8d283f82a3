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

package io.quorlock.groups;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import io.quorlock.LockMode;
import io.quorlock.ReleaseRequest;
import io.quorlock.store.ClaimFailure;
import io.quorlock.store.Contender;
import io.quorlock.store.FakeContender;
import io.quorlock.store.FakeGrant;
import io.quorlock.store.FakeLeaseStore;
import io.quorlock.store.Grant;
import io.quorlock.store.ReleaseResult;
import io.quorlock.store.TestClaim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@link GroupedGrant} and {@link GroupedLeaseStore} over groups that do what
 * the test says: one lease of names of two groups is kept, changed, lost and released as
 * one.
 */
class GroupedGrantTests {

	private static final String IN_A = "order"; // as the test vectors say

	private static final String IN_B = "invoice";

	private static final Sharding SHARDING = new Sharding(List.of("a", "b"), Sharding.By.NAME);

	private final FakeLeaseStore a = new FakeLeaseStore();

	private final FakeLeaseStore b = new FakeLeaseStore();

	private final AtomicLong now = new AtomicLong();

	private final GroupedLeaseStore store = new GroupedLeaseStore(SHARDING, stores(), this.now::get);

	private final Outcome outcome = new Outcome();

	private Map<String, FakeLeaseStore> stores() {
		return new TreeMap<>(Map.of("a", this.a, "b", this.b));
	}

	private Contender claim(TestClaim claim) {
		return this.store.contend(claim.at(this.now.get()), this.outcome);
	}

	private static TestClaim both() {
		return TestClaim.of(IN_A, IN_B).waiting(Duration.ofSeconds(5));
	}

	private FakeGrant grantInA() {
		return this.a.contender().grant();
	}

	private FakeGrant grantInB() {
		return this.b.contender().grant();
	}

	private Grant granted() {
		claim(both()).start();
		grantInA();
		grantInB();
		return this.outcome.granted();
	}

	private FakeGrant inA() {
		return this.a.grants().get(0);
	}

	private FakeGrant inB() {
		return this.b.grants().get(0);
	}

	@Test
	void namesAreOfTwoGroups() {
		assertThat(SHARDING.groupOf(IN_A)).isEqualTo("a");
		assertThat(SHARDING.groupOf(IN_B)).isEqualTo("b");
	}

	@Test
	void lossInOneGroupIsToldOnceAndReleasesTheOther() {
		Grant lease = granted();
		inA().lose("another has it");
		assertThat(lease.isValid()).isFalse();
		assertThat(this.a.releases()).isEmpty();
		assertThat(this.b.releases()).containsExactly(new FakeLeaseStore.Released(inB(), Duration.ZERO, null));
		inB().lose("another has that");
		assertThat(this.outcome.losses).containsExactly("another has it");
	}

	/**
	 * Whoever is told may ask at once, and must not find its own other part in the way.
	 */
	@Test
	void otherPartIsReleasedBeforeTheLossIsTold() {
		granted();
		this.outcome.beforeLoss = () -> assertThat(this.b.releases()).hasSize(1);
		inA().lose("another has it");
		assertThat(this.outcome.losses).hasSize(1);
	}

	@Test
	void lossFromBeforeTheOtherGroupGrantedIsTold() {
		claim(both()).start();
		grantInA();
		this.b.contender().grant((grant) -> this.outcome.beforeKeep = () -> inA().lose("another has it"));
		assertThat(this.outcome.losses).containsExactly("another has it");
	}

	@Test
	void leaseThatOneGroupLostBeforeTheOtherGrantedIsNotHandedOut() {
		claim(TestClaim.of(IN_A, IN_B)).start();
		grantInA().lose("gone");
		FakeGrant inB = grantInB();
		assertThat(this.outcome.failures).extracting(ClaimFailure::description)
			.containsExactly("its lease ended before all of its groups had granted it");
		assertThat(this.b.releases()).extracting(FakeLeaseStore.Released::grant).containsExactly(inB);
	}

	/** Whichever ended first: each part finds out by itself, and is released then. */
	@Test
	void allPartsAreAskedWhetherTheyAreValid() {
		Grant lease = granted();
		List<String> asked = new ArrayList<>();
		inA().end();
		inA().beforeNextLook(() -> asked.add("a"));
		inB().beforeNextLook(() -> asked.add("b"));
		assertThat(lease.isValid()).isFalse();
		assertThat(asked).containsExactly("a", "b");
	}

	@Test
	void leaseThatEndedInEitherGroupIsNotValid() {
		Grant lease = granted();
		assertThat(lease.isValid()).isTrue();
		inA().end();
		assertThat(lease.isValid()).isFalse();
	}

	@Test
	void leaseEndsWithThePartThatEndsFirst() {
		Grant lease = granted();
		inA().validUntil(20);
		inB().validUntil(10);
		assertThat(lease.validUntilNanos()).isEqualTo(10);
		inA().validUntil(5);
		assertThat(lease.validUntilNanos()).isEqualTo(5);
	}

	@Test
	void renewalsAndRisksOfEitherGroupAreTold() {
		Grant lease = granted();
		assertThat(lease.risk()).isNull();
		inA().renewed(true);
		inB().renewed(false);
		assertThat(this.outcome.renewals).containsExactly(true, false);
		inB().risk("no reply");
		assertThat(lease.risk()).isEqualTo(inB().risk());
		inA().risk("no connection");
		inB().safe();
		assertThat(lease.risk()).isEqualTo(inA().risk());
		inA().safe();
		assertThat(lease.risk()).isNull();
		assertThat(this.outcome.risks).hasValue(4);
	}

	@Test
	void requestsToReleaseEitherPartConcernTheWholeLease() {
		List<ReleaseRequest> requests = new ArrayList<>();
		Grant lease = granted();
		lease.onReleaseRequested(requests::add);
		inA().requestRelease(Duration.ofSeconds(1));
		inB().requestRelease(Duration.ofSeconds(2));
		assertThat(requests).containsExactly(new ReleaseRequest(lease.names(), Duration.ofSeconds(1)),
				new ReleaseRequest(lease.names(), Duration.ofSeconds(2)));
		assertThat(lease.names()).containsExactlyInAnyOrder(IN_A, IN_B);
	}

	@Test
	void leaseIsExtendedIfBothPartsAre() {
		Grant lease = granted();
		assertThat(lease.extend(Duration.ofSeconds(40), 0).toCompletableFuture()).isCompletedWithValue(true);
		assertThat(this.a.calls()).contains("extend order by PT40S");
		assertThat(this.b.calls()).contains("extend invoice by PT40S");
		inA().extensionsFail();
		assertThat(lease.extend(Duration.ofSeconds(40), 0).toCompletableFuture()).isCompletedWithValue(false);
	}

	@Test
	void downgradeTurnsBothParts() {
		granted().downgrade(0);
		assertThat(List.of(inA(), inB())).extracting(FakeGrant::mode).containsOnly(LockMode.SHARED);
	}

	@Test
	void renewalOfBothPartsStops() {
		granted().stopRenewal("held for too long", 0);
		assertThat(inA().stops()).containsExactly("held for too long");
		assertThat(inB().stops()).containsExactly("held for too long");
	}

	@Test
	void leaseOfTwoGroupsDoesNotPassOnAndTakesNoFurtherTokens() {
		Grant lease = granted();
		assertThat(lease.passOn()).isFalse();
		assertThat(inA().passed()).isZero();
		assertThat(lease.moreTokens(5).toCompletableFuture()).isCompletedWithValue(false);
		assertThat(lease.nodes()).as("the nodes of both").hasSize(2);
	}

	@Test
	void leaseHasAsManyTokensAsEachOfItsPartsHas() {
		claim(both().tokens(4)).start();
		grantInA();
		this.b.contender().grant((grant) -> grant.tokens(3));
		assertThat(this.outcome.granted().tokenCount()).isEqualTo(3);
	}

	@Test
	void leaseOfOneGroupPassesOn() {
		claim(TestClaim.of(IN_A)).start();
		grantInA();
		assertThat(this.outcome.granted().passOn()).isTrue();
		assertThat(inA().passed()).isOne();
		inA().staysWhereItIs();
		assertThat(this.outcome.granted().passOn()).isFalse();
	}

	@Test
	void leaseOfOneGroupTakesFurtherTokens() {
		claim(TestClaim.of(IN_A)).start();
		grantInA();
		this.outcome.granted().moreTokens(5);
		assertThat(this.a.calls()).endsWith("take 5 more for order");
	}

	@Test
	void leaseThatPassedOnIsChangedByItsNextHolderAlone() {
		claim(TestClaim.of(IN_A)).start();
		grantInA();
		Grant lease = this.outcome.granted();
		lease.passOn();
		assertThat(lease.extend(Duration.ofSeconds(40), 0).toCompletableFuture()).isCompletedWithValue(false);
		assertThat(lease.downgrade(0).toCompletableFuture()).isCompletedWithValue(false);
		lease.stopRenewal("held for too long", 0);
		assertThat(inA().stops()).isEmpty();
		assertThat(lease.extend(Duration.ofSeconds(40), 1).toCompletableFuture()).isCompletedWithValue(true);
		lease.stopRenewal("held for too long", 1);
		assertThat(inA().stops()).containsExactly("held for too long");
		assertThat(lease.downgrade(1).toCompletableFuture()).isCompletedWithValue(true);
	}

	@Test
	void releaseIsConfirmedIfThatOfBothPartsIs() {
		Grant lease = granted();
		assertThat(this.store.release(lease, Duration.ZERO, null).toCompletableFuture())
			.isCompletedWithValue(ReleaseResult.CONFIRMED);
		this.a.releasesAre(ReleaseResult.UNCONFIRMED);
		assertThat(this.store.release(lease, Duration.ZERO, null).toCompletableFuture())
			.isCompletedWithValue(ReleaseResult.UNCONFIRMED);
	}

	@Test
	void releaseKeepsTheNamesOfAllGroupsForTheCoolDown() {
		Grant lease = granted();
		inB().validUntil(0);
		this.now.set(Duration.ofSeconds(1).toNanos());
		this.store.release(lease, Duration.ofSeconds(10), null);
		assertThat(this.a.releases().get(0).cooldown()).isEqualTo(Duration.ofSeconds(10));
		assertThat(this.b.releases().get(0).cooldown()).isEqualTo(Duration.ofSeconds(10));
	}

	@Test
	void nextClaimOfTheOnlyGroupAsksBehindTheRelease() {
		claim(TestClaim.of(IN_A)).start();
		grantInA();
		Contender next = claim(TestClaim.of(IN_A));
		this.store.release(this.outcome.granted(), Duration.ZERO, next);
		assertThat(this.a.releases()).singleElement()
			.satisfies((release) -> assertThat(release.next()).isSameAs(this.a.contender()));
	}

	@Test
	void nextClaimOfOtherGroupsAsksAfterTheRelease() {
		claim(TestClaim.of(IN_A)).start();
		grantInA();
		Contender next = claim(both());
		this.store.release(this.outcome.granted(), Duration.ZERO, next);
		assertThat(this.a.releases()).singleElement().satisfies((release) -> assertThat(release.next()).isNull());
		assertThat(this.a.calls()).endsWith("release order", "start order");
	}

	@Test
	void claimThatIsCancelledBeforeItsFirstGroupGrantsHoldsNothing() {
		Contender claim = claim(both());
		claim.start();
		claim.cancel();
		assertThat(this.a.contender().isCancelled()).isTrue();
		FakeGrant grant = grantInA();
		assertThat(this.outcome.failures).singleElement().isInstanceOf(ClaimFailure.Cancelled.class);
		assertThat(this.a.releases()).extracting(FakeLeaseStore.Released::grant).containsExactly(grant);
		assertThat(this.b.contenders()).isEmpty();
	}

	@Test
	void claimThatIsCancelledBetweenTwoGroupsIsCancelledInTheSecond() {
		Contender claim = claim(both());
		claim.start();
		this.b.beforeNextClaim(claim::cancel);
		grantInA();
		assertThat(this.b.contender().isStarted()).isFalse();
		assertThat(this.b.contender().isCancelled()).isTrue();
	}

	@Test
	void waitInBothGroupsIsReportedOnce() {
		claim(both()).start();
		this.a.contender().waits();
		grantInA();
		this.b.contender().waits();
		assertThat(this.outcome.waits).hasValue(1);
	}

	/** A slow group would leave the next one no time to reply. */
	@ParameterizedTest
	@CsvSource({ "0, 70", "30, 1" })
	void eachGroupHasItsOwnTimeOfAClaimThatDoesNotWait(long waitSeconds, long queuedAtNanos) {
		this.now.set(1);
		claim(TestClaim.of(IN_A, IN_B).waiting(Duration.ofSeconds(waitSeconds))).start();
		assertThat(this.a.contender().claim().queuedAtNanos()).isEqualTo(1);
		this.now.set(70);
		grantInA();
		assertThat(this.b.contender().claim().queuedAtNanos()).isEqualTo(queuedAtNanos);
	}

	@Test
	void claimThatIsNeverValidInBothGroupsEnds() {
		claim(both()).start();
		for (int i = 0; i < 100 && this.outcome.failures.isEmpty(); i++) {
			grantInA().lose("gone");
			grantInB();
		}
		assertThat(this.outcome.failures).singleElement().isInstanceOf(ClaimFailure.Unavailable.class);
		assertThat(this.a.contenders()).hasSize(8);
	}

	@Test
	void claimWhoseWaitIsOverDoesNotBeginAgain() {
		claim(both()).start();
		grantInA().end();
		this.now.set(Duration.ofSeconds(5).toNanos());
		grantInB();
		assertThat(this.outcome.failures).singleElement().isInstanceOf(ClaimFailure.Unavailable.class);
		assertThat(this.a.contenders()).hasSize(1);
	}

	/** The next request of this process may ask as soon as it is told. */
	@Test
	void partsAreReleasedBeforeTheFailureIsTold() {
		claim(both()).start();
		grantInA();
		this.outcome.beforeFailure = () -> assertThat(this.a.releases()).hasSize(1);
		this.b.contender().fail(new ClaimFailure.Held("other@host:2", "other@host:2 holds it"));
		assertThat(this.outcome.failures).hasSize(1);
	}

	@Test
	void claimThatIsCancelledDoesNotBeginAgainAndReleasesBothParts() {
		Contender claim = claim(both());
		claim.start();
		grantInA().end();
		claim.cancel();
		grantInB();
		assertThat(this.outcome.failures).hasSize(1);
		assertThat(this.a.contenders()).hasSize(1);
		assertThat(this.a.releases()).hasSize(1);
		assertThat(this.b.releases()).hasSize(1);
	}

	@Test
	void partsOfARoundThatFailedAreReleasedBeforeTheNext() {
		claim(both()).start();
		grantInA();
		inA().end();
		grantInB();
		assertThat(this.a.calls()).endsWith("release order", "start order");
		assertThat(this.b.releases()).hasSize(1);
		grantInA();
		grantInB();
		assertThat(this.outcome.granted().isValid()).isTrue();
		this.store.release(this.outcome.granted(), Duration.ZERO, null);
		assertThat(this.a.releases()).hasSize(2);
	}

	@Test
	void attemptsOfAllGroupsAndRoundsAreCountedAndTheLastFailureIsOfTheGroupThatIsAsked() {
		Contender claim = claim(both());
		claim.start();
		assertThat(claim.attempts()).isOne();
		grantInA();
		assertThat(claim.attempts()).isEqualTo(2);
		ClaimFailure held = new ClaimFailure.Held("other@host:2", "other@host:2 holds it");
		this.b.contender().answered(held);
		assertThat(claim.lastFailure()).isEqualTo(held);
		inA().end();
		grantInB();
		assertThat(claim.attempts()).isEqualTo(3);
	}

	@Test
	void requestWithoutAWaitIsToldOnceWhicheverGroupItHearsFrom() {
		List<ClaimFailure> outcomes = new ArrayList<>();
		Contender claim = claim(both());
		claim.start();
		claim.askFor(outcomes::add);
		FakeContender first = this.a.contender();
		grantInA();
		ClaimFailure held = new ClaimFailure.Held("other@host:2", "other@host:2 holds it");
		this.b.contender().refuseFollowers(held);
		first.refuseFollowers(new ClaimFailure.Unavailable("no node replied"));
		assertThat(outcomes).containsExactly(held);
	}

	@Test
	void requestWithoutAWaitIsToldTheOutcomeOfTheGroupThatIsAsked() {
		List<ClaimFailure> outcomes = new ArrayList<>();
		Contender claim = claim(both());
		claim.start();
		claim.askFor(outcomes::add);
		ClaimFailure held = new ClaimFailure.Held("other@host:2", "other@host:2 holds it");
		this.a.contender().refuseFollowers(held);
		assertThat(outcomes).containsExactly(held);
	}

	@Test
	void requestWithoutAWaitIsToldIfItsGroupAnswersAtOnce() {
		List<ClaimFailure> outcomes = new ArrayList<>();
		Contender claim = claim(both());
		claim.start();
		ClaimFailure held = new ClaimFailure.Held("other@host:2", "other@host:2 holds it");
		this.a.contender().refusesFollowersAtOnce(held);
		claim.askFor(outcomes::add);
		assertThat(outcomes).containsExactly(held);
	}

	/**
	 * Otherwise it could end before the other group grants its part. The lease is not
	 * granted yet, so that nobody is told.
	 */
	@Test
	void partIsKeptAliveWhileTheOtherGroupIsAsked() {
		claim(both()).start();
		assertThat(grantInA().isKept()).isTrue();
		inA().renewed(true);
		inA().risk("no reply");
		inA().safe();
		grantInB();
		assertThat(this.outcome.renewals).isEmpty();
		assertThat(this.outcome.risks).hasValue(0);
		assertThat(this.outcome.granted().isValid()).isTrue();
	}

	/** R26. */
	@Test
	void riskFromBeforeTheOtherGroupGrantedIsTold() {
		claim(both()).start();
		grantInA().risk("no reply");
		assertThat(this.outcome.risks).hasValue(0);
		grantInB();
		assertThat(this.outcome.risks).hasValue(1);
		assertThat(this.outcome.granted().risk()).isEqualTo(inA().risk());
	}

	@Test
	void tokensOfSeveralNamesAreThoseOfTheirGroups() {
		this.b.newGrant(TestClaim.of(IN_B).at(0));
		claim(TestClaim.of(IN_B, IN_A)).start();
		grantInA();
		grantInB();
		assertThat(this.outcome.granted().tokens()).containsExactly(2_000, 1_000);
	}

	@Test
	void leaseHasNoTokensIfThereIsNoFencing() {
		claim(both()).start();
		this.a.contender().grant(FakeGrant::unfenced);
		this.b.contender().grant(FakeGrant::unfenced);
		assertThat(this.outcome.granted().tokens()).isNull();
	}

	@Test
	void storesOfAllGroupsStartStopAndClose() {
		this.store.start();
		assertThat(this.store.stop().toCompletableFuture()).isCompleted();
		this.store.close();
		assertThat(this.a.calls()).containsExactly("start", "stop", "close");
		assertThat(this.b.calls()).containsExactly("start", "stop", "close");
	}

	@Test
	void statusIsAvailableIfThatOfAnyGroupIsAndThatOfANameIfItsGroupsAre() {
		assertThat(this.store.status().required()).isEqualTo(2);
		this.a.close();
		assertThat(this.store.status().available()).isTrue();
		assertThat(this.store.status(List.of(IN_B)).available()).isTrue();
		assertThat(this.store.status(List.of(IN_A)).available()).isFalse();
		assertThat(this.store.status(List.of(IN_A, IN_B)).available()).isFalse();
		assertThat(this.store.status(List.of(IN_B, IN_A)).available()).isFalse();
		assertThat(this.store.status(List.of(IN_B)).groups()).as("of one group").isEmpty();
		this.b.close();
		assertThat(this.store.status().available()).isFalse();
	}

	@Test
	void operatorsReachTheGroupOfAName() {
		Duration deadline = Duration.ofSeconds(3);
		this.store.inspect(IN_A);
		this.store.forceRelease(IN_A, 2);
		assertThat(this.store.requestRelease(IN_A, deadline).toCompletableFuture()).isCompletedWithValue(false);
		List<String> calls = List.of("inspect order", "force order#2", "request order within PT3S");
		assertThat(this.a.calls()).isEqualTo(calls);
		assertThat(this.b.calls()).isEmpty();
		this.a.reachesHolder();
		assertThat(this.store.requestRelease(IN_A, deadline).toCompletableFuture()).isCompletedWithValue(true);
	}

	@Test
	void nameOfAGroupThatIsMissingIsRefused() {
		GroupedLeaseStore missing = new GroupedLeaseStore(SHARDING, Map.of("a", this.a), this.now::get);
		assertThatIllegalStateException().isThrownBy(() -> missing.inspect(IN_B)).withMessage("There is no group b");
	}

	/** What became of claims, of which the last lease is kept. */
	private static final class Outcome implements Contender.Listener, Grant.Listener {

		private final List<Grant> grants = new ArrayList<>();

		private final List<ClaimFailure> failures = new ArrayList<>();

		private final List<String> losses = new ArrayList<>();

		private final List<Boolean> renewals = new ArrayList<>();

		private final AtomicInteger risks = new AtomicInteger();

		private final AtomicInteger waits = new AtomicInteger();

		private Runnable beforeKeep = () -> {
		};

		private Runnable beforeFailure = () -> {
		};

		private Runnable beforeLoss = () -> {
		};

		Grant granted() {
			return this.grants.get(this.grants.size() - 1);
		}

		@Override
		public void onWaiting() {
			this.waits.incrementAndGet();
		}

		@Override
		public void onGranted(Grant grant) {
			this.grants.add(grant);
			this.beforeKeep.run();
			grant.keep(this);
		}

		@Override
		public void onFailed(ClaimFailure failure) {
			this.beforeFailure.run();
			this.failures.add(failure);
		}

		@Override
		public void onLost(String reason) {
			this.beforeLoss.run();
			this.losses.add(reason);
		}

		@Override
		public void onRenewed(boolean confirmed) {
			this.renewals.add(confirmed);
		}

		@Override
		public void onRisk() {
			this.risks.incrementAndGet();
		}

	}

}
