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
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import io.quorlock.quorum.AcquireDecision.Settlement;
import io.quorlock.quorum.node.Attempt;
import io.quorlock.store.Claim;
import io.quorlock.store.ClaimFailure;

/**
 * What a contender does next (R4). Decides only: the contender guards it, and carries the
 * decisions out.
 */
final class ContenderState {

	/** The offers of several nodes may come that far apart. */
	private static final long MIN_PATIENCE_NANOS = 1_000_000;

	private static final long MAX_GRACE_NANOS = 1_000_000;

	/** What an owner takes to release a lease that it does not use. */
	private static final long GIVING_UP_NANOS = 300_000;

	/** All claims of an instance together ask once in this time at most. */
	static final long NANOS_PER_WAITER = 1_000_000;

	/** Once in this time, if that is often enough to prolong their tickets. */
	private static final long IDLE_NANOS_PER_WAITER = 2_500_000;

	/**
	 * For every hundred claims that wait: those that are due within this time ask
	 * together.
	 */
	private static final long BATCH_NANOS = 1_000_000;

	private static final long MAX_BATCH_NANOS = 100_000_000;

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

	private final Voters voters;

	private final Timing timing;

	private Phase phase = Phase.NEW;

	private volatile int attempts;

	/** What came out of the last attempt. */
	private volatile @Nullable RoundResult last;

	/** Nodes that offered the name since the last attempt began. */
	private long offered;

	/** Nodes that sent messages again since then. */
	private long listening;

	/** Pauses in a row after attempts about which nothing is known. */
	private int backOffs;

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
		this.voters = voters;
		this.timing = timing;
	}

	/** Return how often the nodes were asked. May be called without the lock. */
	int attempts() {
		return this.attempts;
	}

	/** Return the last result, if there is any. May be called without the lock. */
	@Nullable RoundResult last() {
		return this.last;
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
		boolean last = this.claim.remainingNanos(now) <= 0 || isLastAttempt();
		if (this.settlement == null && (last || !this.served.isEmpty())) {
			this.settlement = new Settlement(settledByNanos(now), this.timing.operationTimeoutNanos);
		}
		this.offered = 0;
		this.listening = 0;
		this.attempts++;
		return true;
	}

	/** R4: one operation timeout more than the wait; without a wait, one to settle it. */
	private long settledByNanos(long now) {
		long timeout = this.timing.operationTimeoutNanos;
		return now + Math.max(Settlement.minNanos(timeout), Math.min(leftToSettleNanos(now), 2 * timeout));
	}

	private long leftToSettleNanos(long now) {
		long timeouts = (this.claim.isImmediate() ? 2 : 1) * this.timing.operationTimeoutNanos;
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
		this.last = result;
		this.backOffs = (result.isHeld() || result.isRefused()) ? 0 : this.backOffs + 1;
		if (result.isHeld()) {
			this.held = result;
			this.heldAtNanos = now;
		}
		long remaining = this.claim.remainingNanos(now);
		boolean unsettled = this.settlement != null && result.isDivided() && !this.settlement.isOver(now);
		boolean toSettle = this.settlement == null && result.isDivided() && remaining <= 0
				&& leftToSettleNanos(now) >= Settlement.minNanos(this.timing.operationTimeoutNanos);
		this.awaitsGivingUp = isGivenUpSoon(result, now);
		boolean goesOn = unsettled || toSettle || this.awaitsGivingUp
				|| (remaining > 0 && !isExhausted() && !isHopeless(result));
		ClaimFailure failure = this.cancelled ? new ClaimFailure.Cancelled()
				: goesOn ? null : finalFailure(result, now);
		List<Consumer<ClaimFailure>> informed = this.served;
		if (unsettled || this.awaitsGivingUp) { // the same question goes on
			this.followers = Stream.concat(this.served.stream(), this.followers.stream()).toList();
			informed = List.of();
		}
		if (unsettled) {
			this.unsettled = finalFailure(result, now);
			long min = Objects.requireNonNull(this.settlement).standBackNanos(result.tookNanos());
			return new Next(failure, false, this.timing.randomNanos(min, 2 * min), informed);
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
		if (!this.claim.isImmediate() || !isRetainable(result)) {
			return false;
		}
		if (this.givenUpByNanos == 0) {
			this.givenUpByNanos = now + this.timing.operationTimeoutNanos;
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
		return new Wait(false, reports, isOffered(), limited(delayNanos(waiting, now), now));
	}

	private long delayNanos(int waiting, long now) {
		if (this.awaitsGivingUp) { // it stands in no queue, and gets no offer
			return givingUpNanos();
		}
		if (!this.followers.isEmpty()) {
			return 0;
		}
		return isPartlyOffered() ? patienceNanos()
				: pauseNanos(waiting, this.timing.ticketMillis(this.claim.remainingNanos(now)) * 1_000_000, now);
	}

	/** No wait goes beyond what is left of it. */
	long limited(long delayNanos, long now) {
		long max = this.claim.remainingNanos(now);
		if (this.settlement != null) {
			max = this.settlement.untilLastQuestionNanos(now);
		}
		else if (this.awaitsGivingUp) {
			max = this.givenUpByNanos - now;
		}
		return Math.min(delayNanos, Math.max(0, max));
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
		RoundResult last = this.last;
		boolean known = last != null && last.isHeld() && !this.claim.isImmediate();
		boolean ends = isWaiting() && known && this.claim.remainingNanos(now) <= 0 && !isPartlyOffered()
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

	void offeredBy(int slot) {
		this.offered |= Voters.bit(slot);
	}

	/**
	 * Return whether a majority offered the name, or granted it in the last round. The
	 * offer of a node that granted is the echo of the release, even if its grant did not
	 * count: of readers that a majority refuses, each would wake the others over and
	 * over.
	 */
	boolean isOffered() {
		return freshOffers() != 0 && this.voters.isMajority(this.offered | granted());
	}

	/** Return whether some nodes offered it. */
	boolean isPartlyOffered() {
		return freshOffers() != 0;
	}

	private long freshOffers() {
		return this.offered & ~((this.last != null) ? this.last.freed() : 0);
	}

	private long granted() {
		return (this.last != null) ? this.last.granted() : 0;
	}

	/**
	 * Return how long to wait for further offers. The last nodes may offer the name a
	 * round trip behind the majority: a node that is asked before it has freed the name
	 * refuses, and keeps a ticket that has to be withdrawn.
	 * @param queued the nodes that are known to have the ticket
	 */
	long offeredDelayNanos(long queued) {
		if (!isOffered()) {
			return patienceNanos();
		}
		boolean byAll = (queued & ~(this.offered | granted())) == 0;
		return byAll ? 0 : Math.min(MAX_GRACE_NANOS, questionNanos());
	}

	/** Return how long to wait for the offers of a majority: two round trips. */
	long patienceNanos() {
		return Math.min(this.timing.operationTimeoutNanos / 2, Math.max(MIN_PATIENCE_NANOS, 2 * questionNanos()));
	}

	private long questionNanos() {
		return (this.last != null) ? this.last.tookNanos() : 0;
	}

	/**
	 * A node sends messages again.
	 * @return whether a majority of them does by now, so that offers may have been missed
	 */
	boolean listeningTo(int slot) {
		boolean before = this.voters.isMajority(this.listening);
		this.listening |= Voters.bit(slot);
		return !before && this.voters.isMajority(this.listening);
	}

	/**
	 * Return how long to wait at most for an offer.
	 * @param waiting how many claims of this instance wait
	 * @param lifeNanos how long the ticket stands
	 * @param now the time
	 */
	long pauseNanos(int waiting, long lifeNanos, long now) {
		RoundResult result = this.last;
		if (result == null) { // behind a release, which offers the name at once
			return this.timing.randomNanos(this.timing.maxDelayNanos / 2, this.timing.maxDelayNanos);
		}
		if (!result.isHeld() && !result.isRefused()) {
			return this.timing.backOffNanos(this.backOffs);
		}
		if (this.attempts == 1 && this.attempts + 1 < this.claim.maxAttempts() && isRetainable(result)) {
			return givingUpNanos();
		}
		long max = this.timing.maxDelayNanos * (1 + result.rank());
		long pause = this.timing.randomNanos(max / 2, max);
		if (result.rank() <= 1 && result.remainingMillis() > 0) {
			// No later than the holder's key can end, but not all at once.
			long expiry = Math.min(pause, TimeUnit.MILLISECONDS.toNanos(result.remainingMillis()));
			pause = Math.min(pause, expiry + this.timing.randomNanos(0, this.timing.maxDelayNanos / 10));
		}
		long share = Math.max(waiting * NANOS_PER_WAITER, Math.min(waiting * IDLE_NANOS_PER_WAITER, lifeNanos / 4 * 3));
		pause = Math.max(Math.min(pause, lifeNanos / 2), share);
		return pause + untilNextBatch(waiting, now + pause);
	}

	/** Claims that ask together share packets and system calls. */
	private static long untilNextBatch(int waiting, long due) {
		long batch = Math.min(waiting / 100 * BATCH_NANOS, MAX_BATCH_NANOS);
		return (batch > 0) ? Math.floorMod(-due, batch) : 0;
	}

	/**
	 * Return how long an owner may take to release a lease that it keeps unused. The
	 * nodes that refuse have asked the owner (R24). Its release takes one round trip to
	 * reach them, as the refusal and the next attempt do together, so that the attempt
	 * need not wait for the offer.
	 */
	long givingUpNanos() {
		return GIVING_UP_NANOS << Math.min(10, Math.max(0, this.attempts - 1));
	}

	/** Return whether the owner may keep its lease although it is unused. */
	private static boolean isRetainable(RoundResult result) {
		String owner = result.owner();
		return owner != null && Attempt.isRetainable(owner);
	}

	boolean isLastAttempt() {
		return this.attempts + 1 >= this.claim.maxAttempts();
	}

	boolean isExhausted() {
		return this.attempts >= this.claim.maxAttempts();
	}

}
