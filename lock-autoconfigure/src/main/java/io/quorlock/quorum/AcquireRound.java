package io.quorlock.quorum;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;

import io.quorlock.engine.EngineTimer;
import io.quorlock.quorum.node.Attempt;
import io.quorlock.quorum.node.NodeCommand;
import io.quorlock.quorum.node.NodeReply;

/**
 * One attempt to lock on a quorum of nodes (R1): ask, count the votes, raise the fences
 * if their majority is not yet known to store the greatest (R9), grant or give up (R2).
 * Decides as soon as it can and does not wait for the slowest nodes. The decision is made
 * under the lock, its effects take place outside of it.
 */
final class AcquireRound {

	private enum Phase {

		PROBING, ASKING, SETTLING, RAISING, DONE

	}

	private enum Step {

		WAIT, ASK_OTHERS, ASK_AGAIN_LATER, RAISE, GRANT, FAIL

	}

	/** Is notified of the end of the attempt, once. */
	interface Listener {

		void onGranted(AcquireRound round);

		void onFailed(AcquireRound round);

	}

	private static final int NO_PROBE = -1;

	private final Rounds rounds;

	private final Voters voters;

	private final Listener listener;

	private final NodeCommand.Acquire command;

	private final long leaseNanos;

	private final @Nullable Settlement settlement;

	private final ReentrantLock lock = new ReentrantLock();

	private final Ballot ballot;

	private final Request asked;

	private @Nullable FenceTally fences;

	private Phase phase = Phase.ASKING;

	/** Whether commands are being submitted: replies are only noted meanwhile. */
	private boolean submitting;

	/** From here on no reply counts (R1). */
	private boolean late;

	private boolean tooLateToGrant;

	private int probe = NO_PROBE;

	private final long startNanos;

	/** When the nodes were asked last. */
	private long askedNanos;

	/** How long the replies to the first question took. */
	private long questionNanos;

	private EngineTimer.@Nullable Timeout timeout;

	private EngineTimer.@Nullable Timeout pause;

	/**
	 * Create a round.
	 * @param rounds what a round needs
	 * @param names the names
	 * @param leaseNanos the lease
	 * @param range how many tokens the grant takes
	 * @param settlement settles a divided vote; {@code null} to fail then
	 * @param listener is notified of the end
	 */
	AcquireRound(Rounds rounds, List<String> names, long leaseNanos, int range, @Nullable Settlement settlement,
			Listener listener) {
		this.rounds = rounds;
		this.voters = rounds.voters();
		this.leaseNanos = leaseNanos;
		this.settlement = settlement;
		this.listener = listener;
		this.ballot = new Ballot(this.voters);
		// R1: before the first byte is sent, since the validity counts from here.
		// R9: before the clock is read for the proposal, so that a proposal which a pause
		// made old comes too late to be granted.
		this.startNanos = rounds.clock().nanoTime();
		this.command = new NodeCommand.Acquire(names, rounds.newAttempt(), leaseNanos / 1_000_000,
				rounds.fencing() ? rounds.proposals().propose(names, range) : null, range,
				rounds.timing().fenceMillis(leaseNanos));
		this.asked = new Request(this.command, this.startNanos, false);
	}

	/** Ask all nodes at once. */
	void start() {
		begin(Phase.ASKING, this.voters.all());
		this.asked.submit(this.voters.all());
		submitted();
	}

	/** Ask one node first, and the others only if it grants. */
	void startWithProbe(int slot) {
		this.probe = slot;
		begin(Phase.PROBING, Voters.bit(slot));
		this.asked.submit(Voters.bit(slot));
		submitted();
	}

	private void begin(Phase first, long slots) {
		this.phase = first;
		this.submitting = true;
		this.rounds.activity().began();
		this.ballot.asking(slots, this.rounds.pending().hanging(this.startNanos));
		limitQuestion(this.startNanos);
	}

	/** No reply counts that comes later than the operation timeout (R1). */
	private void limitQuestion(long askedNanos) {
		this.askedNanos = askedNanos;
		cancel(this.timeout);
		this.timeout = this.rounds.timer().schedule(limitNanos(), () -> decideAnd(() -> this.late = true));
		if (this.settlement != null) {
			lookAgain();
		}
	}

	private long limitNanos() {
		long timeout = this.rounds.timing().operationTimeoutNanos();
		Settlement settlement = this.settlement;
		return (settlement != null) ? Math.min(timeout, settlement.remainingNanos(this.askedNanos)) : timeout;
	}

	/** Nodes that have not replied by then are not waited for. */
	private void lookAgain() {
		this.pause = this.rounds.timer().schedule(this.rounds.timing().operationTimeoutNanos() / 2, () -> {
			boolean asking;
			this.lock.lock();
			try {
				asking = this.phase == Phase.ASKING;
			}
			finally {
				this.lock.unlock();
			}
			if (asking) {
				lookAgain();
				decideAnd(() -> {
				});
			}
		});
	}

	/** Everything is submitted: from now on a reply may decide. */
	private void submitted() {
		decideAnd(() -> this.submitting = false);
	}

	private void decideAnd(Runnable change) {
		Step step;
		this.lock.lock();
		try {
			change.run();
			step = decide();
		}
		finally {
			this.lock.unlock();
		}
		carryOut(step);
	}

	private void note(int slot, NodeReply reply, boolean raised) {
		this.late |= this.rounds.clock().nanoTime() - this.askedNanos > limitNanos();
		if (raised) {
			Objects.requireNonNull(this.fences).noteRaise(slot, reply, this.late);
			return;
		}
		this.ballot.note(slot, reply, this.late);
		if (this.fences != null && !this.late) {
			this.fences.noteVote(slot, reply);
		}
	}

	private long elapsedNanos() {
		return this.rounds.clock().nanoTime() - this.startNanos;
	}

	// ---- the decision, made under the lock

	private Step decide() {
		// A decision now would send a release ahead of what is being submitted (R3).
		if (this.submitting) {
			return Step.WAIT;
		}
		return switch (this.phase) {
			case PROBING -> decideProbe();
			case ASKING -> decideVotes();
			case RAISING -> decideRaise();
			case SETTLING -> this.late ? fail() : Step.WAIT;
			case DONE -> Step.WAIT;
		};
	}

	private Step decideProbe() {
		NodeReply reply = this.ballot.reply(this.probe);
		if (reply == null) {
			return this.late ? fail() : Step.WAIT;
		}
		if (!(reply instanceof NodeReply.Granted) || this.late) {
			return fail();
		}
		this.phase = Phase.ASKING;
		this.submitting = true;
		this.ballot.asking(this.voters.all(), this.rounds.pending().hanging(this.startNanos));
		return Step.ASK_OTHERS;
	}

	private Step decideVotes() {
		if (!this.ballot.isGranted()) {
			return (this.settlement != null) ? settle(this.settlement) : failIfHopeless();
		}
		if (this.command.proposed() == null) {
			return grant();
		}
		this.fences = new FenceTally(this.voters, this.command.names().size(), this.ballot.replies());
		if (this.fences.isStored()) {
			return grant();
		}
		this.phase = Phase.RAISING;
		this.submitting = true;
		return Step.RAISE;
	}

	private Step failIfHopeless() {
		// Whether a quorum votes tells "held by another" from "unavailable".
		boolean settled = !this.ballot.canBeGranted(this.late) && this.ballot.isVotedOrHopeless(this.late);
		return settled ? fail() : Step.WAIT;
	}

	/** The claim ends with this round, so that its reply must be true (R4). */
	private Step settle(Settlement settlement) {
		Standings standings = standings();
		if (standings.isHeld() || this.late) {
			return fail();
		}
		long now = this.rounds.clock().nanoTime();
		long sinceAsked = now - this.askedNanos;
		if (!this.ballot.isComplete(sinceAsked >= this.rounds.timing().operationTimeoutNanos() / 2)) {
			return Step.WAIT;
		}
		if (!this.ballot.isVoted()) {
			return failIfHopeless();
		}
		Predicate<String> passedOver = (owner) -> settlement.isPassedOver(owner, now);
		if (!standings.isFirst(passedOver) || !standings.canWin(passedOver)) {
			return fail();
		}
		if (this.questionNanos == 0) {
			this.questionNanos = elapsedNanos();
		}
		this.phase = Phase.SETTLING;
		return Step.ASK_AGAIN_LATER;
	}

	private Step decideRaise() {
		FenceTally tally = Objects.requireNonNull(this.fences);
		if (tally.isStored()) {
			return grant();
		}
		return tally.canBeStored(this.late) ? Step.WAIT : fail();
	}

	private Step grant() {
		this.tooLateToGrant = this.rounds.clock().nanoTime() - validUntilNanos() >= 0;
		if (this.tooLateToGrant) {
			return fail();
		}
		this.phase = Phase.DONE;
		return Step.GRANT;
	}

	private Step fail() {
		this.phase = Phase.DONE;
		return Step.FAIL;
	}

	// ---- its effects

	private void carryOut(Step step) {
		switch (step) {
			case WAIT -> {
			}
			case ASK_OTHERS -> {
				this.asked.submit(this.voters.all() & ~Voters.bit(this.probe));
				submitted();
			}
			case ASK_AGAIN_LATER -> askAgainLater();
			case RAISE -> raise();
			case GRANT -> end(() -> this.listener.onGranted(this));
			case FAIL -> end(() -> {
				release();
				this.listener.onFailed(this);
			});
		}
	}

	private void raise() {
		NodeCommand.Raise raise = new NodeCommand.Raise(this.command.names(), attempt(),
				Objects.requireNonNull(this.fences).greatest(), this.command.fenceMillis());
		new Request(raise, this.rounds.clock().nanoTime(), true).submit(this.voters.all());
		submitted();
	}

	private void askAgainLater() {
		cancel(this.pause);
		long delay = Objects.requireNonNull(this.settlement).askAgainNanos(this.questionNanos);
		this.pause = this.rounds.timer().schedule(delay, this::askAgain);
	}

	/**
	 * Only nodes that refused: the others hold keys of this attempt, or have not replied.
	 */
	private void askAgain() {
		long refused;
		this.lock.lock();
		try {
			if (this.phase != Phase.SETTLING) {
				return;
			}
			refused = this.ballot.askingAgain();
			this.phase = Phase.ASKING;
			this.submitting = true;
		}
		finally {
			this.lock.unlock();
		}
		limitQuestion(this.rounds.clock().nanoTime());
		this.asked.submit(refused);
		submitted();
	}

	private void end(Runnable notification) {
		cancel(this.timeout);
		cancel(this.pause);
		this.ballot.remember(this.command.names(), this.rounds.proposals());
		notification.run();
		this.rounds.activity().ended();
	}

	private static void cancel(EngineTimer.@Nullable Timeout timeout) {
		if (timeout != null) {
			timeout.cancel();
		}
	}

	/** R2: on all nodes, those that refused, timed out or never replied included. */
	private void release() {
		if (isRefusedByProbe()) {
			return;
		}
		// R18: where the cool-down of an earlier holder is missing, it is put back.
		Standings standings = standings();
		long cooldownUntil = standings.isCoolingDown()
				? this.rounds.clock().nanoTime() + standings.remainingMillis() * 1_000_000 : 0;
		new Release(this.rounds.releases(), this.command.names(), attempt(), touched(), cooldownUntil).submit();
	}

	/** One command was sent, and is known to have written nothing. */
	private boolean isRefusedByProbe() {
		return this.probe != NO_PROBE && touched() == Voters.bit(this.probe)
				&& this.ballot.reply(this.probe) instanceof NodeReply.Refused;
	}

	// ---- what became of it

	/** Return the nodes that may hold keys of this attempt. */
	long touched() {
		this.lock.lock();
		try {
			return this.ballot.touched();
		}
		finally {
			this.lock.unlock();
		}
	}

	Attempt attempt() {
		return this.command.attempt();
	}

	long startNanos() {
		return this.startNanos;
	}

	long leaseNanos() {
		return this.leaseNanos;
	}

	/** Return the greatest token of each name, or null without fencing. */
	long @Nullable [] fences() {
		return (this.fences != null) ? this.fences.greatest() : null;
	}

	/** R1: validity = lease - elapsed - drift. */
	long validUntilNanos() {
		return this.startNanos + this.leaseNanos - this.rounds.timing().driftMarginNanos(this.leaseNanos);
	}

	Standings standings() {
		return new Standings(this.voters, this.command.names().size(), attempt().token(),
				Long.bitCount(this.ballot.granted()), this.ballot.replies());
	}

	/** Return whether a quorum replied, or the node that was probed refused. */
	boolean isVoted() {
		FenceTally tally = this.fences;
		return isRefusedByProbe()
				|| (!this.tooLateToGrant && ((tally != null) ? tally.isVoted() : this.ballot.isVoted()));
	}

	boolean isTooLateToGrant() {
		return this.tooLateToGrant;
	}

	/** Return how long the round took so far. */
	long tookNanos() {
		return (this.questionNanos != 0) ? this.questionNanos : elapsedNanos();
	}

	Ballot ballot() {
		return this.ballot;
	}

	@Override
	public String toString() {
		return this.command + " " + this.phase;
	}

	private final class Request extends NodeRequest {

		private final boolean raise;

		private Request(NodeCommand command, long sentNanos, boolean raise) {
			super(AcquireRound.this.rounds.messenger(), command, sentNanos);
			this.raise = raise;
		}

		@Override
		void received(int slot, NodeReply reply) {
			decideAnd(() -> note(slot, reply, this.raise));
		}

	}

}
