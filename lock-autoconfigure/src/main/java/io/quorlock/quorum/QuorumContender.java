package io.quorlock.quorum;

import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import io.quorlock.engine.EngineTimer;
import io.quorlock.quorum.ContenderState.Phase;
import io.quorlock.quorum.node.LockTarget;
import io.quorlock.store.Claim;
import io.quorlock.store.ClaimFailure;
import io.quorlock.store.Contender;

/**
 * A claim that asks the nodes, and between two attempts waits for the release message or
 * for its back-off, whichever comes first (R4). The {@linkplain ContenderState state}
 * changes under the lock, everything else happens outside of it.
 */
final class QuorumContender implements Contender, AcquireRound.Listener, Subscriptions.Subscriber {

	/** What contenders of one store share. */
	record Parts(Rounds rounds, ProbeOrder probeOrder, Subscriptions subscriptions, RoundFailures failures,
			Grants grants) {
	}

	private final Parts parts;

	private final Rounds rounds;

	private final Claim claim;

	private final LockTarget target;

	private final Contender.Listener listener;

	private final ReentrantLock lock = new ReentrantLock();

	// Guarded by the lock.

	private final ContenderState state;

	private final Queueing queueing;

	private EngineTimer.@Nullable Timeout timeout;

	/** The release in front of this contender's first attempt. */
	private volatile @Nullable Release previous;

	private volatile int attempts;

	private volatile ClaimFailure lastFailure = new ClaimFailure.Pending();

	QuorumContender(Parts parts, Claim claim, Contender.Listener listener) {
		this.parts = parts;
		this.rounds = parts.rounds();
		this.claim = claim;
		this.target = Queueing.target(claim);
		this.listener = listener;
		this.state = new ContenderState(claim, this.rounds.voters(), this.rounds.timing());
		this.queueing = new Queueing(this.rounds, claim, this.rounds.newAttempt(false).token());
	}

	// ---- asking

	@Override
	public void start() {
		attempt(false, Phase.NEW);
	}

	/** Begin behind a release of this process, when other instances may have waited. */
	void startAfter(long yieldNanos) {
		if (yieldNanos > 0) {
			pause(yieldNanos, Phase.NEW);
		}
		else {
			start();
		}
	}

	/** The release in front of the first attempt. */
	void follows(Release release) {
		this.previous = release;
	}

	/**
	 * Subscribe before the first attempt, which comes when the release in front of it is
	 * confirmed, and no later than at the end of the wait. The nodes have to be flushed.
	 */
	void subscribe() {
		boolean subscribes = locked(() -> {
			boolean begun = this.state.subscribeBeforehand();
			if (begun) {
				this.timeout = this.rounds.timer().schedule(Math.max(0, remainingNanos()), this::start);
			}
			return begun;
		});
		if (subscribes) {
			addSubscription();
		}
	}

	private void addSubscription() {
		this.parts.subscriptions().add(this.claim.names(), this);
		if (locked(this.state::phase) == Phase.DONE) {
			// It ended meanwhile, and there was nothing to remove yet.
			this.parts.subscriptions().remove(this.claim.names(), this);
		}
	}

	private void attempt(boolean probe, Phase expected) {
		AcquireRound round = locked(() -> this.state.begin(expected, now()) ? nextRound() : null);
		if (round == null) {
			return;
		}
		if (probe && !round.isSettling() && !locked(this.queueing::asksAll)) {
			round.startWithProbe(this.parts.probeOrder().first(this.claim.names().get(0), now()));
		}
		else {
			round.start();
		}
	}

	/** Called under the lock. */
	private AcquireRound nextRound() {
		cancelTimeout();
		RetryPolicy retries = this.state.retries();
		this.attempts = retries.attempts();
		int permits = this.target.permits();
		int hint = (this.claim.permit() > 0) ? this.claim.permit()
				: (permits > 1) ? 1 + (int) this.rounds.timing().randomNanos(0, permits) : 1;
		Question question = new Question(this.target, this.claim.leaseNanos(), this.claim.tokens(),
				this.queueing.forAttempt(retries.lastRound()), hint, this.claim.retained());
		return new AcquireRound(this.rounds, question, this.state.settlement(), this);
	}

	@Override
	public void onGranted(AcquireRound round) {
		// Others had it since, if this is not the first attempt.
		Release before = (this.attempts == 1) ? this.previous : null;
		finish();
		this.listener
			.onGranted(new QuorumGrant(this.rounds, this.claim, this.target, round, before, this.parts.grants()));
	}

	@Override
	public void onFailed(AcquireRound round) {
		ClaimFailure failure = this.parts.failures().describe(round);
		this.lastFailure = RoundFailures.known(round, failure, this.lastFailure);
		ContenderState.Next next = locked(() -> {
			this.queueing.refused(round);
			return this.state.failed(round, failure, now());
		});
		next.informed().forEach((follower) -> follower.accept(failure));
		if (next.over()) {
			finish();
			this.rounds.messenger().flush(); // the subscription ends at once
			this.listener.onFailed(next.cancelled() ? new ClaimFailure.Cancelled() : failure);
		}
		else {
			pause(next.delayNanos(), Phase.ASKING);
		}
	}

	// ---- waiting

	private void pause(long delayNanos, Phase expected) {
		ContenderState.Pause pause = locked(() -> {
			ContenderState.Pause begun = this.state.pause(expected, delayNanos, now());
			if (begun != null && !begun.cancelled() && !begun.released()) {
				pauseFor(begun.delayNanos());
			}
			return begun;
		});
		if (pause == null) {
			return;
		}
		if (pause.cancelled()) {
			endCancelled();
			return;
		}
		if (pause.subscribes()) {
			addSubscription();
		}
		if (pause.reports()) {
			this.listener.onWaiting();
		}
		if (pause.released()) {
			attempt(mustProbe(), Phase.PAUSED);
		}
		this.rounds.messenger().flush();
	}

	/** Called under the lock. */
	private void pauseFor(long delayNanos) {
		cancelTimeout();
		this.timeout = this.rounds.timer().schedule(delayNanos, this::onPauseOver);
	}

	private void onPauseOver() {
		attempt(locked(() -> this.state.retries().probesAfterBackOff(remainingNanos())), Phase.PAUSED);
	}

	private boolean mustProbe() {
		return locked(() -> this.state.retries().mustProbe(remainingNanos()));
	}

	@Override
	public void onReleased(int slot, String first) {
		if (!this.queueing.ticket().isNamedBy(first)) {
			return; // others are before
		}
		if (locked(() -> isReleasedBy(slot))) {
			attempt(mustProbe(), Phase.PAUSED);
		}
	}

	private boolean isReleasedBy(int slot) {
		boolean released = this.state.retries().announcedBy(slot);
		if (!released && this.state.phase() == Phase.PAUSED && this.state.retries().isPartlyReleased()) {
			pauseFor(this.state.limited(RetryPolicy.STRAGGLERS_NANOS, now()));
		}
		return released;
	}

	@Override
	public void onSubscribed(int slot) {
		if (locked(() -> this.state.retries().subscribedTo(slot))) {
			attempt(locked(() -> this.state.retries().probesOnceSubscribed(remainingNanos())), Phase.PAUSED);
		}
	}

	@Override
	public void askFor(Consumer<ClaimFailure> outcome) {
		locked(() -> this.state.follow(outcome));
		attempt(false, Phase.PAUSED);
	}

	// ---- the end

	@Override
	public void cancel() {
		if (locked(this.state::cancel)) {
			endCancelled();
		}
	}

	private void endCancelled() {
		if (finish()) {
			this.rounds.messenger().flush(); // the subscription ends at once
			this.listener.onFailed(new ClaimFailure.Cancelled());
		}
	}

	private boolean finish() {
		if (!locked(this.state::finish)) {
			return false;
		}
		locked(() -> {
			cancelTimeout();
			return null;
		});
		if (locked(this.queueing::takeRegistration)) {
			new Leftovers(this.rounds, this.target).withdraw(this.queueing.ticket(), this.rounds.voters().all());
		}
		if (locked(this.state::unsubscribe)) {
			this.parts.subscriptions().remove(this.claim.names(), this);
		}
		return true;
	}

	private <T extends @Nullable Object> T locked(Supplier<T> change) {
		this.lock.lock();
		try {
			return change.get();
		}
		finally {
			this.lock.unlock();
		}
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

	LockTarget target() {
		return this.target;
	}

	@Override
	public String toString() {
		return this.claim + " " + this.state.phase();
	}

}
