package io.quorlock.quorum;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

import io.quorlock.engine.EngineClock;
import io.quorlock.engine.EngineTimer;
import io.quorlock.quorum.node.Attempt;
import io.quorlock.quorum.node.NodeCommand;
import io.quorlock.store.Claim;
import io.quorlock.store.Grant;

/**
 * A lease that a quorum granted: keys that live for a while on the nodes, and the
 * validity that follows from it. The watchdog renews it (R6), and loses it when its
 * validity ends (R7).
 */
final class QuorumGrant implements Grant, Renewal.Listener {

	private enum State {

		HELD, RELEASED, LOST

	}

	/** Renewals are due at so many instants of an interval: 40 ms apart for 30 s. */
	private static final int RENEWAL_INSTANTS = 256;

	private final Releases parts;

	private final EngineClock clock;

	private final Timing timing;

	private final Claim claim;

	private final Attempt attempt;

	private final long @Nullable [] fences;

	private final long grantedNanos;

	/** The release of the holder before, in the same process. */
	private final @Nullable Release previous;

	/** The grants that are held, to which this one belongs until it ends. */
	private final Set<QuorumGrant> grants;

	private final ReentrantLock lock = new ReentrantLock();

	private final Submissions submissions = new Submissions();

	private volatile State state = State.HELD;

	private volatile long validUntilNanos;

	/** Nodes that confirmed the last time they were asked. */
	private volatile long holders;

	// Guarded by the lock.

	private @Nullable Consumer<String> onLost;

	private Consumer<Boolean> onRenewed = (renewed) -> {
	};

	private String lossReason = "";

	private boolean renewing;

	private long leaseNanos;

	/** Nodes that may hold keys. */
	private long mayHold;

	private long nextRenewalNanos;

	/** Raised when the validity is lowered: what was sent earlier cannot raise it. */
	private int epoch;

	/** How often it was passed on. */
	private int passes;

	private EngineTimer.@Nullable Timeout timeout;

	QuorumGrant(Releases parts, Claim claim, AcquireRound round, @Nullable Release previous, Set<QuorumGrant> grants) {
		this.parts = parts;
		this.clock = parts.clock();
		this.timing = parts.timing();
		this.claim = claim;
		this.attempt = round.attempt();
		this.fences = round.fences();
		this.leaseNanos = round.leaseNanos();
		this.grantedNanos = round.startNanos();
		this.validUntilNanos = round.validUntilNanos();
		this.mayHold = round.touched();
		this.holders = round.ballot().holders();
		this.renewing = claim.renewed();
		this.previous = previous;
		this.grants = grants;
		this.nextRenewalNanos = renewalDue(round.startNanos());
	}

	@Override
	public void keep(Consumer<String> onLost, Consumer<Boolean> onRenewed) {
		String lostBefore = null;
		this.lock.lock();
		try {
			this.onLost = onLost;
			this.onRenewed = onRenewed;
			if (this.state == State.HELD) {
				this.grants.add(this);
				scheduleNext(this.clock.nanoTime());
			}
			else if (this.state == State.LOST) {
				lostBefore = this.lossReason;
			}
		}
		finally {
			this.lock.unlock();
		}
		if (lostBefore != null) {
			onLost.accept(lostBefore);
		}
	}

	@Override
	public List<String> names() {
		return this.claim.names();
	}

	@Override
	public String owner() {
		return this.attempt.token();
	}

	/** The grant owns (T - range, T], T being the greatest of the votes (R9). */
	@Override
	public long @Nullable [] tokens() {
		long[] greatest = this.fences;
		if (greatest == null) {
			return null;
		}
		long[] least = new long[greatest.length];
		for (int i = 0; i < least.length; i++) {
			least[i] = greatest[i] - this.claim.tokens() + 1;
		}
		return least;
	}

	@Override
	public int permit() {
		return 0;
	}

	@Override
	public boolean isValid() {
		if (this.state != State.HELD) {
			return false;
		}
		if (this.clock.nanoTime() - this.validUntilNanos < 0) {
			return true;
		}
		// A renewal may be about to count: once reported as lost, it stays lost.
		return !loseIfExpired();
	}

	@Override
	public long validUntilNanos() {
		return this.validUntilNanos;
	}

	@Override
	public List<String> nodes() {
		return this.parts.voters().names(this.holders);
	}

	// ---- renewal

	/** Called under the lock. */
	private void scheduleNext(long now) {
		cancelTimer();
		long next = this.validUntilNanos;
		if (this.renewing && this.nextRenewalNanos - next < 0) {
			next = this.nextRenewalNanos;
		}
		this.timeout = this.parts.timer().schedule(next - now, this::onTimer);
	}

	/**
	 * A third of the lease after it was given (R6), or a little sooner: many leases are
	 * due at the same instant then, and one flush to each node renews them all.
	 */
	private long renewalDue(long sinceNanos) {
		long interval = this.leaseNanos / 3;
		long due = sinceNanos + interval;
		return due - Math.floorMod(due, Math.max(1, interval / RENEWAL_INSTANTS));
	}

	private void onTimer() {
		if (loseIfExpired()) {
			return;
		}
		this.lock.lock();
		try {
			if (this.state != State.HELD) {
				return;
			}
			long now = this.clock.nanoTime();
			if (this.renewing && now - this.nextRenewalNanos >= 0) {
				// Until this one is confirmed, the next is a retry, and comes sooner.
				this.nextRenewalNanos = now + Math.min(this.leaseNanos / 3,
						this.timing.operationTimeoutNanos() + this.timing.backOffNanos(1));
				renew(false, now);
			}
			scheduleNext(now);
		}
		finally {
			this.lock.unlock();
		}
		this.submissions.drain();
	}

	/** Called under the lock; the submissions have to be drained. */
	private Renewal renew(boolean shorten, long now) {
		NodeCommand.Renew command = new NodeCommand.Renew(names(), this.attempt, this.leaseNanos / 1_000_000, shorten,
				this.fences, this.timing.fenceMillis(this.leaseNanos));
		Renewal renewal = new Renewal(this.parts.voters(), this.parts.messenger(), command, now, this.epoch,
				this.leaseNanos, this);
		this.mayHold |= this.parts.voters().all();
		this.submissions.add(() -> renewal.start(this.parts.timer(), this.timing));
		return renewal;
	}

	@Override
	public CompletableFuture<Boolean> extend(Duration lease, int passes) {
		Renewal renewal;
		this.lock.lock();
		try {
			if (this.state != State.HELD || this.passes != passes) {
				return CompletableFuture.completedFuture(false);
			}
			long now = this.clock.nanoTime();
			this.leaseNanos = lease.toNanos();
			long until = now + this.leaseNanos - this.timing.driftMarginNanos(this.leaseNanos);
			boolean shorter = until - this.validUntilNanos < 0;
			if (shorter) {
				// R6: first the handle, then the keys.
				this.validUntilNanos = until;
				this.epoch++;
				this.nextRenewalNanos = renewalDue(now);
				scheduleNext(now);
			}
			renewal = renew(shorter, now);
		}
		finally {
			this.lock.unlock();
		}
		this.submissions.drain();
		return renewal.done();
	}

	@Override
	public void stopRenewal(String reason) {
		this.lock.lock();
		try {
			if (this.state == State.HELD) {
				this.renewing = false;
				this.lossReason = reason;
				scheduleNext(this.clock.nanoTime());
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	/** R6: counts only before the old validity ended, and never lowers it. */
	@Override
	public boolean onConfirmed(Renewal renewal, long confirmedBy) {
		Consumer<Boolean> notification;
		this.lock.lock();
		try {
			long now = this.clock.nanoTime();
			if (this.state != State.HELD || now - this.validUntilNanos >= 0 || renewal.epoch() != this.epoch) {
				return false;
			}
			long until = renewal.sentNanos() + renewal.leaseNanos()
					- this.timing.driftMarginNanos(renewal.leaseNanos());
			this.validUntilNanos = this.validUntilNanos + Math.max(0, until - this.validUntilNanos);
			this.holders = confirmedBy;
			if (this.renewing) {
				this.lossReason = "";
			}
			this.nextRenewalNanos = renewalDue(renewal.sentNanos());
			scheduleNext(now);
			notification = this.onRenewed;
		}
		finally {
			this.lock.unlock();
		}
		if (this.claim.renewed()) {
			notification.accept(true);
		}
		return true;
	}

	@Override
	public void onAlsoConfirmed(int slot) {
		this.lock.lock();
		try {
			this.holders = this.holders | Voters.bit(slot);
		}
		finally {
			this.lock.unlock();
		}
	}

	@Override
	public void onFailed(Renewal renewal, String reason) {
		Consumer<Boolean> notification;
		this.lock.lock();
		try {
			if (this.state != State.HELD || !this.renewing || renewal.epoch() < this.epoch) {
				return;
			}
			this.lossReason = reason;
			notification = this.onRenewed;
		}
		finally {
			this.lock.unlock();
		}
		notification.accept(false);
	}

	/**
	 * A quorum says that another has the lock, so that no retry can save it: its validity
	 * ends here (R7).
	 */
	@Override
	public void onRefused(Renewal renewal) {
		String reason = "a majority of the nodes says that another owner holds it";
		onFailed(renewal, reason);
		this.lock.lock();
		try {
			long now = this.clock.nanoTime();
			if (this.state == State.HELD && now - this.validUntilNanos < 0) {
				this.validUntilNanos = now;
				this.lossReason = reason;
				scheduleNext(now);
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	// ---- loss

	private boolean loseIfExpired() {
		Release release;
		this.lock.lock();
		try {
			if (this.state != State.HELD) {
				return true;
			}
			if (this.clock.nanoTime() - this.validUntilNanos < 0) {
				return false;
			}
			if (this.lossReason.isEmpty()) {
				this.lossReason = this.claim.renewed()
						? "its validity ended without a renewal (a pause of this process?)"
						: "its lease time of " + this.leaseNanos / 1_000_000 + " ms ended before it was released";
			}
			release = end(State.LOST, 0);
			this.submissions.add(release::submit);
		}
		finally {
			this.lock.unlock();
		}
		lost(() -> {
		});
		return true;
	}

	/**
	 * An operator takes the lock away, whatever its validity.
	 * @param behindRelease runs before anybody else in this process may ask for the names
	 */
	void revoke(String reason, Runnable behindRelease) {
		this.lock.lock();
		try {
			if (this.state != State.HELD) {
				return;
			}
			this.lossReason = reason;
			Release release = end(State.LOST, 0);
			this.submissions.add(release::submit);
		}
		finally {
			this.lock.unlock();
		}
		lost(behindRelease);
	}

	private void lost(Runnable behindRelease) {
		this.submissions.drain();
		behindRelease.run();
		Consumer<String> notification;
		String reason;
		this.lock.lock();
		try {
			notification = this.onLost;
			reason = this.lossReason;
		}
		finally {
			this.lock.unlock();
		}
		if (notification != null) {
			notification.accept(reason);
		}
	}

	// ---- the end

	/**
	 * End the lease.
	 * @param cooldownNanos how long the keys stay, 0 for not at all (R18)
	 * @param now whether the release is sent at once, or with what follows
	 * @return the release, or null if the lease had ended before
	 */
	@Nullable Release release(long cooldownNanos, boolean now) {
		Release release;
		this.lock.lock();
		try {
			if (this.state != State.HELD) {
				return null;
			}
			release = end(State.RELEASED, cooldownNanos);
			this.submissions.add(now ? release::submit : release::enqueue);
		}
		finally {
			this.lock.unlock();
		}
		this.submissions.drain();
		return release;
	}

	/** Called under the lock, so that no renewal follows the release (R3). */
	private Release end(State end, long cooldownNanos) {
		this.state = end;
		this.grants.remove(this);
		cancelTimer();
		long cooldownUntil = (cooldownNanos > 0) ? this.clock.nanoTime() + cooldownNanos : 0;
		return new Release(this.parts, names(), this.attempt, this.mayHold, cooldownUntil);
	}

	/**
	 * What one holder extended or could not renew must not become the next one's (R17).
	 */
	@Override
	public boolean passOn() {
		if (!isValid()) {
			return false;
		}
		this.lock.lock();
		try {
			boolean enoughLeft = this.validUntilNanos - this.clock.nanoTime() > this.leaseNanos / 2;
			if (this.state != State.HELD || !enoughLeft || this.leaseNanos != this.claim.leaseNanos()
					|| !this.lossReason.isEmpty()) {
				return false;
			}
			this.passes++;
			return true;
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Return whether nobody elsewhere waited for the names when they were released
	 * before, and others have not been kept out for longer than hand-overs may (R17).
	 */
	boolean isAlone(long handoverMaxNanos) {
		return this.clock.nanoTime() - this.grantedNanos < handoverMaxNanos && this.previous != null
				&& this.previous.isUnheard();
	}

	private void cancelTimer() {
		if (this.timeout != null) {
			this.timeout.cancel();
		}
	}

	@Override
	public String toString() {
		return this.claim + " by " + this.attempt + " " + this.state;
	}

}
