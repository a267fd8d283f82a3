package io.quorlock.quorum;

import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;

import io.quorlock.quorum.node.Attempt;

/**
 * When a contender that was not granted asks again, and which node first (R1, R4). Not
 * thread-safe: the contender guards it.
 */
final class RetryPolicy {

	/** A probe sees one node only: now and then all are asked. */
	private static final int FULL_ROUND_EVERY = 4;

	/** So often in a row a release message cuts the back-off short. */
	private static final int MAX_WAKE_UPS = 8;

	/** The messages of one release come no further apart, where nodes are near. */
	static final long STRAGGLERS_NANOS = 1_000_000;

	/** What an owner takes to release a lease that it does not use. */
	private static final long GIVING_UP_NANOS = 300_000;

	private final Voters voters;

	private final Timing timing;

	private final int maxAttempts;

	private int attempts;

	private @Nullable AcquireRound lastRound;

	/** Nodes that announced a release since the last attempt began. */
	private long announced;

	/** Attempts since the last back-off that was not cut short. */
	private int wokenUp;

	/** Back-offs in a row during which no release was announced. */
	private int backOffs;

	/** Nodes that confirmed the subscription. */
	private long subscribed;

	/** Whether the pause is for an owner that gives up a lease which it does not use. */
	private boolean awaitsOwner;

	RetryPolicy(Voters voters, Timing timing, int maxAttempts) {
		this.voters = voters;
		this.timing = timing;
		this.maxAttempts = maxAttempts;
	}

	/** The subscription to release messages begins. */
	void subscribing() {
		this.announced = 0;
		this.subscribed = 0;
	}

	/** An attempt begins. */
	void began() {
		this.announced = 0;
		this.awaitsOwner = false;
		this.attempts++;
		this.wokenUp++;
	}

	/** An attempt was granted or failed. */
	void ended(AcquireRound round) {
		this.lastRound = round;
	}

	/**
	 * Return how long to wait for a release message after an attempt that failed. The
	 * pause does not grow after release messages, so that an often-woken contender is not
	 * at a disadvantage against newcomers.
	 */
	long backOffNanos(AcquireRound round) {
		if (this.wokenUp > 1) {
			this.backOffs = 0;
		}
		long delay = this.timing.backOffNanos(this.backOffs + 1);
		long remainingMillis = round.decision().standings().remainingMillis();
		if (remainingMillis > 0) {
			// No later than the holder's key can live, but not all at once.
			long expiry = Math.min(delay, TimeUnit.MILLISECONDS.toNanos(remainingMillis));
			return Math.min(delay, expiry + this.timing.backOffNanos(0) / 2);
		}
		return delay;
	}

	/**
	 * Return how long to wait for an owner that may keep its lease unused, 0 if the
	 * attempt was refused by another. The nodes that refuse have asked the owner (R24).
	 * Its release takes one round trip to reach them, as the refusal and the next attempt
	 * do together, so that the attempt need not wait for the release message.
	 */
	long givingUpNanos(AcquireRound round) {
		this.awaitsOwner = this.attempts == 1 && this.attempts + 1 < this.maxAttempts && isRetainable(round);
		return this.awaitsOwner ? GIVING_UP_NANOS : 0;
	}

	/** Return whether the owner may keep its lease although it is unused. */
	static boolean isRetainable(AcquireRound round) {
		String owner = round.decision().standings().majorityOwner();
		return owner != null && Attempt.isRetainable(owner);
	}

	/**
	 * A node announced the release of a name.
	 * @return whether it is time to ask again
	 */
	boolean announcedBy(int slot) {
		this.announced |= Voters.bit(slot);
		return isReleased();
	}

	/**
	 * Return whether what was announced is a reason to ask again. Unless a node that
	 * refused announced it too, it is the release of this contender's own attempt; and
	 * without a quorum no owner held the lock. Nor is what was announced again and again
	 * (R4): contenders that divide the nodes may wake each other for ever.
	 */
	boolean isReleased() {
		AcquireRound last = this.lastRound;
		if (last == null) { // it gave way to other instances, and one of them is done
			return this.voters.isMajority(this.announced);
		}
		boolean released = last.decision().isVoted() && (this.announced & last.decision().ballot().refused()) != 0
				&& this.voters.isMajority(this.announced | last.decision().ballot().granted());
		return released && this.wokenUp < MAX_WAKE_UPS;
	}

	/**
	 * Return whether another instance to which this one gave way is done, though only
	 * some nodes announced it: on the others the release may have come before the
	 * subscription, and that instance gives way, too.
	 */
	boolean isPartlyReleased() {
		return this.lastRound == null && this.announced != 0;
	}

	/**
	 * A node confirmed the subscription.
	 * @return whether an earlier release may have been missed
	 */
	boolean subscribedTo(int slot) {
		boolean before = this.voters.isMajority(this.subscribed);
		this.subscribed |= Voters.bit(slot);
		// Without an attempt yet, it subscribed behind the release of its own instance.
		return !before && this.lastRound != null && this.voters.isMajority(this.subscribed);
	}

	/** R1: a retry may ask one node first, but the final reply needs a quorum. */
	boolean mayProbe(long remainingNanos) {
		AcquireRound last = this.lastRound;
		return last != null && last.decision().isVoted() && this.voters.size() > 1
				&& this.attempts + 1 < this.maxAttempts && remainingNanos > 2 * this.timing.operationTimeoutNanos();
	}

	/**
	 * Return whether to probe once the subscription is confirmed. An instance that
	 * retained the lease was notified and has released it by now (R24).
	 */
	boolean probesOnceSubscribed(long remainingNanos) {
		AcquireRound last = this.lastRound;
		return mayProbe(remainingNanos) && (last == null || !isRetainable(last));
	}

	/** Return whether to probe after a pause that was not cut short. */
	boolean probesAfterBackOff(long remainingNanos) {
		if (this.awaitsOwner) {
			return false;
		}
		this.wokenUp = 0;
		this.backOffs++;
		return mayProbe(remainingNanos) && this.attempts % FULL_ROUND_EVERY != 0;
	}

	/**
	 * Return whether to probe after a release. All nodes are asked at once, unless they
	 * were divided among several contenders: those would divide them again, so the first
	 * node decides.
	 */
	boolean mustProbe(long remainingNanos) {
		AcquireRound last = this.lastRound;
		return last != null && last.decision().ballot().isSplit() && mayProbe(remainingNanos);
	}

	boolean isLastAttempt(long remainingNanos) {
		return remainingNanos <= 0 || this.attempts + 1 >= this.maxAttempts;
	}

	boolean isExhausted() {
		return this.attempts >= this.maxAttempts;
	}

	int attempts() {
		return this.attempts;
	}

	@Nullable AcquireRound lastRound() {
		return this.lastRound;
	}

}
