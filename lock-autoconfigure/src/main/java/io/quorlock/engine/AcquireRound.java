package io.quorlock.engine;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;

import org.jspecify.annotations.Nullable;

import io.quorlock.quorum.node.Attempt;
import io.quorlock.quorum.node.NodeCommand;
import io.quorlock.quorum.node.NodeReply;
import io.quorlock.quorum.node.ReplyHandler;

/**
 * One attempt to lock on a quorum of nodes (R1): ask, count the votes, raise the fences
 * if their majority is not yet known to store the greatest (R9), grant or give up (R2).
 * Decides as soon as it can and does not wait for the slowest nodes.
 */
final class AcquireRound implements ReplyHandler {

	private enum Phase {

		PROBING, ASKING, RAISING, DONE

	}

	private enum Decision {

		WAIT, ASK, RAISE, GRANT, FAIL

	}

	/** Learns the end of the attempt, once. */
	interface Callback {

		void onGranted(AcquireRound round);

		void onFailed(AcquireRound round);

	}

	private static final int NO_PROBE = -1;

	private final LockEngine engine;

	private final Quorum quorum;

	private final Callback callback;

	private final NodeCommand.Acquire command;

	private final long leaseNanos;

	private final ReentrantLock lock = new ReentrantLock();

	private final Votes votes;

	private Phase phase = Phase.ASKING;

	/** Whether commands are being submitted: replies only get noted meanwhile. */
	private boolean submitting;

	/** From here on no reply counts (R1). */
	private boolean late;

	private boolean tooLateToGrant;

	private int probe = NO_PROBE;

	private final long startNanos;

	private EngineTimer.@Nullable Timeout timeout;

	AcquireRound(LockEngine engine, List<String> keys, long leaseNanos, int range, Callback callback) {
		this.engine = engine;
		this.quorum = engine.quorum();
		this.leaseNanos = leaseNanos;
		this.callback = callback;
		this.votes = new Votes(this.quorum, keys.size());
		// R1: before the first byte is sent, since the validity counts from here.
		// R9: before the wall clock is read, so that a proposal which a pause made old
		// comes too late to be granted.
		this.startNanos = engine.clock().nanoTime();
		this.command = new NodeCommand.Acquire(keys, engine.newAttempt(), leaseNanos / 1_000_000,
				engine.settings().fencing() ? engine.fences().propose(keys, range) : null, range,
				engine.fenceMillis(leaseNanos));
	}

	/** Asks all nodes at once. */
	void start() {
		begin(Phase.ASKING, this.quorum.all());
		ask();
	}

	/** Asks one node first, and the others only if it grants. */
	void startWithProbe(int slot) {
		this.probe = slot;
		begin(Phase.PROBING, 1L << slot);
		this.quorum.submit(slot, this.command, slot, this, this.startNanos);
		resume();
	}

	private void begin(Phase first, long slots) {
		this.phase = first;
		this.submitting = true;
		this.engine.roundBegan();
		this.votes.asking(slots, this.quorum.silent(this.startNanos));
		this.timeout = this.engine.timer().schedule(this.engine.operationTimeoutNanos(), this::onTimeout);
	}

	private void ask() {
		for (int slot = 0; slot < this.quorum.size(); slot++) {
			if (slot != this.probe) {
				this.quorum.submit(slot, this.command, slot, this, this.startNanos);
			}
		}
		resume();
	}

	private void raise() {
		NodeCommand.Raise raise = new NodeCommand.Raise(keys(), attempt(), Objects.requireNonNull(fences()),
				this.command.fenceMillis());
		long now = this.engine.clock().nanoTime();
		for (int slot = 0; slot < this.quorum.size(); slot++) {
			this.quorum.submit(slot, raise, this.quorum.size() + slot, this, now);
		}
		resume();
	}

	/** Everything is submitted: from now on a reply may decide. */
	private void resume() {
		decideAnd(() -> this.submitting = false);
	}

	private void onTimeout() {
		decideAnd(() -> this.late = true);
	}

	@Override
	public void onReply(int slot, NodeReply reply) {
		boolean vote = slot < this.quorum.size();
		int node = vote ? slot : slot - this.quorum.size();
		this.engine.observe(node, vote ? "acquire" : "raise", reply, this.startNanos);
		decideAnd(() -> {
			this.late |= elapsedNanos() > this.engine.operationTimeoutNanos();
			if (vote) {
				this.votes.note(node, reply, this.late);
			}
			else {
				this.votes.noteRaise(node, reply, this.late);
			}
		});
	}

	private long elapsedNanos() {
		return this.engine.clock().nanoTime() - this.startNanos;
	}

	private void decideAnd(Runnable change) {
		Decision decision;
		this.lock.lock();
		try {
			change.run();
			decision = decide();
		}
		finally {
			this.lock.unlock();
		}
		carryOut(decision);
	}

	private Decision decide() {
		// A decision now would send a release ahead of what is being submitted (R3).
		if (this.submitting) {
			return Decision.WAIT;
		}
		return switch (this.phase) {
			case PROBING -> decideProbe();
			case ASKING -> decideVotes();
			case RAISING -> decideRaise();
			case DONE -> Decision.WAIT;
		};
	}

	private Decision decideProbe() {
		NodeReply reply = this.votes.reply(this.probe);
		if (reply == null) {
			return this.late ? fail() : Decision.WAIT;
		}
		if (!Replies.isCarriedOut(reply) || this.late) {
			return fail();
		}
		this.phase = Phase.ASKING;
		this.submitting = true;
		this.votes.asking(this.quorum.all(), this.quorum.silent(this.startNanos));
		return Decision.ASK;
	}

	private Decision decideVotes() {
		if (!this.votes.isGranted()) {
			// Whether a quorum answers tells "held by another" from "unavailable".
			boolean settled = !this.votes.canBeGranted(this.late) && this.votes.isAnsweredOrHopeless(this.late);
			return settled ? fail() : Decision.WAIT;
		}
		if (this.command.proposed() == null) {
			return grant();
		}
		this.votes.settleFences();
		if (this.votes.areFencesStored()) {
			return grant();
		}
		this.phase = Phase.RAISING;
		this.submitting = true;
		return Decision.RAISE;
	}

	private Decision decideRaise() {
		if (this.votes.areFencesStored()) {
			return grant();
		}
		return this.votes.canFencesBeStored(this.late) ? Decision.WAIT : fail();
	}

	private Decision grant() {
		this.tooLateToGrant = this.engine.clock().nanoTime() - validUntilNanos() >= 0;
		if (this.tooLateToGrant) {
			return fail();
		}
		this.phase = Phase.DONE;
		return Decision.GRANT;
	}

	private Decision fail() {
		this.phase = Phase.DONE;
		return Decision.FAIL;
	}

	private void carryOut(Decision decision) {
		switch (decision) {
			case WAIT -> {
			}
			case ASK -> ask();
			case RAISE -> raise();
			case GRANT -> end(() -> this.callback.onGranted(this));
			case FAIL -> end(() -> {
				release();
				this.callback.onFailed(this);
			});
		}
	}

	private void end(Runnable callback) {
		if (this.timeout != null) {
			this.timeout.cancel();
		}
		this.votes.remember(keys(), this.engine.fences());
		callback.run();
		this.engine.roundEnded();
	}

	/** R2: on all nodes, those that refused, timed out or never answered included. */
	private void release() {
		if (!isRefusedByProbe()) {
			new Release(this.engine, keys(), attempt(), mayHold(), 0).start();
		}
	}

	/** One command was sent, and is known to have written nothing. */
	private boolean isRefusedByProbe() {
		if (this.probe == NO_PROBE || mayHold() != 1L << this.probe) {
			return false;
		}
		NodeReply reply = this.votes.reply(this.probe);
		return reply != null && Replies.isRefused(reply);
	}

	/** Nodes that may hold keys of this attempt. */
	long mayHold() {
		this.lock.lock();
		try {
			return this.votes.touched();
		}
		finally {
			this.lock.unlock();
		}
	}

	List<String> keys() {
		return this.command.names();
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

	int range() {
		return this.command.range();
	}

	long @Nullable [] fences() {
		return this.votes.fences();
	}

	long holders() {
		return this.votes.holders();
	}

	/** R1: validity = lease - elapsed - drift. */
	long validUntilNanos() {
		return this.startNanos + this.leaseNanos - this.engine.driftMarginNanos(this.leaseNanos);
	}

	/** Whether the failure means that somebody else has it. */
	boolean isContended() {
		return isRefusedByProbe() || (!this.tooLateToGrant && this.votes.isAnswered());
	}

	/** Nodes that were free for this attempt. */
	long granted() {
		return this.votes.granted();
	}

	/** Nodes where another had it. */
	long refused() {
		return this.votes.refused();
	}

	/** Whether others, who want it at the same time, got some of the nodes. */
	boolean isDivided() {
		return this.votes.isDivided();
	}

	@Nullable NodeReply refusal() {
		return this.votes.refusal();
	}

	/** What each node did wrong in this attempt, for the exception. */
	String describeFailure() {
		String text = this.votes.describe(this.engine.operationTimeoutNanos() / 1_000_000);
		return this.tooLateToGrant
				? text + "; their answers came too late for a lease of " + this.leaseNanos / 1_000_000 + " ms" : text;
	}

	@Override
	public String toString() {
		return this.command + " " + this.phase;
	}

}
