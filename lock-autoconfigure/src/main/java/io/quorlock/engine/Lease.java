package io.quorlock.engine;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import io.quorlock.LockLostEvent;
import io.quorlock.LockLostException;
import io.quorlock.LockRequest;
import io.quorlock.engine.event.RequestObservation;
import io.quorlock.quorum.node.Attempt;
import io.quorlock.quorum.node.NodeCommand;

/**
 * What a quorum granted: keys that live for a while on the nodes, and the validity that
 * follows from it. The watchdog half renews it (R6), loses it when its validity ends (R7)
 * and, when its holder is done, hands it on (R17) or releases it (R8).
 */
final class Lease {

	private static final Log logger = LogFactory.getLog(Lease.class);

	private enum State {

		HELD, RELEASED, LOST

	}

	/**
	 * So many instants there are in a renewal interval: 40 ms apart at a lease of 30 s.
	 */
	private static final int RENEWAL_INSTANTS = 256;

	private final LockEngine engine;

	private final List<String> keys;

	private final Attempt attempt;

	private final long @Nullable [] fences;

	/** How many holders the grant's tokens suffice for. */
	private final int range;

	private final boolean renewing;

	private final long grantedNanos;

	private final ReentrantLock lock = new ReentrantLock();

	private volatile State state = State.HELD;

	private volatile long validUntilNanos;

	private volatile Holder holder;

	/** Nodes that confirmed the last time they were asked. */
	private volatile long holders;

	private volatile String lossReason = "";

	private long leaseNanos;

	/** Nodes that may hold keys. */
	private long mayHold;

	private long nextRenewalNanos;

	/** Raised when the validity is lowered: what was sent earlier cannot raise it. */
	private int epoch;

	private EngineTimer.@Nullable Timeout timeout;

	Lease(LockEngine engine, AcquireRound round, Acquisition acquisition) {
		this.engine = engine;
		this.keys = round.keys();
		this.attempt = round.attempt();
		this.fences = round.fences();
		this.range = round.range();
		this.leaseNanos = round.leaseNanos();
		this.grantedNanos = round.startNanos();
		this.validUntilNanos = round.validUntilNanos();
		this.mayHold = round.mayHold();
		this.holders = round.holders();
		this.renewing = acquisition.request().leaseTime() == null;
		this.nextRenewalNanos = renewalDue(round.startNanos());
		this.holder = new Holder(this, acquisition, 0, this.engine.clock().nanoTime());
	}

	/** Begins to watch the validity; the first holder takes over. */
	void start() {
		this.lock.lock();
		try {
			if (this.state == State.HELD) {
				scheduleNext(this.engine.clock().nanoTime());
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	// ---- what the handles ask

	/** Computed, not event-driven: right also when no timer had a chance to run (R7). */
	boolean isHeld() {
		if (this.state != State.HELD) {
			return false;
		}
		if (this.engine.clock().nanoTime() - this.validUntilNanos < 0) {
			return true;
		}
		// A renewal may be about to count: who said "lost" once must stick to it.
		return !loseIfExpired();
	}

	Duration remaining() {
		if (!isHeld()) {
			return Duration.ZERO;
		}
		return Duration.ofNanos(Math.max(0, this.validUntilNanos - this.engine.clock().nanoTime()));
	}

	LockLostException lostException() {
		return new LockLostException(
				"Lock '" + this.keys + "' was lost: " + this.lossReason + ". Another instance may hold it by now");
	}

	List<String> keys() {
		return this.keys;
	}

	Attempt attempt() {
		return this.attempt;
	}

	Holder holder() {
		return this.holder;
	}

	LockHold describe() {
		Holder holder = this.holder;
		Map<String, Long> tokens = new TreeMap<>();
		for (int i = 0; this.fences != null && i < this.keys.size(); i++) {
			tokens.put(this.keys.get(i), fencingToken(i, holder.generation()));
		}
		return new LockHold(this.keys, holder.request().baseName(), this.attempt.token(), tokens, remaining(),
				this.engine.quorum().names(this.holders), holder.thread(),
				Duration.ofNanos(this.engine.clock().nanoTime() - holder.sinceNanos()));
	}

	/** The fencing token of a holder: the grant owns (T - range, T] (R9). */
	long fencingToken(int name, int generation) {
		if (this.fences == null) {
			throw new IllegalStateException(
					"Lock '" + this.keys + "' has no fencing token: distributed-lock.fencing.enabled is false");
		}
		return this.fences[name] - this.range + 1 + generation;
	}

	// ---- renewal

	private void scheduleNext(long now) {
		cancelTimer();
		long next = this.validUntilNanos;
		if (this.renewing && this.nextRenewalNanos - next < 0) {
			next = this.nextRenewalNanos;
		}
		this.timeout = this.engine.timer().schedule(next - now, this::onTimer);
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
			long now = this.engine.clock().nanoTime();
			Renewal renewal = (this.renewing && now - this.nextRenewalNanos >= 0) ? nextRenewal(now) : null;
			scheduleNext(now);
			if (renewal != null) {
				renewal.start();
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	private @Nullable Renewal nextRenewal(long now) {
		long maxHoldNanos = this.engine.settings().maxHoldTime().toNanos();
		if (maxHoldNanos > 0 && now - this.holder.sinceNanos() >= maxHoldNanos) {
			this.lossReason = "it was held for longer than distributed-lock.max-hold-time (%s)"
				.formatted(this.engine.settings().maxHoldTime());
			this.nextRenewalNanos = this.validUntilNanos;
			return null;
		}
		// Until this one is confirmed, the next is a retry, and comes sooner.
		this.nextRenewalNanos = now
				+ Math.min(this.leaseNanos / 3, this.engine.operationTimeoutNanos() + this.engine.randomDelayNanos(1));
		return new Renewal(this, this.epoch, this.leaseNanos, false);
	}

	CompletableFuture<Boolean> extend(Duration lease) {
		Renewal renewal;
		this.lock.lock();
		try {
			long now = this.engine.clock().nanoTime();
			this.leaseNanos = lease.toNanos();
			long until = now + this.leaseNanos - this.engine.driftMarginNanos(this.leaseNanos);
			boolean shorter = until - this.validUntilNanos < 0;
			if (shorter) {
				// R6: first the handle, then the keys.
				this.validUntilNanos = until;
				this.epoch++;
				this.nextRenewalNanos = renewalDue(now);
				scheduleNext(now);
			}
			renewal = new Renewal(this, this.epoch, this.leaseNanos, shorter);
			// Sent under the lock: of two calls the later one's lease is the keys' too.
			renewal.start();
		}
		finally {
			this.lock.unlock();
		}
		return renewal.done();
	}

	NodeCommand.Renew renewCommand(long leaseNanos, boolean shorten) {
		return new NodeCommand.Renew(this.keys, this.attempt, leaseNanos / 1_000_000, shorten, this.fences,
				this.engine.fenceMillis(leaseNanos));
	}

	/** Submits under the lock, so that no renewal follows a release (R3). */
	void submitRenewal(NodeCommand.Renew command, Renewal renewal) {
		this.lock.lock();
		try {
			if (this.state == State.HELD) {
				this.mayHold |= this.engine.quorum().all();
				for (int slot = 0; slot < this.engine.quorum().size(); slot++) {
					this.engine.quorum().submit(slot, command, slot, renewal, renewal.sentNanos());
				}
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	/** R6: counts only before the old validity ended, and never lowers it. */
	boolean renewed(Renewal renewal, long confirmedBy) {
		this.lock.lock();
		try {
			long now = this.engine.clock().nanoTime();
			if (this.state != State.HELD || now - this.validUntilNanos >= 0 || renewal.epoch() != this.epoch) {
				return false;
			}
			long until = renewal.sentNanos() + renewal.leaseNanos()
					- this.engine.driftMarginNanos(renewal.leaseNanos());
			this.validUntilNanos = this.validUntilNanos + Math.max(0, until - this.validUntilNanos);
			this.holders = confirmedBy;
			this.lossReason = "";
			this.nextRenewalNanos = renewalDue(renewal.sentNanos());
			scheduleNext(now);
		}
		finally {
			this.lock.unlock();
		}
		if (this.renewing) {
			this.engine.listeners().renewed(this.holder.request(), true);
		}
		return true;
	}

	/** A node confirmed a renewal that had its quorum already. */
	void alsoHeldBy(long slot) {
		this.lock.lock();
		try {
			this.holders = this.holders | slot;
		}
		finally {
			this.lock.unlock();
		}
	}

	void renewalFailed(Renewal renewal, String reason) {
		this.lock.lock();
		try {
			if (this.state != State.HELD || !this.renewing || renewal.epoch() < this.epoch) {
				return;
			}
			this.lossReason = reason;
		}
		finally {
			this.lock.unlock();
		}
		this.engine.listeners().renewed(this.holder.request(), false);
	}

	// ---- loss

	/**
	 * A quorum says that another has the lock, so that no retry can save it: its validity
	 * ends here (R7).
	 */
	void taken(Renewal renewal) {
		String reason = "a quorum of nodes says that another took it";
		renewalFailed(renewal, reason);
		this.lock.lock();
		try {
			long now = this.engine.clock().nanoTime();
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

	private boolean loseIfExpired() {
		Holder loser;
		this.lock.lock();
		try {
			if (this.state != State.HELD) {
				return true;
			}
			if (this.engine.clock().nanoTime() - this.validUntilNanos < 0) {
				return false;
			}
			this.state = State.LOST;
			if (this.lossReason.isEmpty()) {
				this.lossReason = this.renewing ? "its validity ended without a renewal (a pause of this process?)"
						: "its lease time of " + this.leaseNanos / 1_000_000 + " ms ended before it was released";
			}
			loser = this.holder;
		}
		finally {
			this.lock.unlock();
		}
		lost(loser, () -> {
		});
		return true;
	}

	/**
	 * An operator takes the lock away, whatever its validity.
	 * @param behindRelease runs before anybody else in this process may ask for the names
	 */
	void revoke(String reason, Runnable behindRelease) {
		Holder loser;
		this.lock.lock();
		try {
			if (this.state != State.HELD) {
				return;
			}
			this.state = State.LOST;
			this.lossReason = reason;
			loser = this.holder;
		}
		finally {
			this.lock.unlock();
		}
		lost(loser, behindRelease);
	}

	private void lost(Holder loser, Runnable behindRelease) {
		release(0);
		behindRelease.run();
		LockLostEvent event = new LockLostEvent(this.keys, this.attempt.token(),
				Duration.ofNanos(this.engine.clock().nanoTime() - loser.sinceNanos()), this.lossReason);
		logger.warn("Lock '%s' was lost after %d ms: %s. The integrity of what it protects may be compromised"
			.formatted(LogText.escape(event.name()), event.heldFor().toMillis(), this.lossReason));
		this.engine.listeners().lost(loser.request(), event);
		loser.lost(event);
		this.engine.forget(this);
		this.engine.lines().leave(this.keys, this, 0);
	}

	// ---- the end of a holder

	/**
	 * The last handle of the holder was closed: hand the lease on or release it.
	 * @return completes when a quorum confirmed the release, or one operation timeout
	 * passed
	 */
	CompletableFuture<@Nullable Void> holderLeft(Holder left) {
		if (handOver(left)) {
			return CompletableFuture.completedFuture(null);
		}
		return end(left);
	}

	/** The engine stops: releases whatever its holder thinks of it (R14). */
	CompletableFuture<@Nullable Void> stop() {
		this.lossReason = "the lock engine of this instance was stopped while it was held";
		return end(this.holder);
	}

	private CompletableFuture<@Nullable Void> end(Holder left) {
		this.lock.lock();
		try {
			if (this.state != State.HELD) {
				return CompletableFuture.completedFuture(null);
			}
			this.state = State.RELEASED;
		}
		finally {
			this.lock.unlock();
		}
		this.engine.forget(this);
		long cooldown = left.request().holdAtLeast().toNanos();
		CompletableFuture<@Nullable Void> released = release((cooldown != 0) ? left.sinceNanos() + cooldown : 0);
		tellReleased(left);
		return released;
	}

	private void tellReleased(Holder left) {
		left.observed().ended(RequestObservation::onReleased);
		this.engine.listeners().released(left.request(), left.sinceNanos());
	}

	private CompletableFuture<@Nullable Void> release(long cooldownUntilNanos) {
		boolean lost;
		long slots;
		this.lock.lock();
		try {
			cancelTimer();
			lost = this.state == State.LOST;
			slots = this.mayHold;
		}
		finally {
			this.lock.unlock();
		}
		Release release = new Release(this.engine, this.keys, this.attempt, slots, cooldownUntilNanos);
		if (lost) {
			return release.start();
		}
		return this.engine.lines().leave(this.keys, this, release);
	}

	/** R17: the next thread of this process that waits for the name gets the lease. */
	private boolean handOver(Holder left) {
		if (!mayBeHandedOver(left)) {
			return false;
		}
		return this.engine.lines().handOver(this.keys, this, (next) -> {
			Holder successor = new Holder(this, next, left.generation() + 1, this.engine.clock().nanoTime());
			this.holder = successor;
			if (next.takeOver(successor)) {
				tellReleased(left);
				return true;
			}
			this.holder = left;
			return false;
		});
	}

	private boolean mayBeHandedOver(Holder left) {
		LockSettings settings = this.engine.settings();
		if (!isHandOverRequest(left.request()) || left.generation() + 1 >= this.range || !isHeld()) {
			return false;
		}
		long now = this.engine.clock().nanoTime();
		long leaseNanos = settings.leaseTime().toNanos();
		boolean enoughLeft = this.validUntilNanos - now > leaseNanos / 2;
		return enoughLeft && isAsGranted(leaseNanos) && isYoung() && this.engine.isRunning();
	}

	/** Whether others were not kept out for longer yet than hand-overs may (R17). */
	boolean isYoung() {
		return this.engine.clock().nanoTime()
				- this.grantedNanos < this.engine.settings().handoverMaxDuration().toNanos();
	}

	/** What one holder extended or could not renew must not become the next one's. */
	private boolean isAsGranted(long leaseNanos) {
		this.lock.lock();
		try {
			return this.leaseNanos == leaseNanos && this.lossReason.isEmpty();
		}
		finally {
			this.lock.unlock();
		}
	}

	/** Only what the watchdog keeps alive is handed on: a fixed lease is its holder's. */
	static boolean isHandOverRequest(LockRequest request) {
		return request.names().size() == 1 && request.leaseTime() == null && request.holdAtLeast().isZero();
	}

	private void cancelTimer() {
		if (this.timeout != null) {
			this.timeout.cancel();
		}
	}

	LockEngine engine() {
		return this.engine;
	}

	@Override
	public String toString() {
		return this.keys + " by " + this.attempt + " " + this.state;
	}

}
