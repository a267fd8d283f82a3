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

import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;

import org.jspecify.annotations.Nullable;

import io.quorlock.quorum.AcquireDecision.Step;
import io.quorlock.quorum.node.CommandHeader;
import io.quorlock.quorum.node.NodeCommand;
import io.quorlock.quorum.node.NodeReply;
import io.quorlock.quorum.node.Ticket;
import io.quorlock.time.LockClock;

/**
 * One attempt to lock on a quorum of nodes (R1): ask, count the votes, raise the fences
 * if their majority is not yet known to store the greatest (R9), grant or give up (R2).
 * Does not wait for the slowest nodes. The {@linkplain AcquireDecision decision} is made
 * under the lock, its effects take place outside of it.
 */
final class AcquireRound {

	/** Is notified of the end of the attempt, once. */
	interface Listener {

		void onGranted(AcquireRound round);

		/**
		 * The attempt was not granted. It has to be {@linkplain AcquireRound#release
		 * released} before another one begins.
		 */
		void onFailed(AcquireRound round, RoundResult result);

	}

	private static final Runnable NO_CHANGE = () -> {
	};

	private final Rounds rounds;

	private final LockClock clock;

	private final Listener listener;

	private final Question question;

	private final NodeCommand.Acquire command;

	private final ReentrantLock lock = new ReentrantLock();

	private final AcquireDecision decision;

	private final Leftovers leftovers;

	private final RoundTimers timers;

	private final boolean settles;

	private final Request asked;

	private final long startNanos;

	private final long validUntilNanos;

	/** The nodes to release when they reply. Guarded by the lock. */
	private long owed;

	/** What the release brings them. */
	private volatile @Nullable Ticket owedTicket;

	/**
	 * Create a round.
	 * @param rounds what a round needs
	 * @param question what is asked for
	 * @param settlement settles a divided vote; {@code null} to fail then
	 * @param listener is notified of the end
	 */
	AcquireRound(Rounds rounds, Question question, @Nullable Settlement settlement, Listener listener) {
		this.rounds = rounds;
		this.question = question;
		this.listener = listener;
		// R1: before the first byte is sent, since the validity counts from here.
		// R9: before the clock is read for the proposal, so that a proposal which a pause
		// made old comes too late to be granted.
		this.clock = rounds.clock();
		this.startNanos = this.clock.nanoTime();
		this.command = question.command(rounds);
		Timing timing = rounds.timing();
		long leaseNanos = question.leaseNanos();
		this.validUntilNanos = this.startNanos + leaseNanos - timing.driftMarginNanos(leaseNanos);
		this.decision = new AcquireDecision(this.rounds.voters(), question.target(), this.command.attempt().token(),
				rounds.fencing(), this.startNanos, this.validUntilNanos, timing.operationTimeoutNanos() / 2,
				settlement);
		this.timers = new RoundTimers(rounds, settlement);
		this.settles = settlement != null;
		this.leftovers = new Leftovers(rounds, question.target());
		this.asked = new Request(this.command, this.startNanos, false);
	}

	/** Ask all nodes at once. */
	void start() {
		this.decision.asking(this.rounds.pending().hanging(this.startNanos));
		this.rounds.activity().began();
		limitQuestion();
		this.asked.submit(this.rounds.voters().all());
		submitted();
	}

	private void limitQuestion() {
		this.timers.asked(this.decision.askedNanos(), () -> decideAnd(this.decision::late));
		if (this.settles) {
			this.timers.lookMeanwhile(this::isAsking, () -> decideAnd(NO_CHANGE));
		}
	}

	private boolean isAsking() {
		this.lock.lock();
		try {
			return this.decision.isAsking();
		}
		finally {
			this.lock.unlock();
		}
	}

	private void submitted() {
		decideAnd(this.decision::submitted);
	}

	private void decideAnd(Runnable change) {
		Step step;
		this.lock.lock();
		try {
			change.run();
			step = this.decision.decide(now());
		}
		finally {
			this.lock.unlock();
		}
		carryOut(step);
	}

	private void received(int slot, NodeReply reply, boolean raised) {
		Step step = Step.WAIT;
		boolean granted;
		long owed = 0;
		this.lock.lock();
		try {
			granted = this.decision.isGranted();
			if (!raised) {
				owed = takeOwed(Voters.bit(slot));
			}
			if (!granted) {
				long now = now();
				if (this.timers.isLate(now)) {
					this.decision.late();
				}
				if (raised) {
					this.decision.noteRaise(slot, reply);
				}
				else {
					this.decision.note(slot, reply);
				}
				step = this.decision.decide(now);
			}
		}
		finally {
			this.lock.unlock();
		}
		if (!(reply instanceof NodeReply.Refused)) {
			release(owed, this.owedTicket);
		}
		if (granted && !raised) {
			this.leftovers.tidy(this.command.attempt(), this.question.ticket(), this.decision.ballot(), slot, reply);
		}
		if (step != Step.WAIT) {
			carryOut(step);
		}
	}

	// ---- the effects of the decision

	private void carryOut(Step step) {
		switch (step) {
			case WAIT -> {
			}
			case ASK_AGAIN_LATER -> this.timers.askAgain(this.decision.questionNanos(), now(), this::askAgain);
			case RAISE -> raise();
			case GRANT -> {
				Ballot ballot = this.decision.ballot();
				end(ballot);
				this.leftovers.tidy(this.command.attempt(), this.question.ticket(), ballot);
				this.listener.onGranted(this);
				this.rounds.activity().ended();
			}
			case FAIL -> {
				end(this.decision.ballot());
				this.listener.onFailed(this, result());
				this.rounds.activity().ended();
			}
		}
	}

	private void raise() {
		NodeCommand.Raise raise = new NodeCommand.Raise(
				new CommandHeader(this.question.target(), this.command.attempt()),
				Objects.requireNonNull(this.decision.fences()), this.command.fenceMillis(),
				this.decision.ballot().permit());
		new Request(raise, now(), true).submit(this.rounds.voters().all());
		submitted();
	}

	private void askAgain() {
		long refused;
		this.lock.lock();
		try {
			if (!this.decision.isSettling()) {
				return;
			}
			refused = this.decision.askingAgain(now());
		}
		finally {
			this.lock.unlock();
		}
		limitQuestion();
		this.asked.submit(refused);
		submitted();
	}

	private void end(Ballot ballot) {
		this.timers.cancel();
		ballot.remember(this.question.target().names(), this.rounds.proposals());
	}

	private RoundResult result() {
		this.lock.lock();
		try {
			Standings standings = this.decision.standings();
			Ballot ballot = this.decision.ballot();
			return new RoundResult(this.decision.isVoted(), standings.isHeld(), standings.majorityOwner(),
					ballot.granted(), ballot.holders(), ballot.rank(), standings.remainingMillis(), tookNanos(),
					this.rounds.failures()
						.describe(this.decision, standings, this.question.target().permits(), leaseNanos(),
								tookNanos() / 1_000_000, this.timers.lateNanos(now())));
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * R2: on all nodes, those that refused, timed out or never replied included. A node
	 * whose refusal has arrived has nothing of this attempt, and has the ticket. If no
	 * node granted, the others are about to refuse, too: their replies are awaited,
	 * though no longer than until the next attempt.
	 * @param ticket the place of the claim in the queue if it goes on waiting (R21)
	 */
	void release(@Nullable Ticket ticket) {
		long slots;
		this.lock.lock();
		try {
			Ballot ballot = this.decision.ballot();
			boolean askedOnce = this.question.ticket() != null && !this.settles;
			slots = askedOnce ? ballot.touched() & ~ballot.refused() : ballot.touched();
			if (askedOnce && ticket != null && !ballot.isGrantedAnywhere() && !this.decision.isLate()) {
				this.owed = slots & ~ballot.replied();
				this.owedTicket = ticket;
				slots &= ~this.owed;
			}
		}
		finally {
			this.lock.unlock();
		}
		release(slots, ticket);
	}

	/** Return the nodes that refused: they have the ticket. */
	long queuedAt() {
		this.lock.lock();
		try {
			return this.decision.ballot().refused();
		}
		finally {
			this.lock.unlock();
		}
	}

	/** Release where the reply is still owed: another attempt follows. */
	void releaseOwed() {
		release(takeOwed(-1L), null);
	}

	private long takeOwed(long slots) {
		this.lock.lock();
		try {
			long taken = this.owed & slots;
			this.owed &= ~slots;
			return taken;
		}
		finally {
			this.lock.unlock();
		}
	}

	private void release(long slots, @Nullable Ticket ticket) {
		if (slots != 0) {
			new Release(this.rounds.releases(), this.question.target(), this.command.attempt(), slots, 0, ticket, true)
				.submit();
		}
	}

	/** Return the nodes that may hold keys of this attempt. */
	long touched() {
		this.lock.lock();
		try {
			return this.decision.ballot().touched();
		}
		finally {
			this.lock.unlock();
		}
	}

	NodeCommand.Acquire command() {
		return this.command;
	}

	long startNanos() {
		return this.startNanos;
	}

	long leaseNanos() {
		return this.question.leaseNanos();
	}

	/** R1: validity = lease - elapsed - drift. */
	long validUntilNanos() {
		return this.validUntilNanos;
	}

	/** Return the votes, and what they amount to. */
	AcquireDecision decision() {
		return this.decision;
	}

	/** Return how long the round took so far. */
	long tookNanos() {
		long question = this.decision.questionNanos();
		return (question != 0) ? question : now() - this.startNanos;
	}

	private long now() {
		return this.clock.nanoTime();
	}

	@Override
	public String toString() {
		return this.command.describe();
	}

	private final class Request extends NodeRequest {

		private final boolean raise;

		private Request(NodeCommand command, long sentNanos, boolean raise) {
			super(AcquireRound.this.rounds.messenger(), command, sentNanos);
			this.raise = raise;
		}

		@Override
		void received(int slot, NodeReply reply) {
			AcquireRound.this.received(slot, reply, this.raise);
		}

	}

}
