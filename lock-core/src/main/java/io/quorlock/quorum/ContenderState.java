/*
 * Copyright 2026-present the Quorlock authors.
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *      https://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */

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

		NEW, ASKING, WAITING, DONE

	}

	/**
	 * What follows an attempt that failed.
	 *
	 * @param failure why the claim ends, or {@code null} if it goes on
	 * @param queues whether it stands in the queues of the nodes
	 * @param delayNanos how long to wait otherwise
	 * @param informed the callbacks that share this outcome
	 */
	record Next(@Nullable ClaimFailure failure, boolean queues, long delayNanos,
			List<Consumer<ClaimFailure>> informed) {
	}

	/**
	 * What follows the begin of a wait.
	 *
	 * @param cancelled whether the claim ends instead, since it was cancelled meanwhile
	 * @param reports whether to report that the claim waits
	 * @param offered whether to ask at once, since the name was offered meanwhile
	 * @param delayNanos how long to wait otherwise
	 */
	record Wait(boolean cancelled, boolean reports, boolean offered, long delayNanos) {
	}

	private final Claim claim;

	private final Timing timing;

	private final WakeUps wakeUps;

	private Phase phase = Phase.NEW;

	private boolean cancelled;

	/** Whether nodes may have its ticket. */
	private boolean queued;

	private boolean waitingReported;

	/** The last holder that was seen. */
	private @Nullable RoundResult held;

	private long heldAtNanos;

	/** What the votes showed before the question that goes on. */
	private @Nullable ClaimFailure unsettled;

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
		this.wakeUps = new WakeUps(voters, timing, claim.maxAttempts());
	}

	WakeUps wakeUps() {
		return this.wakeUps;
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
		boolean last = this.claim.remainingNanos(now) <= 0 || this.wakeUps.isLastAttempt();
		if (this.settlement == null && (last || !this.served.isEmpty())) {
			this.settlement = new Settlement(settledByNanos(now), this.timing.operationTimeoutNanos());
		}
		this.wakeUps.began();
		return true;
	}

	/** R4: one operation timeout more than the wait; without a wait, one to settle it. */
	private long settledByNanos(long now) {
		long timeout = this.timing.operationTimeoutNanos();
		return now + Math.max(Settlement.leastNanos(timeout), Math.min(leftToSettleNanos(now), 2 * timeout));
	}

	private long leftToSettleNanos(long now) {
		long timeouts = (this.claim.isImmediate() ? 2 : 1) * this.timing.operationTimeoutNanos();
		return this.claim.queuedAtNanos() + this.claim.waitNanos() + timeouts - now;
	}

	/** Stand in the queues from now on; a claim without a wait does not. */
	boolean queue() {
		this.queued |= !this.claim.isImmediate() && this.phase != Phase.DONE;
		return this.queued;
	}

	boolean isQueued() {
		return this.queued;
	}

	Next failed(RoundResult result, long now) {
		this.wakeUps.failed(result);
		if (result.isHeld()) {
			this.held = result;
			this.heldAtNanos = now;
		}
		long remaining = this.claim.remainingNanos(now);
		boolean unsettled = this.settlement != null && result.isDivided() && !this.settlement.isOver(now);
		boolean toSettle = this.settlement == null && result.isDivided() && remaining <= 0
				&& leftToSettleNanos(now) >= Settlement.leastNanos(this.timing.operationTimeoutNanos());
		this.awaitsGivingUp = isGivenUpSoon(result, now);
		boolean goesOn = unsettled || toSettle || this.awaitsGivingUp
				|| (remaining > 0 && !this.wakeUps.isExhausted() && !isHopeless(result));
		ClaimFailure failure = this.cancelled ? new ClaimFailure.Cancelled()
				: goesOn ? null : finalFailure(result, now);
		List<Consumer<ClaimFailure>> informed = this.served;
		if (unsettled || this.awaitsGivingUp) { // the same question goes on
			this.followers = Stream.concat(this.served.stream(), this.followers.stream()).toList();
			informed = List.of();
		}
		if (unsettled) {
			this.unsettled = finalFailure(result, now);
			long least = Objects.requireNonNull(this.settlement).standBackNanos(result.tookNanos());
			return new Next(failure, false, this.timing.randomNanos(least, 2 * least), informed);
		}
		this.settlement = null;
		this.unsettled = null;
		boolean queues = failure == null && result.voted() && remaining > 0;
		return new Next(failure, queues, 0, informed);
	}

	/**
	 * A vote that stays divided is no news if a holder was seen before, and neither are
	 * replies that did not come in the little time that was left to settle it.
	 */
	private ClaimFailure finalFailure(RoundResult result, long now) {
		if (!result.voted() && this.unsettled != null) {
			return this.unsettled;
		}
		return (result.isDivided() && this.held != null) ? lastHeld(this.held.failure(), now) : result.failure();
	}

	private ClaimFailure lastHeld(ClaimFailure seen, long now) {
		String owner = (seen instanceof ClaimFailure.Held holder) ? holder.owner() : null;
		return new ClaimFailure.Held(owner,
				"%s, as a majority said %d ms ago".formatted(seen.description(), (now - this.heldAtNanos) / 1_000_000));
	}

	private boolean isHopeless(RoundResult result) {
		return this.claim.failFast() && !result.voted();
	}

	/**
	 * R24: the owner was asked for a lease that it may keep unused, so that a claim
	 * without a wait asks again within one operation timeout.
	 */
	private boolean isGivenUpSoon(RoundResult result, long now) {
		if (!this.claim.isImmediate() || !WakeUps.isRetainable(result)) {
			return false;
		}
		if (this.givenUpByNanos == 0) {
			this.givenUpByNanos = now + this.timing.operationTimeoutNanos();
		}
		return this.givenUpByNanos - now > 0;
	}

	/**
	 * Begin to wait.
	 * @param settling how long to stand back while a vote is settled, 0 otherwise
	 * @param waiting how many claims of this instance wait
	 * @return null if the phase is another than expected
	 */
	@Nullable Wait await(Phase expected, long settling, int waiting, long now) {
		if (this.phase != expected) {
			return null;
		}
		this.phase = Phase.WAITING;
		if (this.cancelled) {
			return new Wait(true, false, false, 0);
		}
		if (this.settlement != null) {
			return new Wait(false, false, false, limited(settling, now));
		}
		boolean reports = !this.waitingReported && !this.awaitsGivingUp;
		this.waitingReported |= reports;
		return new Wait(false, reports, this.wakeUps.isOffered(), limited(delayNanos(waiting, now), now));
	}

	private long delayNanos(int waiting, long now) {
		if (this.awaitsGivingUp) { // it stands in no queue, and gets no offer
			return this.wakeUps.givingUpNanos();
		}
		if (!this.followers.isEmpty()) {
			return 0;
		}
		return this.wakeUps.isPartlyOffered() ? this.wakeUps.patienceNanos() : this.wakeUps.pauseNanos(waiting,
				this.timing.ticketMillis(this.claim.remainingNanos(now)) * 1_000_000, now);
	}

	/** No wait goes beyond what is left of it. */
	long limited(long delayNanos, long now) {
		long most = this.claim.remainingNanos(now);
		if (this.settlement != null) {
			most = this.settlement.untilLastQuestionNanos(now);
		}
		else if (this.awaitsGivingUp) {
			most = this.givenUpByNanos - now;
		}
		return Math.min(delayNanos, Math.max(0, most));
	}

	/** Return whether the claim waits for an offer. */
	boolean isWaiting() {
		return this.phase == Phase.WAITING && this.settlement == null;
	}

	/** Return whether the claim has ever waited. */
	boolean hasWaited() {
		return this.waitingReported;
	}

	/**
	 * The wait is over. A claim that knows who holds the name, or stands in front, does
	 * not ask again: all that wait would do so (R4).
	 * @return why the claim ends, or null if it asks once more
	 */
	@Nullable ClaimFailure endUnasked(long now) {
		RoundResult last = this.wakeUps.last();
		boolean known = last != null && last.isHeld() && !this.claim.isImmediate();
		boolean ends = isWaiting() && known && this.claim.remainingNanos(now) <= 0 && !this.wakeUps.isPartlyOffered()
				&& this.followers.isEmpty();
		return (ends && this.held != null) ? lastHeld(this.held.failure(), now) : null;
	}

	/** Another request wants the outcome of the next question, too. */
	void follow(Consumer<ClaimFailure> outcome) {
		List<Consumer<ClaimFailure>> all = new ArrayList<>(this.followers);
		all.add(outcome);
		this.followers = all;
	}

	/**
	 * Give up.
	 * @return whether the claim ends at once: what is asked for now may still be granted
	 */
	boolean cancel() {
		this.cancelled = true;
		return this.phase == Phase.NEW || this.phase == Phase.WAITING;
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

}
