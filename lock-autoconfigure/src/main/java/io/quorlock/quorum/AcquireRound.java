package io.quorlock.quorum;

import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;

import org.jspecify.annotations.Nullable;

import io.quorlock.quorum.AcquireDecision.Step;
import io.quorlock.quorum.node.CommandHeader;
import io.quorlock.quorum.node.NodeCommand;
import io.quorlock.quorum.node.NodeReply;

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

		void onFailed(AcquireRound round);

	}

	private static final Runnable NO_CHANGE = () -> {
	};

	private final Rounds rounds;

	private final Listener listener;

	private final Question question;

	private final NodeCommand.Acquire command;

	private final ReentrantLock lock = new ReentrantLock();

	private final AcquireDecision decision;

	private final Leftovers leftovers;

	private final RoundTimers timers;

	private final Request asked;

	private final long startNanos;

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
		this.startNanos = rounds.clock().nanoTime();
		this.command = question.command(rounds);
		this.decision = new AcquireDecision(this.rounds.voters(), question.target(), this.command.attempt().token(),
				rounds.fencing(), this.startNanos, validUntilNanos(), rounds.timing().operationTimeoutNanos() / 2,
				settlement);
		this.timers = new RoundTimers(rounds, settlement);
		this.leftovers = new Leftovers(rounds, question.target());
		this.asked = new Request(this.command, this.startNanos, false);
	}

	/** Ask all nodes at once. */
	void start() {
		this.decision.asking(hanging());
		begin(this.rounds.voters().all());
	}

	/** Ask one node first, and the others only if it grants. */
	void startWithProbe(int slot) {
		this.decision.probing(slot, hanging());
		begin(Voters.bit(slot));
	}

	private void begin(long slots) {
		this.rounds.activity().began();
		limitQuestion();
		this.asked.submit(slots);
		submitted();
	}

	private long hanging() {
		return this.rounds.pending().hanging(this.startNanos);
	}

	private void limitQuestion() {
		this.timers.asked(this.decision.askedNanos(), () -> decideAnd(this.decision::late), this::isAsking,
				() -> decideAnd(NO_CHANGE));
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
			step = this.decision.decide(now(), this::hanging);
		}
		finally {
			this.lock.unlock();
		}
		carryOut(step);
	}

	private void received(int slot, NodeReply reply, boolean raised) {
		Step step = Step.WAIT;
		boolean granted;
		this.lock.lock();
		try {
			granted = this.decision.isGranted();
			if (!granted) {
				long now = now();
				note(slot, reply, raised, now);
				step = this.decision.decide(now, this::hanging);
			}
		}
		finally {
			this.lock.unlock();
		}
		if (granted && !raised) {
			this.leftovers.tidy(this.command.attempt(), this.question.ticket(), this.decision.ballot(), slot, reply);
		}
		carryOut(step);
	}

	private void note(int slot, NodeReply reply, boolean raised, long now) {
		if (now - this.decision.askedNanos() > this.timers.limitNanos(this.decision.askedNanos())) {
			this.decision.late();
		}
		if (raised) {
			this.decision.noteRaise(slot, reply);
		}
		else {
			this.decision.note(slot, reply);
		}
	}

	// ---- the effects of the decision

	private void carryOut(Step step) {
		switch (step) {
			case WAIT -> {
			}
			case ASK_OTHERS -> {
				this.asked.submit(this.decision.others());
				submitted();
			}
			case ASK_AGAIN_LATER -> this.timers.askAgain(this.decision.questionNanos(), this::askAgain);
			case RAISE -> raise();
			case GRANT -> end(() -> {
				this.leftovers.tidy(this.command.attempt(), this.question.ticket(), this.decision.ballot());
				this.listener.onGranted(this);
			});
			case FAIL -> end(() -> {
				release();
				this.listener.onFailed(this);
			});
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

	private void end(Runnable notification) {
		this.timers.cancel();
		this.decision.ballot().remember(this.question.target().names(), this.rounds.proposals());
		notification.run();
		this.rounds.activity().ended();
	}

	/** R2: on all nodes, those that refused, timed out or never replied included. */
	private void release() {
		if (!this.decision.isRefusedByProbe()) {
			this.leftovers.release(this.command.attempt(), touched(), this.decision.standings());
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

	boolean isSettling() {
		return this.timers.settles();
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

	int permits() {
		return this.question.target().permits();
	}

	/** R1: validity = lease - elapsed - drift. */
	long validUntilNanos() {
		return this.startNanos + leaseNanos() - this.rounds.timing().driftMarginNanos(leaseNanos());
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
		return this.rounds.clock().nanoTime();
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
