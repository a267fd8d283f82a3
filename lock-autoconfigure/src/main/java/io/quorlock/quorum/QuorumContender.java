package io.quorlock.quorum;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

import io.quorlock.engine.EngineTimer;
import io.quorlock.store.Claim;
import io.quorlock.store.ClaimFailure;
import io.quorlock.store.Contender;

/**
 * A claim that asks the nodes, and between two attempts waits for the release message or
 * for its back-off, whichever comes first (R4).
 */
final class QuorumContender implements Contender, AcquireRound.Listener, Subscriptions.Subscriber {

	private enum State {

		NEW, ASKING, PAUSED, DONE

	}

	/** What contenders of one store share. */
	record Parts(Rounds rounds, ProbeOrder probeOrder, Subscriptions subscriptions, RoundFailures failures,
			Set<QuorumGrant> grants) {
	}

	private final Parts parts;

	private final Rounds rounds;

	private final Claim claim;

	private final Contender.Listener listener;

	private final ReentrantLock lock = new ReentrantLock();

	// Guarded by the lock.

	private final RetryPolicy retries;

	private State state = State.NEW;

	private boolean cancelled;

	private boolean subscribed;

	private boolean waitingReported;

	/** Settles the votes of the final attempt, once it began. */
	private @Nullable Settlement settlement;

	/** Those who want the outcome of the next question. */
	private List<Consumer<ClaimFailure>> followers = List.of();

	/** Those who want the outcome of the question under way. */
	private List<Consumer<ClaimFailure>> served = List.of();

	private EngineTimer.@Nullable Timeout timeout;

	/** The release in front of this contender's first attempt. */
	private @Nullable Release previous;

	private volatile int attempts;

	private volatile ClaimFailure lastFailure = new ClaimFailure.Pending();

	QuorumContender(Parts parts, Claim claim, Contender.Listener listener) {
		this.parts = parts;
		this.rounds = parts.rounds();
		this.claim = claim;
		this.listener = listener;
		this.retries = new RetryPolicy(this.rounds.voters(), this.rounds.timing(), claim.maxAttempts());
	}

	// ---- asking

	@Override
	public void start() {
		attempt(false, State.NEW);
	}

	/** Begin behind a release of this process, when other instances may have waited. */
	void startAfter(long yieldNanos) {
		if (yieldNanos > 0) {
			pause(yieldNanos, State.NEW);
		}
		else {
			start();
		}
	}

	/** The release in front of the first attempt. */
	void follows(Release release) {
		this.lock.lock();
		try {
			this.previous = release;
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Subscribe before the first attempt, which comes when the release in front of it is
	 * confirmed, and no later than at the end of the wait. The nodes have to be flushed.
	 */
	void subscribe() {
		this.lock.lock();
		try {
			if (this.state != State.NEW || this.subscribed) {
				return;
			}
			this.subscribed = true;
			this.retries.subscribing();
			this.timeout = this.rounds.timer().schedule(Math.max(0, remainingNanos()), this::start);
		}
		finally {
			this.lock.unlock();
		}
		this.parts.subscriptions().add(this.claim.names(), this);
	}

	private void attempt(boolean probe, State expected) {
		AcquireRound round;
		this.lock.lock();
		try {
			if (this.state != expected) {
				return;
			}
			cancelTimeout();
			this.state = State.ASKING;
			this.served = this.followers;
			this.followers = List.of();
			boolean last = this.retries.isLastAttempt(remainingNanos());
			if (this.settlement == null && (last || !this.served.isEmpty())) {
				this.settlement = new Settlement(settledByNanos(), this.rounds.timing().operationTimeoutNanos());
			}
			this.retries.began();
			this.attempts = this.retries.attempts();
			round = new AcquireRound(this.rounds, this.claim.names(), this.claim.leaseNanos(), this.claim.tokens(),
					this.settlement, this);
		}
		finally {
			this.lock.unlock();
		}
		if (probe && this.settlement == null) {
			round.startWithProbe(this.parts.probeOrder().first(this.claim.names().get(0), now()));
		}
		else {
			round.start();
		}
	}

	/** R4: one operation timeout more than the wait; without a wait, one to settle it. */
	private long settledByNanos() {
		long timeout = this.rounds.timing().operationTimeoutNanos();
		long now = now();
		long end = this.claim.queuedAtNanos() + this.claim.waitNanos() + (this.claim.isImmediate() ? 2 : 1) * timeout;
		long remaining = Math.min(end - now, 2 * timeout);
		return now + Math.max(timeout / 4, remaining);
	}

	@Override
	public void onGranted(AcquireRound round) {
		Release before;
		this.lock.lock();
		try {
			this.retries.ended(round);
			before = (this.retries.attempts() == 1) ? this.previous : null; // others had
																			// it since
		}
		finally {
			this.lock.unlock();
		}
		finish();
		this.listener
			.onGranted(new QuorumGrant(this.rounds.releases(), this.claim, round, before, this.parts.grants()));
	}

	@Override
	public void onFailed(AcquireRound round) {
		ClaimFailure failure = this.parts.failures().describe(round);
		long remaining = remainingNanos();
		long delay;
		List<Consumer<ClaimFailure>> answered;
		boolean over;
		this.lock.lock();
		try {
			this.retries.ended(round);
			this.lastFailure = failure;
			boolean unsettled = this.settlement != null && failure instanceof ClaimFailure.Unavailable
					&& round.isVoted() && !this.settlement.isOver(now());
			boolean hopeless = this.claim.failFast() && failure instanceof ClaimFailure.Unavailable && !round.isVoted();
			over = this.cancelled || hopeless || (!unsettled && (remaining <= 0 || this.retries.isExhausted()));
			answered = unsettled ? List.of() : this.served;
			if (unsettled) {
				delay = standBackNanos(round);
			}
			else {
				this.served = List.of();
				this.settlement = null;
				delay = Math.max(0, Math.min(remaining, this.retries.backOffNanos(round)));
			}
			if (!over && !this.followers.isEmpty()) {
				delay = 0;
			}
			if (unsettled) { // the same question goes on
				List<Consumer<ClaimFailure>> all = new ArrayList<>(this.served);
				all.addAll(this.followers);
				this.followers = all;
			}
		}
		finally {
			this.lock.unlock();
		}
		answered.forEach((follower) -> follower.accept(failure));
		if (over) {
			finish();
			this.rounds.messenger().flush(); // the subscription ends at once
			this.listener.onFailed(this.cancelled ? new ClaimFailure.Cancelled() : failure);
		}
		else {
			pause(delay, State.ASKING);
		}
	}

	/** Called under the lock. */
	private long standBackNanos(AcquireRound round) {
		long least = Objects.requireNonNull(this.settlement).standBackNanos(round.tookNanos());
		return this.rounds.timing().randomNanos(least, 2 * least);
	}

	// ---- waiting

	private void pause(long delayNanos, State expected) {
		boolean subscribes;
		boolean reports;
		boolean released;
		this.lock.lock();
		try {
			if (this.state != expected) {
				return;
			}
			this.state = State.PAUSED;
			boolean settles = this.settlement != null;
			subscribes = !settles && !this.subscribed;
			reports = !settles && !this.waitingReported;
			this.waitingReported |= reports;
			this.subscribed |= subscribes;
			if (subscribes) {
				this.retries.subscribing();
			}
			// Announced while the nodes were asked.
			released = !settles && this.retries.isReleased();
			if (!released) {
				pauseFor(this.retries.isPartlyReleased() ? RetryPolicy.STRAGGLERS_NANOS : delayNanos);
			}
		}
		finally {
			this.lock.unlock();
		}
		if (subscribes) {
			this.parts.subscriptions().add(this.claim.names(), this);
		}
		if (reports) {
			this.listener.onWaiting();
		}
		if (released) {
			attempt(mustProbe(), State.PAUSED);
		}
		this.rounds.messenger().flush();
	}

	/** Called under the lock. */
	private void pauseFor(long delayNanos) {
		cancelTimeout();
		long most = (this.settlement != null) ? this.settlement.remainingNanos(now()) : remainingNanos();
		long delay = Math.min(delayNanos, Math.max(0, most));
		this.timeout = this.rounds.timer().schedule(delay, this::onPauseOver);
	}

	private void onPauseOver() {
		boolean probe;
		this.lock.lock();
		try {
			this.retries.backedOff();
			probe = this.retries.mayProbeNow(remainingNanos());
		}
		finally {
			this.lock.unlock();
		}
		attempt(probe, State.PAUSED);
	}

	private boolean mustProbe() {
		this.lock.lock();
		try {
			return this.retries.mustProbe(remainingNanos());
		}
		finally {
			this.lock.unlock();
		}
	}

	@Override
	public void onReleased(int slot) {
		boolean released;
		this.lock.lock();
		try {
			released = this.retries.announcedBy(slot);
			if (!released && this.state == State.PAUSED && this.retries.isPartlyReleased()) {
				pauseFor(RetryPolicy.STRAGGLERS_NANOS);
			}
		}
		finally {
			this.lock.unlock();
		}
		if (released) {
			attempt(mustProbe(), State.PAUSED);
		}
	}

	@Override
	public void onSubscribed(int slot) {
		boolean missed;
		boolean probe;
		this.lock.lock();
		try {
			missed = this.retries.subscribedTo(slot);
			probe = this.retries.mayProbe(remainingNanos());
		}
		finally {
			this.lock.unlock();
		}
		if (missed) {
			attempt(probe, State.PAUSED);
		}
	}

	@Override
	public void askFor(Consumer<ClaimFailure> outcome) {
		this.lock.lock();
		try {
			if (this.state == State.DONE) {
				return;
			}
			List<Consumer<ClaimFailure>> all = new ArrayList<>(this.followers);
			all.add(outcome);
			this.followers = all;
		}
		finally {
			this.lock.unlock();
		}
		attempt(false, State.PAUSED);
	}

	// ---- the end

	@Override
	public void cancel() {
		boolean ended;
		this.lock.lock();
		try {
			this.cancelled = true;
			// What is asked for now may still be granted: its end is awaited.
			ended = this.state == State.NEW || this.state == State.PAUSED;
		}
		finally {
			this.lock.unlock();
		}
		if (ended && finish()) {
			this.rounds.messenger().flush(); // the subscription ends at once
			this.listener.onFailed(new ClaimFailure.Cancelled());
		}
	}

	private boolean finish() {
		boolean subscribed;
		this.lock.lock();
		try {
			if (this.state == State.DONE) {
				return false;
			}
			this.state = State.DONE;
			subscribed = this.subscribed;
			this.subscribed = false;
			this.followers = List.of();
			this.served = List.of();
			cancelTimeout();
		}
		finally {
			this.lock.unlock();
		}
		if (subscribed) {
			this.parts.subscriptions().remove(this.claim.names(), this);
		}
		return true;
	}

	private void cancelTimeout() {
		if (this.timeout != null) {
			this.timeout.cancel();
			this.timeout = null;
		}
	}

	private long now() {
		return this.rounds.clock().nanoTime();
	}

	private long remainingNanos() {
		return this.claim.remainingNanos(now());
	}

	@Override
	public int attempts() {
		return this.attempts;
	}

	@Override
	public ClaimFailure lastFailure() {
		return this.lastFailure;
	}

	List<String> names() {
		return this.claim.names();
	}

	@Override
	public String toString() {
		return this.claim + " " + this.state;
	}

}
