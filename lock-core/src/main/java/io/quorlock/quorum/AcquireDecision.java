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

import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;

import io.quorlock.quorum.node.Attempt;
import io.quorlock.quorum.node.LockTarget;
import io.quorlock.quorum.node.NodeReply;

/**
 * What an attempt to lock does next, as the votes require it (R1, R4, R9). Decides only:
 * the round guards it, and carries the steps out.
 */
final class AcquireDecision {

	enum Step {

		WAIT, ASK_AGAIN_LATER, RAISE, GRANT, FAIL

	}

	private enum Phase {

		ASKING, SETTLING, RAISING, GRANTED, FAILED

	}

	private final Voters voters;

	private final LockTarget target;

	private final Attempt attempt;

	private final boolean fenced;

	private final long patienceNanos;

	private final long validUntilNanos;

	private final @Nullable Settlement settlement;

	final Ballot ballot;

	private Ballot.@Nullable FenceTally fences;

	private Phase phase = Phase.ASKING;

	/** Whether commands are being submitted: replies are only noted meanwhile. */
	private boolean submitting;

	/** From here on no reply counts (R1). */
	private boolean late;

	private boolean tooLateToGrant;

	private final long startNanos;

	/** When the nodes were asked last. */
	private long askedNanos;

	/** How long the replies to the first question took. */
	private long questionNanos;

	/**
	 * Create the decision of a round.
	 * @param voters the nodes
	 * @param target what to lock
	 * @param attempt the attempt
	 * @param fenced whether the votes carry fences
	 * @param startNanos when the round began
	 * @param validUntilNanos when a lease that is granted would end
	 * @param patienceNanos how long to wait for the last votes in a settlement
	 * @param settlement settles a divided vote; {@code null} to fail then
	 */
	AcquireDecision(Voters voters, LockTarget target, Attempt attempt, boolean fenced, long startNanos,
			long validUntilNanos, long patienceNanos, @Nullable Settlement settlement) {
		this.voters = voters;
		this.target = target;
		this.attempt = attempt;
		this.fenced = fenced;
		this.startNanos = startNanos;
		this.askedNanos = startNanos;
		this.validUntilNanos = validUntilNanos;
		this.patienceNanos = patienceNanos;
		this.settlement = settlement;
		this.ballot = new Ballot(voters);
	}

	/** All nodes are about to be asked. */
	void asking(long hanging) {
		this.phase = Phase.ASKING;
		this.submitting = true;
		this.ballot.asking(this.voters.all, hanging);
	}

	boolean isSettling() {
		return this.phase == Phase.SETTLING;
	}

	/**
	 * The nodes that refused are about to be asked again: the others hold keys of this
	 * attempt, or have not replied.
	 * @return the nodes, perhaps none
	 */
	long askingAgain(long now) {
		this.phase = Phase.ASKING;
		this.submitting = true;
		this.askedNanos = now;
		return this.ballot.askingAgain();
	}

	/** Everything is submitted: from now on a reply may decide. */
	void submitted() {
		this.submitting = false;
	}

	boolean isLate() {
		return this.late;
	}

	void late() {
		this.late = true;
	}

	void note(int slot, NodeReply reply) {
		this.ballot.note(slot, reply, this.late);
		if (this.fences != null && !this.late) {
			this.fences.noteVote(slot);
		}
	}

	void noteRaise(int slot, NodeReply reply) {
		Objects.requireNonNull(this.fences).noteRaise(slot, reply, this.late);
	}

	Step decide(long now) {
		// A decision now would send a release ahead of what is being submitted (R3).
		if (this.submitting) {
			return Step.WAIT;
		}
		return switch (this.phase) {
			case ASKING -> decideVotes(now);
			case RAISING -> decideRaise(now);
			case SETTLING -> this.late ? fail() : Step.WAIT;
			case GRANTED, FAILED -> Step.WAIT;
		};
	}

	private Step decideVotes(long now) {
		if (!this.ballot.isGranted()) {
			return (this.settlement != null) ? settle(this.settlement, now) : failIfHopeless();
		}
		if (!this.fenced) {
			return grant(now);
		}
		Ballot.FenceTally tally = this.ballot.new FenceTally(this.target.names().size());
		this.fences = tally;
		if (tally.isStored()) {
			return grant(now);
		}
		this.phase = Phase.RAISING;
		this.submitting = true;
		return Step.RAISE;
	}

	private Step failIfHopeless() {
		// Whether a quorum votes distinguishes "held by another" from "unavailable".
		boolean settled = !this.ballot.canBeGranted(this.late) && this.ballot.isVotedOrHopeless(this.late);
		return settled ? fail() : Step.WAIT;
	}

	/** The claim ends with this round, so that its reply must be true (R4). */
	private Step settle(Settlement settlement, long now) {
		Standings standings = standings();
		if (standings.isHeld() || this.late) {
			return fail();
		}
		if (!this.ballot.isComplete(now - this.askedNanos >= this.patienceNanos)) {
			return Step.WAIT;
		}
		if (!this.ballot.isVoted()) {
			return failIfHopeless();
		}
		Predicate<String> passedOver = (owner) -> settlement.isPassedOver(owner, now);
		if (!standings.isFirst(passedOver) || !standings.canWin(passedOver) || settlement.isOver(now)) {
			return fail();
		}
		if (this.questionNanos == 0) {
			this.questionNanos = now - this.startNanos;
		}
		this.phase = Phase.SETTLING;
		return Step.ASK_AGAIN_LATER;
	}

	private Step decideRaise(long now) {
		Ballot.FenceTally tally = Objects.requireNonNull(this.fences);
		if (!tally.isStored()) {
			return tally.canBeStored(this.late) ? Step.WAIT : fail();
		}
		return grant(now);
	}

	private Step grant(long now) {
		this.tooLateToGrant = now - this.validUntilNanos >= 0;
		if (this.tooLateToGrant) {
			return fail();
		}
		this.phase = Phase.GRANTED;
		return Step.GRANT;
	}

	private Step fail() {
		this.phase = Phase.FAILED;
		return Step.FAIL;
	}

	boolean isGranted() {
		return this.phase == Phase.GRANTED;
	}

	boolean isAsking() {
		return this.phase == Phase.ASKING;
	}

	long askedNanos() {
		return this.askedNanos;
	}

	/** Return how long the replies to the first question took, 0 if it is not settled. */
	long questionNanos() {
		return this.questionNanos;
	}

	Standings standings() {
		return new Standings(this.voters, this.target, this.attempt.owner(), Long.bitCount(this.ballot.granted()),
				this.ballot.replies());
	}

	/** Return the greatest token of each name, or null without fencing. */
	long @Nullable [] fences() {
		return (this.fences != null) ? this.fences.greatest : null;
	}

	/** Return whether a quorum replied. */
	boolean isVoted() {
		Ballot.FenceTally tally = this.fences;
		return !this.tooLateToGrant && ((tally != null) ? tally.isVoted() : this.ballot.isVoted());
	}

	boolean isTooLateToGrant() {
		return this.tooLateToGrant;
	}

	/**
	 * Settles a divided vote (R4): several contenders asked at the same instant, each got
	 * some of the nodes, and none a majority. All of them rank each other alike. The
	 * first of them keeps its nodes and asks the others again; the others release theirs
	 * and ask again a little later. An owner that shows no majority for half of the time
	 * is passed over. One settlement serves the attempts of one contender; it is not
	 * thread-safe.
	 */
	static final class Settlement {

		private static final long SHORTEST_PAUSE_NANOS = 1_000_000;

		private final long deadlineNanos;

		private final long patienceNanos;

		/** What a question needs for its replies. */
		private final long minNanos;

		private final Map<String, Long> seenSince = new HashMap<>();

		private int questions;

		private int pauses;

		/**
		 * Create a settlement.
		 * @param deadlineNanos when a divided vote stays unsettled
		 * @param operationTimeoutNanos the operation timeout
		 */
		Settlement(long deadlineNanos, long operationTimeoutNanos) {
			this.deadlineNanos = deadlineNanos;
			this.patienceNanos = operationTimeoutNanos / 2;
			this.minNanos = minNanos(operationTimeoutNanos);
		}

		/** Return how much time a question needs for its replies. */
		static long minNanos(long operationTimeoutNanos) {
			return operationTimeoutNanos / 4;
		}

		/** Return whether there is no time for the replies to another question. */
		boolean isOver(long nowNanos) {
			return untilLastQuestionNanos(nowNanos) <= 0;
		}

		/** Return how long the last question can wait. */
		long untilLastQuestionNanos(long nowNanos) {
			return remainingNanos(nowNanos) - this.minNanos;
		}

		long remainingNanos(long nowNanos) {
			return this.deadlineNanos - nowNanos;
		}

		/** Return whether an owner has been seen for too long without a majority. */
		boolean isPassedOver(String owner, long nowNanos) {
			return nowNanos - this.seenSince.computeIfAbsent(owner, (key) -> nowNanos) >= this.patienceNanos;
		}

		/**
		 * How long the first waits before it asks again, longer each time: the others
		 * release meanwhile.
		 */
		long askAgainNanos(long roundNanos, long nowNanos) {
			long pause = Math.max(SHORTEST_PAUSE_NANOS, roundNanos / 2) << Math.min(this.questions++, 8);
			return Math.min(Math.min(pause, this.patienceNanos / 2), untilLastQuestionNanos(nowNanos));
		}

		/** How long the others wait before they ask again, longer each time. */
		long standBackNanos(long roundNanos) {
			long pause = Math.max(4 * SHORTEST_PAUSE_NANOS, 4 * roundNanos) << Math.min(this.pauses++, 8);
			return Math.min(pause, this.patienceNanos / 2);
		}

	}

}
