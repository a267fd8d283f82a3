package io.quorlock.engine;

import org.jspecify.annotations.Nullable;

import io.quorlock.quorum.node.NodeReply;

/**
 * When a request that did not get its lock asks again, and whom first (R1, R4). The
 * acquisition guards what it is told.
 */
final class Retries {

	/** A probe sees one node only: now and then all are asked. */
	private static final int FULL_ROUND_EVERY = 4;

	/** So often in a row a release message cuts the back-off short. */
	private static final int MAX_WAKE_UPS = 8;

	/** The announcements of one release come no further apart, where nodes are near. */
	static final long STRAGGLERS_NANOS = 1_000_000;

	private final LockEngine engine;

	private volatile int attempts;

	private volatile @Nullable AcquireRound lastRound;

	/** Nodes that announced a release since the last attempt began. */
	private long announced;

	/** Attempts since the last back-off that was not cut short. */
	private int wokenUp;

	/** Nodes that confirmed the subscription. */
	private long subscribed;

	Retries(LockEngine engine) {
		this.engine = engine;
	}

	/** It begins to listen to release messages. */
	void listening() {
		this.announced = 0;
		this.subscribed = 0;
	}

	/** An attempt begins. */
	void began() {
		this.announced = 0;
		this.attempts = this.attempts + 1;
		this.wokenUp++;
	}

	/** An attempt was granted or failed. */
	void decided(AcquireRound round) {
		this.lastRound = round;
	}

	/** A back-off was sat out. */
	void backedOff() {
		this.wokenUp = 0;
	}

	/** How long to wait for a release message after an attempt that failed. */
	long backOffNanos(AcquireRound round) {
		long delay = this.engine.randomDelayNanos(this.attempts);
		NodeReply refusal = round.refusal();
		if (refusal != null && Replies.remainingMillis(refusal) > 0) {
			// No later than the holder's key can live, but not all at once.
			long expiry = Replies.remainingMillis(refusal) * 1_000_000 + this.engine.randomDelayNanos(0) / 2;
			return Math.min(delay, expiry);
		}
		return delay;
	}

	/**
	 * A node announced that a key was released.
	 * @return whether it is time to ask again
	 */
	boolean announcedBy(int slot) {
		this.announced |= 1L << slot;
		return isReleased();
	}

	/**
	 * Unless a node that refused announced it too, what was announced is the release of
	 * one's own attempt; and without a quorum nobody held the lock. Neither is a reason
	 * to hurry (R4). Nor is what was announced again and again: contenders that divide
	 * the nodes may wake each other for ever.
	 */
	boolean isReleased() {
		AcquireRound last = this.lastRound;
		if (last == null) { // it gave way to other instances, and one of them is done
			return this.engine.quorum().isMajority(this.announced);
		}
		boolean released = last.isContended() && (this.announced & last.refused()) != 0
				&& this.engine.quorum().isMajority(this.announced | last.granted());
		return released && this.wokenUp < MAX_WAKE_UPS;
	}

	/**
	 * Whether somebody to whom it gives way is done, though only some nodes told: on the
	 * others the release may have come before this instance listened, and whoever
	 * released gives way, too.
	 */
	boolean isPartlyReleased() {
		return this.lastRound == null && this.announced != 0;
	}

	/**
	 * A node confirmed the subscription.
	 * @return whether an earlier release may have been missed
	 */
	boolean subscribedTo(int slot) {
		boolean before = this.engine.quorum().isMajority(this.subscribed);
		this.subscribed |= 1L << slot;
		// Who has not asked yet has listened since his instance released the lock.
		return !before && this.lastRound != null && this.engine.quorum().isMajority(this.subscribed);
	}

	/** R1: a retry may ask one node first, but the last word needs a quorum. */
	boolean mayProbe(long remainingNanos) {
		AcquireRound last = this.lastRound;
		return last != null && last.isContended() && this.engine.quorum().size() > 1
				&& this.attempts + 1 < this.engine.settings().maxAttempts()
				&& remainingNanos > 2 * this.engine.operationTimeoutNanos();
	}

	/** After a back-off. */
	boolean mayProbeNow(long remainingNanos) {
		return mayProbe(remainingNanos) && this.attempts % FULL_ROUND_EVERY != 0;
	}

	/**
	 * After a release all nodes are asked at once, unless the nodes were divided among
	 * several who want it: they would divide them again, so the first node decides.
	 */
	boolean mustProbe(long remainingNanos) {
		AcquireRound last = this.lastRound;
		return last != null && last.isDivided() && mayProbe(remainingNanos);
	}

	int attempts() {
		return this.attempts;
	}

	@Nullable AcquireRound lastRound() {
		return this.lastRound;
	}

}
