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

import java.util.List;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import io.quorlock.quorum.AcquireDecision.Settlement;
import io.quorlock.quorum.AcquireDecision.Step;
import io.quorlock.quorum.node.Attempt;
import io.quorlock.quorum.node.InMemoryLockNode;
import io.quorlock.quorum.node.LockTarget;
import io.quorlock.quorum.node.NodeReply;
import io.quorlock.quorum.node.Refusals;
import io.quorlock.time.SystemClock;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link AcquireDecision}.
 */
class AcquireDecisionTests {

	private static final long LEASE = 1_000_000;

	private static final long PATIENCE = 1_000;

	private static final NodeReply GRANTED = new NodeReply.Granted(true, new long[] { 7 });

	private static final NodeReply FAILED = new NodeReply.Failed(NodeReply.Failed.Cause.ERROR, "no memory");

	private final Voters voters = new Voters(
			IntStream.range(0, 3).mapToObj((i) -> new InMemoryLockNode("node" + i, new SystemClock())).toList());

	private AcquireDecision asking(@Nullable Settlement settlement) {
		AcquireDecision decision = new AcquireDecision(this.voters, LockTarget.exclusive(List.of("order")),
				new Attempt("app@host:1:cd:1"), true, 0, LEASE, PATIENCE, settlement);
		decision.asking(0);
		return decision;
	}

	private static NodeReply heldBy(String owner) {
		return Refusals.of(true, List.of(owner), 20_000, new long[] { 7 });
	}

	@Test
	void nothingIsDecidedBeforeAllNodesAreAsked() {
		AcquireDecision decision = asking(null);
		decision.note(0, FAILED);
		decision.note(1, FAILED);
		assertThat(decision.decide(1)).isEqualTo(Step.WAIT);
		decision.submitted();
		assertThat(decision.decide(1)).isEqualTo(Step.FAIL);
	}

	@Test
	void nothingIsDecidedBeforeAllNodesAreToldToRaise() {
		AcquireDecision decision = raising();
		decision.noteRaise(0, FAILED);
		decision.noteRaise(2, FAILED);
		assertThat(decision.decide(2)).isEqualTo(Step.WAIT);
		decision.submitted();
		assertThat(decision.decide(2)).isEqualTo(Step.FAIL);
		assertThat(decision.isVoted()).isFalse();
	}

	private AcquireDecision raising() {
		AcquireDecision decision = asking(null);
		decision.submitted();
		decision.note(0, GRANTED);
		decision.note(1, new NodeReply.Granted(true, new long[] { 9 }));
		assertThat(decision.decide(1)).isEqualTo(Step.RAISE);
		assertThat(decision.fences()).containsExactly(9);
		return decision;
	}

	@Test
	void raiseThatAQuorumRefusedIsNoFailureOfTheNodes() {
		AcquireDecision decision = raising();
		decision.submitted();
		decision.noteRaise(0, new NodeReply.NotHeld(true));
		decision.noteRaise(1, new NodeReply.NotHeld(true));
		decision.noteRaise(2, new NodeReply.NotHeld(true));
		assertThat(decision.decide(2)).isEqualTo(Step.FAIL);
		assertThat(decision.isVoted()).isTrue();
	}

	/** Its node stores the greatest token already. */
	@Test
	void voteThatComesDuringTheRaiseCountsInTime() {
		NodeReply greatest = new NodeReply.Granted(true, new long[] { 9 });
		AcquireDecision decision = raising();
		decision.submitted();
		decision.note(2, greatest);
		assertThat(decision.decide(2)).isEqualTo(Step.GRANT);
		AcquireDecision late = raising();
		late.submitted();
		late.late();
		late.note(2, greatest);
		assertThat(late.decide(2)).isEqualTo(Step.FAIL);
	}

	@Test
	void leaseThatHasEndedMeanwhileIsNotGranted() {
		AcquireDecision decision = asking(null);
		decision.submitted();
		decision.note(0, GRANTED);
		decision.note(1, GRANTED);
		assertThat(decision.decide(LEASE)).isEqualTo(Step.FAIL);
		assertThat(decision.isTooLateToGrant()).isTrue();
		assertThat(decision.isVoted()).isFalse();
		assertThat(decision.isGranted()).isFalse();
	}

	/** The other comes first, but shows no majority, and is passed over. */
	private AcquireDecision divided() {
		Settlement settlement = new Settlement(LEASE, 2 * PATIENCE);
		settlement.isPassedOver("other@host:2:ab:3", 1 - PATIENCE);
		AcquireDecision decision = asking(settlement);
		decision.submitted();
		decision.note(0, GRANTED);
		decision.note(1, FAILED);
		decision.note(2, heldBy("other@host:2:ab:3"));
		assertThat(decision.decide(1)).isEqualTo(Step.ASK_AGAIN_LATER);
		return decision;
	}

	@Test
	void nodesThatRefusedAreAskedAgainAndTheirRepliesAwaited() {
		AcquireDecision decision = divided();
		assertThat(decision.isSettling()).isTrue();
		assertThat(decision.isAsking()).isFalse();
		assertThat(decision.questionNanos()).isOne();
		assertThat(decision.decide(2)).isEqualTo(Step.WAIT);
		assertThat(decision.askingAgain(3)).isEqualTo(Voters.bit(2));
		assertThat(decision.isSettling()).isFalse();
		assertThat(decision.askedNanos()).isEqualTo(3);
		decision.note(2, GRANTED);
		assertThat(decision.decide(4)).as("it is not submitted yet").isEqualTo(Step.WAIT);
		decision.submitted();
		assertThat(decision.decide(4)).isEqualTo(Step.GRANT);
		assertThat(decision.isSettling()).isFalse();
		assertThat(decision.isAsking()).isFalse();
	}

	@Test
	void settlementEndsWithItsTimeBetweenTwoQuestions() {
		AcquireDecision decision = divided();
		decision.late();
		assertThat(decision.isLate()).isTrue();
		assertThat(decision.decide(5)).isEqualTo(Step.FAIL);
	}

	@Test
	void settlementEndsWithItsTimeDuringAQuestion() {
		AcquireDecision decision = divided();
		decision.askingAgain(3);
		decision.submitted();
		decision.late();
		assertThat(decision.decide(4)).isEqualTo(Step.FAIL);
	}

	/** It gives its nodes back to the other. */
	@Test
	void attemptThatDoesNotComeFirstFails() {
		AcquireDecision decision = asking(new Settlement(LEASE, 2 * PATIENCE));
		decision.submitted();
		decision.note(0, GRANTED);
		decision.note(1, FAILED);
		decision.note(2, heldBy("other@host:2:ab:3"));
		assertThat(decision.decide(1)).isEqualTo(Step.FAIL);
	}

}
