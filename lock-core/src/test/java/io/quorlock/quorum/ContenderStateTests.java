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

package io.quorlock.quorum;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

import org.junit.jupiter.api.Test;

import io.quorlock.Settings;
import io.quorlock.quorum.ContenderState.Phase;
import io.quorlock.quorum.node.InMemoryLockNode;
import io.quorlock.store.ClaimFailure;
import io.quorlock.store.TestClaim;
import io.quorlock.time.SystemClock;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ContenderState} (R4).
 */
class ContenderStateTests {

	private static final long WAIT = Duration.ofSeconds(5).toNanos();

	private static final long MILLI = 1_000_000;

	private static final Voters VOTERS = new Voters(List.of(new InMemoryLockNode("node", new SystemClock())));

	private static final RoundResult DIVIDED = new RoundResult(true, false, null, 1, 0, 0, 0, MILLI,
			() -> new ClaimFailure.Unavailable("the votes were divided"));

	private static final RoundResult UNAVAILABLE = new RoundResult(false, false, null, 0, 0, 0, 0, MILLI,
			() -> new ClaimFailure.Unavailable("no node replied"));

	/** By an owner that may keep its lease although it is unused. */
	private static final RoundResult KEPT = new RoundResult(true, true, "other@host:1:ab:r7", 0, 0, 0, 3_600_000, MILLI,
			() -> new ClaimFailure.Held("other@host:1", "other@host:1 holds it"));

	private final ClaimFailure held = new ClaimFailure.Held("other@host:1", "other@host:1 holds it");

	private final ContenderState state = new ContenderState(TestClaim.of("order").waiting(Duration.ofNanos(WAIT)).at(0),
			new Voters(List.of(new InMemoryLockNode("node", new SystemClock()))),
			new Timing(Settings.quorum("app").build()));

	private final RoundResult refusal = new RoundResult(true, true, "other@host:1:ab:7", 0, 0, 0, 3_600_000, MILLI,
			() -> this.held);

	/** The holder, and how long ago that was known. */
	private ClaimFailure seen(long millis) {
		return new ClaimFailure.Held("other@host:1",
				this.held.description() + ", as a majority said %d ms ago".formatted(millis));
	}

	private void refused() {
		this.state.begin(Phase.NEW, 0);
		fail();
		this.state.await(Phase.ASKING, 0, 1, 0);
	}

	@Test
	void claimWhoseWaitIsOverEndsWithTheHolderThatIsKnown() {
		refused();
		assertThat(this.state.endUnasked(WAIT - 1)).isNull();
		assertThat(this.state.endUnasked(WAIT)).isEqualTo(seen(5_000));
	}

	/** Another request was promised the outcome of the next question just before. */
	@Test
	void claimWhoseWaitIsOverAsksOnceMoreForThoseThatFollowIt() {
		refused();
		this.state.follow((failure) -> {
		});
		assertThat(this.state.endUnasked(WAIT)).isNull();
	}

	/** Nobody would withdraw its ticket. */
	@Test
	void claimThatHasEndedDoesNotQueue() {
		this.state.begin(Phase.NEW, 0);
		this.state.finish();
		assertThat(this.state.queue()).isFalse();
		assertThat(this.state.isQueued()).isFalse();
	}

	@Test
	void whoFollowsIsToldTheOutcomeOfOneQuestion() {
		this.state.follow((failure) -> {
		});
		this.state.begin(Phase.NEW, 0);
		assertThat(fail().informed()).hasSize(1);
		this.state.await(Phase.ASKING, 0, 1, 0);
		this.state.begin(Phase.WAITING, 0);
		assertThat(fail().informed()).isEmpty();
	}

	private ContenderState.Next fail() {
		return this.state.failed(
				new RoundResult(true, true, "other@host:1:ab:7", 0, 0, 0, 3_600_000, 1_000_000, () -> this.held), 0);
	}

	/** Whether they came before the question or during it, they are told of the next. */
	@Test
	void allWhoFollowAQuestionThatGoesOnAreToldItsOutcome() {
		this.state.follow((failure) -> {
		});
		this.state.begin(Phase.NEW, 0);
		this.state.follow((failure) -> {
		});
		ContenderState.Next divided = this.state.failed(new RoundResult(true, false, null, 0, 0, 0, 0, 1_000_000,
				() -> new ClaimFailure.Unavailable("the votes were divided")), 0);
		assertThat(divided.informed()).isEmpty();
		this.state.await(Phase.ASKING, divided.delayNanos(), 1, 0);
		this.state.begin(Phase.WAITING, divided.delayNanos());
		assertThat(fail().informed()).hasSize(2);
	}

	/** Nobody would settle a vote that stays divided behind it. */
	@Test
	void lastAttemptIsSettled() {
		this.state.begin(Phase.NEW, WAIT - 1);
		assertThat(this.state.settlement()).isNull();
		ContenderState late = state(TestClaim.of("order").waiting(Duration.ofNanos(WAIT)));
		late.begin(Phase.NEW, WAIT);
		assertThat(late.settlement()).isNotNull();
		ContenderState limited = state(TestClaim.of("order").waiting(Duration.ofNanos(WAIT)).attempts(2));
		limited.begin(Phase.NEW, 0);
		assertThat(limited.settlement()).isNull();
		limited.failed(this.refusal, 0);
		limited.await(Phase.ASKING, 0, 1, 0);
		limited.begin(Phase.WAITING, 0);
		assertThat(limited.settlement()).isNotNull();
	}

	@Test
	void claimEndsWithItsLastAttempt() {
		ContenderState limited = state(TestClaim.of("order").waiting(Duration.ofNanos(WAIT)).attempts(2));
		limited.begin(Phase.NEW, 0);
		assertThat(limited.failed(this.refusal, 0).failure()).isNull();
		limited.await(Phase.ASKING, 0, 1, 0);
		limited.begin(Phase.WAITING, 0);
		assertThat(limited.failed(this.refusal, 0).failure()).isEqualTo(this.held);
	}

	/**
	 * The vote was divided as the wait ended: it is settled while there is time for it.
	 */
	@Test
	void voteThatIsDividedAtTheEndOfTheWaitIsSettledIfThereIsTime() {
		this.state.begin(Phase.NEW, WAIT - 1);
		ContenderState.Next next = this.state.failed(DIVIDED, WAIT + 75 * MILLI);
		assertThat(next.failure()).isNull();
		assertThat(next.queues()).isFalse();
		this.state.await(Phase.ASKING, next.delayNanos(), 1, WAIT + 75 * MILLI);
		this.state.begin(Phase.WAITING, WAIT + 75 * MILLI);
		assertThat(this.state.settlement()).isNotNull();
		ContenderState late = state(TestClaim.of("order").waiting(Duration.ofNanos(WAIT)));
		late.begin(Phase.NEW, WAIT - 1);
		assertThat(late.failed(DIVIDED, WAIT + 76 * MILLI).failure()).isEqualTo(DIVIDED.failure());
		ContenderState unanswered = state(TestClaim.of("order").waiting(Duration.ofNanos(WAIT)));
		unanswered.begin(Phase.NEW, WAIT - 1);
		assertThat(unanswered.failed(UNAVAILABLE, WAIT).failure()).isEqualTo(UNAVAILABLE.failure());
	}

	/** It would wait for an offer of nodes that do not know it. */
	@Test
	void claimQueuesOnlyWhereAMajorityRepliedAndWhileItWaits() {
		this.state.begin(Phase.NEW, 0);
		assertThat(this.state.failed(UNAVAILABLE, 0).queues()).isFalse();
		this.state.await(Phase.ASKING, 0, 1, 0);
		this.state.begin(Phase.WAITING, 0);
		assertThat(this.state.failed(this.refusal, 0).queues()).isTrue();
		this.state.await(Phase.ASKING, 0, 1, 0);
		this.state.begin(Phase.WAITING, 0);
		assertThat(this.state.failed(this.refusal, WAIT).queues()).isFalse();
	}

	/** Whoever lost asks again at another instant than the others. */
	@Test
	void pausesBetweenTwoQuestionsOfASettlementAreRandom() {
		assertThat(LongStream.range(0, 40).map((random) -> pauseOfSettlement(random * 317_000)).boxed().distinct())
			.hasSizeGreaterThan(10)
			.allSatisfy((pause) -> assertThat(pause).isBetween(4 * MILLI, 8 * MILLI));
	}

	private static long pauseOfSettlement(long random) {
		ContenderState immediate = new ContenderState(TestClaim.of("order").at(0), VOTERS,
				new Timing(Settings.quorum("app")
					.set(QuorumSettings::random, () -> random)
					.set(QuorumSettings::identity, () -> random)
					.build()));
		immediate.begin(Phase.NEW, 0);
		return immediate.failed(DIVIDED, 0).delayNanos();
	}

	@Test
	void voteThatStaysDividedIsNoNewsBehindAHolderButAnythingElseIs() {
		refused();
		this.state.begin(Phase.WAITING, WAIT);
		long over = WAIT + Duration.ofSeconds(1).toNanos();
		assertThat(this.state.failed(DIVIDED, over).failure()).isEqualTo(seen(6_000));
		ContenderState other = state(TestClaim.of("order").waiting(Duration.ofNanos(WAIT)));
		other.begin(Phase.NEW, 0);
		other.failed(this.refusal, 0);
		other.await(Phase.ASKING, 0, 1, 0);
		other.begin(Phase.WAITING, WAIT);
		assertThat(other.failed(UNAVAILABLE, over).failure()).isEqualTo(UNAVAILABLE.failure());
		ContenderState divided = state(TestClaim.of("order").waiting(Duration.ofNanos(WAIT)));
		divided.begin(Phase.NEW, WAIT);
		assertThat(divided.failed(DIVIDED, over).failure()).isEqualTo(DIVIDED.failure());
	}

	/** There was less time for it than the operation timeout. */
	@Test
	void questionOfASettlementThatNobodyRepliesToIsNoNews() {
		ContenderState immediate = state(TestClaim.of("order"));
		immediate.begin(Phase.NEW, 0);
		ContenderState.Next next = immediate.failed(DIVIDED, 10 * MILLI);
		immediate.await(Phase.ASKING, next.delayNanos(), 1, 10 * MILLI);
		immediate.begin(Phase.WAITING, 20 * MILLI);
		assertThat(immediate.failed(UNAVAILABLE, 200 * MILLI).failure()).isEqualTo(DIVIDED.failure());
	}

	@Test
	void claimThatIsCancelledWhileItAsksEndsWithTheReplies() {
		this.state.begin(Phase.NEW, 0);
		assertThat(this.state.cancel()).isFalse();
		assertThat(fail().failure()).isInstanceOf(ClaimFailure.Cancelled.class);
	}

	@Test
	void claimThatDoesNotAskEndsAsItIsCancelled() {
		assertThat(state(TestClaim.of("order")).cancel()).isTrue();
		refused();
		assertThat(this.state.cancel()).isTrue();
		assertThat(this.state.finish()).isTrue();
		assertThat(this.state.cancel()).isFalse();
	}

	/** The timer and the reply to another question may come at the same instant. */
	@Test
	void claimEndsOnceAndThenDoesNothingMore() {
		this.state.begin(Phase.NEW, 0);
		assertThat(this.state.finish()).isTrue();
		assertThat(this.state.finish()).isFalse();
		assertThat(this.state.await(Phase.ASKING, 0, 1, 0)).isNull();
		assertThat(this.state.begin(Phase.WAITING, 0)).isFalse();
		assertThat(this.state.phase()).isEqualTo(Phase.DONE);
	}

	@Test
	void waitIsReportedOnce() {
		this.state.begin(Phase.NEW, 0);
		fail();
		assertThat(this.state.await(Phase.ASKING, 0, 1, 0)).extracting(ContenderState.Wait::reports).isEqualTo(true);
		this.state.begin(Phase.WAITING, 0);
		fail();
		assertThat(this.state.await(Phase.ASKING, 0, 1, 0)).extracting(ContenderState.Wait::reports).isEqualTo(false);
	}

	@Test
	void claimThatWasOfferedItsNameOnAFewNodesWaitsForTheOthers() {
		ContenderState partly = new ContenderState(TestClaim.of("order").waiting(Duration.ofNanos(WAIT)).at(0),
				new Voters(IntStream.range(0, 3)
					.mapToObj((i) -> new InMemoryLockNode("node" + i, new SystemClock()))
					.toList()),
				new Timing(Settings.quorum("app").build()));
		partly.begin(Phase.NEW, 0);
		partly.failed(this.refusal, 0);
		partly.offeredBy(0);
		ContenderState.Wait wait = partly.await(Phase.ASKING, 0, 1, 0);
		assertThat(wait).isEqualTo(new ContenderState.Wait(false, true, false, partly.patienceNanos()));
		assertThat(partly.endUnasked(WAIT)).isNull();
	}

	/** It was never said who holds the lock. */
	@Test
	void claimWhoseWaitIsOverAsksOnceMoreIfNoHolderIsKnown() {
		this.state.begin(Phase.NEW, 0);
		this.state.failed(UNAVAILABLE, 0);
		this.state.await(Phase.ASKING, 0, 1, 0);
		assertThat(this.state.endUnasked(WAIT)).isNull();
		assertThat(state(TestClaim.of("order")).endUnasked(0)).isNull();
	}

	/**
	 * It is asked for, and asks once more without being reported, or standing in a queue.
	 */
	@Test
	void claimWithoutAWaitWaitsForALeaseThatIsKeptUnused() {
		ContenderState immediate = state(TestClaim.of("order"));
		immediate.follow((failure) -> {
		});
		immediate.begin(Phase.NEW, 0);
		ContenderState.Next next = immediate.failed(KEPT, 0);
		assertThat(next.failure()).isNull();
		assertThat(next.informed()).isEmpty();
		assertThat(next.queues()).isFalse();
		ContenderState.Wait wait = immediate.await(Phase.ASKING, next.delayNanos(), 1, 0);
		assertThat(wait).isEqualTo(new ContenderState.Wait(false, false, false, 300_000));
		assertThat(immediate.endUnasked(300_000)).isNull();
		immediate.begin(Phase.WAITING, 300_000);
		ContenderState.Next last = immediate.failed(KEPT, 100 * MILLI);
		assertThat(last.failure()).isEqualTo(KEPT.failure());
		assertThat(last.informed()).hasSize(1);
	}

	/** The attempts are used up long before the wait is. */
	@Test
	void lastAttemptIsSettledForTwoOperationTimeoutsAtMost() {
		ContenderState limited = state(TestClaim.of("order").waiting(Duration.ofNanos(WAIT)).attempts(1));
		limited.begin(Phase.NEW, 0);
		assertThat(limited.settlement()).extracting((settlement) -> settlement.remainingNanos(0))
			.isEqualTo(200 * MILLI);
	}

	/** The process was paused, or another held the request up. */
	@Test
	void attemptThatComesLongAfterTheWaitHasAQuarterOfAnOperationTimeout() {
		long late = WAIT + Duration.ofSeconds(10).toNanos();
		this.state.begin(Phase.NEW, late);
		assertThat(this.state.settlement()).extracting((settlement) -> settlement.remainingNanos(late))
			.isEqualTo(25 * MILLI);
	}

	@Test
	void claimThatFailsFastWaitsForAHolderButForNoNodes() {
		ContenderState behind = state(TestClaim.of("order").waiting(Duration.ofNanos(WAIT)).failFast());
		behind.begin(Phase.NEW, 0);
		assertThat(behind.failed(this.refusal, 0).failure()).isNull();
		ContenderState unanswered = state(TestClaim.of("order").waiting(Duration.ofNanos(WAIT)).failFast());
		unanswered.begin(Phase.NEW, 0);
		assertThat(unanswered.failed(UNAVAILABLE, 0).failure()).isEqualTo(UNAVAILABLE.failure());
	}

	/** The wait of the claim is over by then; a question needs a quarter of its time. */
	@Test
	void pauseOfASettlementEndsInTimeForTheLastQuestion() {
		ContenderState immediate = state(TestClaim.of("order"));
		immediate.begin(Phase.NEW, 0);
		immediate.failed(DIVIDED, 0);
		assertThat(immediate.await(Phase.ASKING, 5 * MILLI, 1, 0))
			.isEqualTo(new ContenderState.Wait(false, false, false, 5 * MILLI));
		assertThat(immediate.limited(MILLI, 0)).isEqualTo(MILLI);
		assertThat(immediate.limited(3_600_000 * MILLI, 0)).isEqualTo(175 * MILLI);
	}

	@Test
	void holderThatWasSeenLastIsNamedIfTheVoteStaysDivided() {
		ClaimFailure later = new ClaimFailure.Held("another@host:1", "another@host:1 holds it");
		refused();
		this.state.begin(Phase.WAITING, 0);
		this.state.failed(new RoundResult(true, true, "another@host:1:ab:8", 0, 0, 0, 3_600_000, MILLI, () -> later),
				0);
		this.state.await(Phase.ASKING, 0, 1, 0);
		this.state.begin(Phase.WAITING, WAIT);
		assertThat(this.state.failed(DIVIDED, WAIT + Duration.ofSeconds(1).toNanos()).failure()).isEqualTo(
				new ClaimFailure.Held("another@host:1", "another@host:1 holds it, as a majority said 6000 ms ago"));
	}

	private static ContenderState state(TestClaim claim) {
		return new ContenderState(claim.at(0), VOTERS, new Timing(Settings.quorum("app").build()));
	}

}
