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

import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import io.quorlock.quorum.node.Ticket;
import io.quorlock.store.ClaimFailure;
import io.quorlock.store.Grant;
import io.quorlock.store.StoreStatus;

/**
 * What came out of a round that was not granted. Later replies change nothing.
 *
 * @param voted whether a quorum replied
 * @param held whether a majority named a holder or an older ticket
 * @param owner the holder, if there is a single one that is known
 * @param granted the voting nodes that granted
 * @param freed the nodes that granted the same, whether they vote or not, and free it
 * again
 * @param rank how many claims wait in front, as a majority says
 * @param remainingMillis how long a majority keeps the keys seen if nothing renews them
 * @param tookNanos how long the replies took
 * @param reason says why, for people: thousands of claims that wait have no text
 */
record RoundResult(boolean voted, boolean held, @Nullable String owner, long granted, long freed, int rank,
		long remainingMillis, long tookNanos, Supplier<ClaimFailure> reason) {

	/**
	 * Return the result of a round that was not granted.
	 * @param decision the votes, and what was decided
	 * @param status what is known of the nodes
	 * @param permits how many permits the name has, 0 for other kinds
	 * @param leaseNanos the lease that was asked for
	 * @param tookNanos how long the replies took
	 * @param timeoutMillis the operation timeout
	 * @param lateNanos how much later than planned the end of their time was noticed
	 */
	static RoundResult of(AcquireDecision decision, Supplier<StoreStatus> status, int permits, long leaseNanos,
			long tookNanos, long timeoutMillis, long lateNanos) {
		Ballot ballot = decision.ballot;
		Standings standings = decision.standings();
		Supplier<ClaimFailure> reason;
		if (standings.isHeld()) {
			reason = held(standings, permits);
		}
		else {
			ClaimFailure failure = unavailable(decision, standings,
					status.get().description() + ballot.describe(tookNanos / 1_000_000, timeoutMillis), leaseNanos,
					lateNanos);
			reason = () -> failure;
		}
		return new RoundResult(decision.isVoted(), standings.isHeld(), standings.majorityOwner(), ballot.granted(),
				ballot.holders(), ballot.rank(), standings.remainingMillis(), tookNanos, reason);
	}

	private static ClaimFailure unavailable(AcquireDecision decision, Standings standings, String nodes,
			long leaseNanos, long lateNanos) {
		if (decision.isTooLateToGrant()) {
			return new ClaimFailure.Unavailable(
					nodes + "; their replies came too late for a lease of " + leaseNanos / 1_000_000 + " ms");
		}
		return ClaimFailure.Unavailable.unanswered(
				decision.isVoted() ? "the votes were divided: " + standings.division() + "; " + nodes : nodes,
				lateNanos);
	}

	private static Supplier<ClaimFailure> held(Standings standings, int permits) {
		// While a permit is free, only the older ticket keeps the claim out (R21).
		String owner = (permits == 0 || standings.areAllHeld()) ? standings.majorityOwner() : null;
		String ticket = standings.majorityTicket();
		boolean readers = standings.isHeldByReaders();
		long remaining = standings.remainingMillis();
		return () -> held(owner, readers, ticket, permits, remaining);
	}

	private static ClaimFailure held(@Nullable String owner, boolean readers, @Nullable String ticket, int permits,
			long remaining) {
		if (owner != null) {
			String instance = Grant.instanceOf(owner);
			if (permits > 0) {
				return new ClaimFailure.Held(instance, (permits == 1) ? instance + " holds the only permit"
						: "all %d permits are held, one of them by %s".formatted(permits, instance));
			}
			String shares = readers ? "shares" : "holds";
			return new ClaimFailure.Held(instance,
					(remaining < Long.MAX_VALUE)
							? "%s %s it, for another %d ms unless renewed".formatted(instance, shares, remaining)
							: "%s %s it, under a key without an expiry".formatted(instance, shares));
		}
		if (ticket != null) {
			String instance = Grant.instanceOf(Ticket.claimOf(ticket));
			return new ClaimFailure.Held(instance, instance + " has waited for it for longer");
		}
		return new ClaimFailure.Held(null, "it cools down for another %d ms after its release".formatted(remaining));
	}

	ClaimFailure failure() {
		return this.reason.get();
	}

	/** Return whether others are known to hold the name or to stand in front. */
	boolean isHeld() {
		return this.held;
	}

	/**
	 * Return whether every node that voted refused. Some may name the last holder still,
	 * and others whom they offered the name: whoever waits is in their queues.
	 */
	boolean isRefused() {
		return this.voted && this.granted == 0;
	}

	/** Return whether the votes were divided among several. */
	boolean isDivided() {
		return this.voted && !this.held;
	}

}
