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

import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;

import io.quorlock.quorum.node.Attempt;

/**
 * When a claim that waits asks again (R4): when it is offered the name, when the claim in
 * front does not take what it was offered, and after a pause. Not thread-safe: the
 * contender guards it.
 */
final class WakeUps {

	/** The offers of several nodes may come that far apart. */
	private static final long LEAST_PATIENCE_NANOS = 1_000_000;

	private static final long MOST_GRACE_NANOS = 1_000_000;

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

	private static final long MOST_BATCH_NANOS = 100_000_000;

	private final Voters voters;

	private final Timing timing;

	private final int maxAttempts;

	private int attempts;

	private @Nullable RoundResult last;

	/** Nodes that offered the name since the last attempt began. */
	private long offered;

	/** Nodes that sent messages again since then. */
	private long listening;

	/** Pauses in a row after attempts about which nothing is known. */
	private int backOffs;

	WakeUps(Voters voters, Timing timing, int maxAttempts) {
		this.voters = voters;
		this.timing = timing;
		this.maxAttempts = maxAttempts;
	}

	/** An attempt begins. */
	void began() {
		this.offered = 0;
		this.listening = 0;
		this.attempts++;
	}

	/** An attempt failed. */
	void failed(RoundResult result) {
		this.last = result;
		this.backOffs = (result.isHeld() || result.isRefused()) ? 0 : this.backOffs + 1;
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
		long question = (this.last != null) ? this.last.tookNanos() : 0;
		return byAll ? 0 : Math.min(MOST_GRACE_NANOS, question);
	}

	/** Return how long to wait for the offers of a majority: two round trips. */
	long patienceNanos() {
		long question = (this.last != null) ? this.last.tookNanos() : 0;
		return Math.min(this.timing.operationTimeoutNanos() / 2, Math.max(LEAST_PATIENCE_NANOS, 2 * question));
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
			return this.timing.randomNanos(this.timing.maxDelayNanos() / 2, this.timing.maxDelayNanos());
		}
		if (!result.isHeld() && !result.isRefused()) {
			return this.timing.backOffNanos(this.backOffs);
		}
		if (this.attempts == 1 && this.attempts + 1 < this.maxAttempts && isRetainable(result)) {
			return givingUpNanos();
		}
		long most = this.timing.maxDelayNanos() * (1 + result.rank());
		long pause = this.timing.randomNanos(most / 2, most);
		if (result.rank() <= 1 && result.remainingMillis() > 0) {
			// No later than the holder's key can end, but not all at once.
			long expiry = Math.min(pause, TimeUnit.MILLISECONDS.toNanos(result.remainingMillis()));
			pause = Math.min(pause, expiry + this.timing.randomNanos(0, this.timing.maxDelayNanos() / 10));
		}
		long share = Math.max(waiting * NANOS_PER_WAITER, Math.min(waiting * IDLE_NANOS_PER_WAITER, lifeNanos / 4 * 3));
		pause = Math.max(Math.min(pause, lifeNanos / 2), share);
		return pause + untilNextBatch(waiting, now + pause);
	}

	/** Claims that ask together share packets and system calls. */
	private static long untilNextBatch(int waiting, long due) {
		long batch = Math.min(waiting / 100 * BATCH_NANOS, MOST_BATCH_NANOS);
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
	static boolean isRetainable(@Nullable RoundResult result) {
		String owner = (result != null) ? result.owner() : null;
		return owner != null && Attempt.isRetainable(owner);
	}

	boolean isLastAttempt() {
		return this.attempts + 1 >= this.maxAttempts;
	}

	boolean isExhausted() {
		return this.attempts >= this.maxAttempts;
	}

	int attempts() {
		return this.attempts;
	}

	@Nullable RoundResult last() {
		return this.last;
	}

}
