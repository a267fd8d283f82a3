package io.quorlock.quorum;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import io.quorlock.store.Claim;
import io.quorlock.store.ClaimFailure;

/**
 * What a contender does next (R4). Decides only: the contender guards it, and carries the
 * decisions out.
 */
final class ContenderState {

	enum Phase {

		NEW, ASKING, PAUSED, DONE

	}

	/**
	 * What follows an attempt that failed.
	 *
	 * @param over whether the claim ends
	 * @param cancelled whether it ends because it was cancelled
	 * @param delayNanos how long to wait otherwise
	 * @param informed the callbacks that share this outcome
	 */
	record Next(boolean over, boolean cancelled, long delayNanos, List<Consumer<ClaimFailure>> informed) {
	}

	/**
	 * What follows the begin of a pause.
	 *
	 * @param cancelled whether the claim ends instead, since it was cancelled meanwhile
	 * @param subscribes whether to subscribe to release messages
	 * @param reports whether to report that the claim waits
	 * @param released whether to ask at once, since a release was announced meanwhile
	 * @param delayNanos how long to pause otherwise
	 */
	record Pause(boolean cancelled, boolean subscribes, boolean reports, boolean released, long delayNanos) {
	}

	private final Claim claim;

	private final Timing timing;

	private final RetryPolicy retries;

	private Phase phase = Phase.NEW;

	private boolean cancelled;

	private boolean subscribed;

	private boolean waitingReported;

	/** Settles the votes of the final attempt, once it began. */
	private @Nullable Settlement settlement;

	/** When a claim without a wait no longer waits for a lease to be given up (R24). */
	private long givenUpByNanos;

	private boolean awaitsGivingUp;

	/** Those that want the outcome of the next question. */
	private List<Consumer<ClaimFailure>> followers = List.of();

	/** Those that want the outcome of the question under way. */
	private List<Consumer<ClaimFailure>> served = List.of();

	ContenderState(Claim claim, Voters voters, Timing timing) {
		this.claim = claim;
		this.timing = timing;
		this.retries = new RetryPolicy(voters, timing, claim.maxAttempts());
	}

	RetryPolicy retries() {
		return this.retries;
	}

	Phase phase() {
		return this.phase;
	}

	@Nullable Settlement settlement() {
		return this.settlement;
	}

	/**
	 * Begin an attempt.
	 * @return false if the phase is another than expected
	 */
	boolean begin(Phase expected, long now) {
		if (this.phase != expected) {
			return false;
		}
		this.phase = Phase.ASKING;
		this.served = this.followers;
		this.followers = List.of();
		boolean last = this.retries.isLastAttempt(this.claim.remainingNanos(now));
		if (this.settlement == null && (last || !this.served.isEmpty())) {
			this.settlement = new Settlement(settledByNanos(now), this.timing.operationTimeoutNanos());
		}
		this.retries.began();
		return true;
	}

	/** R4: one operation timeout more than the wait; without a wait, one to settle it. */
	private long settledByNanos(long now) {
		long timeout = this.timing.operationTimeoutNanos();
		long end = this.claim.queuedAtNanos() + this.claim.waitNanos() + (this.claim.isImmediate() ? 2 : 1) * timeout;
		long remaining = Math.min(end - now, 2 * timeout);
		return now + Math.max(timeout / 4, remaining);
	}

	/** Subscribe before the first attempt. */
	boolean subscribeBeforehand() {
		if (this.phase != Phase.NEW || this.subscribed) {
			return false;
		}
		this.subscribed = true;
		this.retries.subscribing();
		return true;
	}

	Next failed(AcquireRound round, ClaimFailure failure, long now) {
		this.retries.ended(round);
		long remaining = this.claim.remainingNanos(now);
		boolean unavailable = failure instanceof ClaimFailure.Unavailable;
		boolean voted = round.decision().isVoted();
		Settlement settlement = this.settlement;
		boolean unsettled = settlement != null && unavailable && voted && !settlement.isOver(now);
		boolean hopeless = this.claim.failFast() && unavailable && !voted;
		this.awaitsGivingUp = isGivenUpSoon(round, now);
		boolean over = this.cancelled || hopeless
				|| (!unsettled && !this.awaitsGivingUp && (remaining <= 0 || this.retries.isExhausted()));
		List<Consumer<ClaimFailure>> informed = this.served;
		if (unsettled || this.awaitsGivingUp) { // the same question goes on
			this.followers = Stream.concat(this.served.stream(), this.followers.stream()).toList();
			informed = List.of();
		}
		long delay;
		if (unsettled) {
			long least = Objects.requireNonNull(settlement).standBackNanos(round.tookNanos());
			delay = this.timing.randomNanos(least, 2 * least);
		}
		else {
			this.served = List.of();
			this.settlement = null;
			delay = this.awaitsGivingUp ? this.givenUpByNanos - now
					: Math.max(0, Math.min(remaining, this.retries.backOffNanos(round)));
			long givingUp = this.retries.givingUpNanos(round);
			if (givingUp > 0) {
				delay = Math.min(delay, givingUp);
			}
			if (!this.followers.isEmpty() && !this.awaitsGivingUp) {
				delay = 0;
			}
		}
		return new Next(over, this.cancelled, delay, informed);
	}

	/**
	 * R24: the owner was asked for a lease that it may keep unused, so that a claim
	 * without a wait asks again within one operation timeout.
	 */
	private boolean isGivenUpSoon(AcquireRound round, long now) {
		if (!this.claim.isImmediate() || !RetryPolicy.isRetainable(round)) {
			return false;
		}
		if (this.givenUpByNanos == 0) {
			this.givenUpByNanos = now + this.timing.operationTimeoutNanos();
		}
		return this.givenUpByNanos - now > 0;
	}

	/**
	 * Begin a pause.
	 * @return null if the phase is another than expected
	 */
	@Nullable Pause pause(Phase expected, long delayNanos, long now) {
		if (this.phase != expected) {
			return null;
		}
		this.phase = Phase.PAUSED;
		if (this.cancelled) {
			return new Pause(true, false, false, false, 0);
		}
		boolean settles = this.settlement != null;
		boolean subscribes = !settles && !this.subscribed;
		boolean reports = !settles && !this.waitingReported && !this.awaitsGivingUp;
		this.waitingReported |= reports;
		this.subscribed |= subscribes;
		if (subscribes) {
			this.retries.subscribing();
		}
		// Announced while the nodes were asked.
		boolean released = !settles && this.retries.isReleased();
		long delay = this.retries.isPartlyReleased() ? RetryPolicy.STRAGGLERS_NANOS : delayNanos;
		return new Pause(false, subscribes, reports, released, limited(delay, now));
	}

	/** Return a pause that does not exceed the wait. */
	long limited(long delayNanos, long now) {
		if (this.awaitsGivingUp) {
			return Math.min(delayNanos, Math.max(0, this.givenUpByNanos - now));
		}
		long most = (this.settlement != null) ? this.settlement.remainingNanos(now) : this.claim.remainingNanos(now);
		return Math.min(delayNanos, Math.max(0, most));
	}

	/**
	 * Another request wants the outcome of the next question, too.
	 * @return false if there is none any more
	 */
	boolean follow(Consumer<ClaimFailure> outcome) {
		if (this.phase == Phase.DONE) {
			return false;
		}
		List<Consumer<ClaimFailure>> all = new ArrayList<>(this.followers);
		all.add(outcome);
		this.followers = all;
		return true;
	}

	/**
	 * Give up.
	 * @return whether the claim ends at once: what is asked for now may still be granted
	 */
	boolean cancel() {
		this.cancelled = true;
		return this.phase == Phase.NEW || this.phase == Phase.PAUSED;
	}

	/**
	 * End.
	 * @return false if it had ended before
	 */
	boolean finish() {
		if (this.phase == Phase.DONE) {
			return false;
		}
		this.phase = Phase.DONE;
		this.followers = List.of();
		this.served = List.of();
		return true;
	}

	/** Return whether to end the subscription, once. */
	boolean unsubscribe() {
		boolean subscribed = this.subscribed;
		this.subscribed = false;
		return subscribed;
	}

}
