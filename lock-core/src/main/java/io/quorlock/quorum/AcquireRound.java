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
import java.util.function.Consumer;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import io.quorlock.quorum.AcquireDecision.Settlement;
import io.quorlock.quorum.AcquireDecision.Step;
import io.quorlock.quorum.node.Attempt;
import io.quorlock.quorum.node.CommandHeader;
import io.quorlock.quorum.node.LockTarget;
import io.quorlock.quorum.node.NodeCommand;
import io.quorlock.quorum.node.NodeReply;
import io.quorlock.quorum.node.Ticket;
import io.quorlock.store.Claim;
import io.quorlock.time.LockTimer;

/**
 * One attempt to lock on a quorum of nodes (R1): ask, count the votes, raise the fences
 * if their majority is not yet known to store the greatest (R9), grant or give up (R2).
 * Does not wait for the slowest nodes. The {@linkplain AcquireDecision decision} is made
 * under the lock, its effects take place outside of it.
 */
final class AcquireRound extends NodeRequest<NodeCommand.Acquire> {

	/** Is notified of the end of the attempt, once. */
	interface Listener {

		void onGranted(AcquireRound round);

		/**
		 * The attempt was not granted. It has to be {@linkplain AcquireRound#release
		 * released} before another one begins.
		 */
		void onFailed(AcquireRound round, RoundResult result);

		/** All replies to the attempt have come, which was not granted. */
		void onOver(AcquireRound round);

	}

	private final Quorum quorum;

	private final Listener listener;

	final LockTarget target;

	final Attempt attempt;

	final long leaseNanos;

	private final ReentrantLock lock;

	/** The votes, and what they amount to. */
	final AcquireDecision decision;

	private final @Nullable Settlement settlement;

	/** R1: validity = lease - elapsed - drift. */
	final long validUntilNanos;

	/** No reply counts that comes later (R1). */
	private volatile long countedUntilNanos;

	private volatile LockTimer.@Nullable Timeout timeout;

	/** In a settlement: looks at the votes meanwhile, or asks again. */
	private volatile LockTimer.@Nullable Timeout pause;

	// What became of it, if it was not granted. Guarded by the lock.

	private @Nullable RoundResult result;

	/** The nodes whose reply has not come. */
	private long awaited;

	/** The nodes that may hold keys of this attempt. */
	private long touched;

	/** The nodes that refused: they have the ticket. */
	private long refused;

	/** Whether those that are awaited are about to refuse, too. */
	private boolean aboutToRefuse;

	/** The nodes to release when they reply. */
	private long owed;

	/** What the release brings them. */
	private volatile @Nullable Ticket owedTicket;

	/**
	 * Create a round.
	 * @param quorum the nodes
	 * @param claim what is asked for
	 * @param target what to lock
	 * @param ticket the place of a claim that was refused before; {@code null} for a
	 * first attempt
	 * @param hint which permit to try first
	 * @param settlement settles a divided vote; {@code null} to fail then
	 * @param startNanos the time before the first byte is sent, since the validity counts
	 * from here (R1)
	 * @param listener is notified of the end
	 */
	AcquireRound(Quorum quorum, Claim claim, LockTarget target, @Nullable Ticket ticket, int hint,
			@Nullable Settlement settlement, long startNanos, Listener listener) {
		super(quorum.messenger, command(quorum, claim, target, ticket, hint, startNanos), startNanos);
		this.quorum = quorum;
		this.lock = quorum.roundLocks.of(target.names());
		this.listener = listener;
		this.target = target;
		this.attempt = this.command.attempt();
		this.leaseNanos = claim.leaseNanos();
		Timing timing = quorum.timing;
		this.validUntilNanos = startNanos + this.leaseNanos - timing.driftMarginNanos(this.leaseNanos);
		this.decision = new AcquireDecision(quorum.voters, target, this.attempt, quorum.fencing, startNanos,
				this.validUntilNanos, timing.operationTimeoutNanos / 2, settlement);
		this.settlement = settlement;
	}

	private static NodeCommand.Acquire command(Quorum quorum, Claim claim, LockTarget target, @Nullable Ticket ticket,
			int hint, long nowNanos) {
		// First the attempt, then its tokens: if a node tells its time in between, a
		// proposal is checked that need not be. In the other order one that must be
		// checked would not.
		CommandHeader header = new CommandHeader(target, quorum.newAttempt(claim.retained()));
		// R9: proposed as of the time from which the validity counts, so that a proposal
		// which a pause made old comes too late to be granted.
		FenceProposals.Proposal proposal = quorum.fencing ? quorum.proposals.propose(target, claim.tokens(), nowNanos)
				: null;
		return new NodeCommand.Acquire(header, claim.leaseNanos() / 1_000_000,
				(proposal != null) ? proposal.tokens() : null, (proposal != null) ? proposal.range() : claim.tokens(),
				quorum.timing.fenceMillis(claim.leaseNanos()), ticket, hint);
	}

	/** Ask all nodes at once. */
	void start() {
		this.decision.asking(this.quorum.messenger.hanging(this.sentNanos));
		this.quorum.activity.began();
		limitQuestion();
		submit(this.quorum.voters.all);
		decideAnd(AcquireDecision::submitted);
	}

	/** Replies count for one operation timeout, and no longer than a settlement lasts. */
	private void limitQuestion() {
		long asked = this.decision.askedNanos();
		long limit = this.quorum.timing.operationTimeoutNanos;
		if (this.settlement != null) {
			limit = Math.min(limit, this.settlement.remainingNanos(asked));
		}
		cancel(this.timeout);
		this.countedUntilNanos = asked + limit;
		this.timeout = this.quorum.timer.schedule(limit, () -> decideAnd(AcquireDecision::late));
		if (this.settlement != null) {
			lookMeanwhile();
		}
	}

	/** In a settlement, nodes that do not reply are not waited for to the end. */
	private void lookMeanwhile() {
		this.pause = this.quorum.timer.schedule(this.quorum.timing.operationTimeoutNanos / 2, () -> {
			if (locked(this.decision::isAsking)) {
				lookMeanwhile();
				decideAnd((decision) -> {
				});
			}
		});
	}

	private void decideAnd(Consumer<AcquireDecision> change) {
		Step step;
		this.lock.lock();
		try {
			change.accept(this.decision);
			step = decide(now());
		}
		finally {
			this.lock.unlock();
		}
		carryOut(step);
	}

	/** Called under the lock. */
	private Step decide(long now) {
		Step step = this.decision.decide(now);
		if (step == Step.FAIL) {
			Ballot ballot = this.decision.ballot;
			this.touched = ballot.touched();
			this.refused = ballot.refused();
			this.awaited = this.touched & ~ballot.replied();
			this.aboutToRefuse = isAskedOnce() && !ballot.isGrantedAnywhere() && !this.decision.isLate();
			this.result = RoundResult.of(this.decision, this.quorum::status, this.target.permits(), this.leaseNanos,
					tookNanos(), this.quorum.timing.operationTimeoutMillis(), now - this.countedUntilNanos);
		}
		return step;
	}

	private boolean isAskedOnce() {
		return this.command.ticket() != null && this.settlement == null;
	}

	@Override
	void received(int slot, NodeReply reply) {
		received(slot, reply, false);
	}

	private void received(int slot, NodeReply reply, boolean raised) {
		Step step = Step.WAIT;
		boolean failed;
		boolean granted;
		boolean over = false;
		long owed = 0;
		this.lock.lock();
		try {
			failed = this.result != null;
			granted = this.decision.isGranted();
			if (failed) {
				owed = raised ? 0 : receivedLate(Voters.bit(slot), reply);
				over = !raised && isOver();
			}
			else if (!granted) {
				long now = now();
				if (now - this.countedUntilNanos > 0) {
					this.decision.late();
				}
				if (raised) {
					this.decision.noteRaise(slot, reply);
				}
				else {
					this.decision.note(slot, reply);
				}
				step = decide(now);
			}
		}
		finally {
			this.lock.unlock();
		}
		if (failed) {
			release(owed, this.owedTicket);
		}
		if (over) {
			this.listener.onOver(this);
		}
		if (granted && !raised) {
			tidy(slot, reply);
		}
		if (step != Step.WAIT) {
			carryOut(step);
		}
	}

	/** Return the node if it is to be released. Called under the lock. */
	private long receivedLate(long bit, NodeReply reply) {
		this.awaited &= ~bit;
		long owed = takeOwed(bit);
		if (reply instanceof NodeReply.Refused) {
			this.refused |= bit;
			return 0;
		}
		return owed;
	}

	private void carryOut(Step step) {
		switch (step) {
			case WAIT -> {
			}
			case ASK_AGAIN_LATER -> {
				cancel(this.pause);
				long pause = Objects.requireNonNull(this.settlement)
					.askAgainNanos(this.decision.questionNanos(), now());
				this.pause = this.quorum.timer.schedule(Math.max(0, pause), this::askAgain);
			}
			case RAISE -> raise();
			case GRANT -> {
				end();
				tidy(this.decision.ballot);
				this.listener.onGranted(this);
				this.quorum.activity.ended();
			}
			case FAIL -> {
				end();
				this.listener.onFailed(this, Objects.requireNonNull(this.result));
				this.quorum.activity.ended();
			}
		}
	}

	private void raise() {
		new Raise(new NodeCommand.Raise(new CommandHeader(this.target, this.attempt),
				Objects.requireNonNull(this.decision.fences()), this.command.fenceMillis(),
				this.decision.ballot.permit()), now())
			.submit(this.quorum.voters.all);
		decideAnd(AcquireDecision::submitted);
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
		submit(refused);
		decideAnd(AcquireDecision::submitted);
	}

	private void end() {
		cancel(this.timeout);
		cancel(this.pause);
		long[] greatest = this.decision.ballot.greatestFences();
		if (greatest != null) {
			this.quorum.proposals.seen(this.target.names(), greatest);
		}
	}

	private static void cancel(LockTimer.@Nullable Timeout timeout) {
		if (timeout != null) {
			timeout.cancel();
		}
	}

	/**
	 * Behind a grant: the ticket goes, which the nodes that granted have removed by
	 * themselves, and permits that are not needed any more.
	 */
	private void tidy(Ballot ballot) {
		Ticket ticket = this.command.ticket();
		if (ticket != null) {
			this.quorum.withdraw(this.target, ticket.text(), ballot.refused());
		}
		this.quorum.drop(this.target, this.attempt, ballot.permit(), ballot.strays());
	}

	/** A reply that came behind the grant: a late refusal has written the ticket down. */
	private void tidy(int slot, NodeReply reply) {
		Ticket ticket = this.command.ticket();
		int permit = this.decision.ballot.permit();
		if (reply instanceof NodeReply.Refused && ticket != null) {
			this.quorum.withdraw(this.target, ticket.text(), Voters.bit(slot));
		}
		else if (reply instanceof NodeReply.Granted granted && granted.permit() != permit) {
			this.quorum.drop(this.target, this.attempt, permit, Voters.bit(slot));
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
		long released = locked(() -> {
			long slots = isAskedOnce() ? this.touched & ~this.refused : this.touched;
			if (this.aboutToRefuse && ticket != null) {
				this.owed = slots & this.awaited;
				this.owedTicket = ticket;
				slots &= ~this.owed;
			}
			return slots;
		});
		release(released, ticket);
	}

	/** Return the nodes that refused: they have the ticket. */
	long queuedAt() {
		return locked(() -> this.refused);
	}

	/** Return whether it was not granted and no reply to it is awaited. */
	boolean isOver() {
		return locked(() -> this.result != null && this.awaited == 0);
	}

	/** Release where the reply is still owed: another attempt follows. */
	void releaseOwed() {
		release(takeOwed(-1L), null);
	}

	private long takeOwed(long slots) {
		return locked(() -> {
			long taken = this.owed & slots;
			this.owed &= ~slots;
			return taken;
		});
	}

	private <T> T locked(Supplier<T> task) {
		this.lock.lock();
		try {
			return task.get();
		}
		finally {
			this.lock.unlock();
		}
	}

	private void release(long slots, @Nullable Ticket ticket) {
		if (slots != 0) {
			new Release(this.quorum, this.target, this.attempt, slots, 0, ticket, true).submit();
		}
	}

	/** Return how long the round took so far. */
	private long tookNanos() {
		long question = this.decision.questionNanos();
		return (question != 0) ? question : now() - this.sentNanos;
	}

	private long now() {
		return this.quorum.clock.nanoTime();
	}

	/** The second round (R9). */
	private final class Raise extends NodeRequest<NodeCommand.Raise> {

		private Raise(NodeCommand.Raise command, long sentNanos) {
			super(AcquireRound.this.quorum.messenger, command, sentNanos);
		}

		@Override
		void received(int slot, NodeReply reply) {
			AcquireRound.this.received(slot, reply, true);
		}

	}

}
