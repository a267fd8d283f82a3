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

import io.quorlock.quorum.node.Ticket;
import io.quorlock.store.ClaimFailure;
import io.quorlock.store.Grant;
import io.quorlock.store.StoreStatus;

/**
 * Says why a round was not granted: which owner holds the lock, or which nodes are
 * missing.
 */
final class RoundFailures {

	private final Supplier<StoreStatus> status;

	private final long timeoutMillis;

	RoundFailures(Supplier<StoreStatus> status, long timeoutMillis) {
		this.status = status;
		this.timeoutMillis = timeoutMillis;
	}

	/**
	 * Describe a round that was not granted.
	 * @param decision what was decided
	 * @param standings what the votes amount to
	 * @param permits how many permits the name has, 0 for other kinds
	 * @param leaseNanos the lease that was asked for
	 * @param tookMillis how long the replies took
	 * @param lateNanos how much later than planned the end of their time was noticed
	 */
	ClaimFailure describe(AcquireDecision decision, Standings standings, int permits, long leaseNanos, long tookMillis,
			long lateNanos) {
		if (standings.isHeld()) {
			return held(standings, permits);
		}
		String nodes = this.status.get().description() + decision.ballot().describe(tookMillis, this.timeoutMillis);
		if (decision.isTooLateToGrant()) {
			return new ClaimFailure.Unavailable(
					nodes + "; their replies came too late for a lease of " + leaseNanos / 1_000_000 + " ms");
		}
		return ClaimFailure.Unavailable.unanswered(
				decision.isVoted() ? "the votes were divided: " + standings.division() + "; " + nodes : nodes,
				lateNanos);
	}

	private static ClaimFailure held(Standings standings, int permits) {
		String owner = standings.majorityOwner();
		String ticket = standings.majorityTicket();
		long remaining = standings.remainingMillis();
		// While a permit is free, only the older ticket keeps the claim out (R21).
		if (owner != null && (permits == 0 || standings.areAllHeld())) {
			String instance = Grant.instanceOf(owner);
			if (permits > 0) {
				return new ClaimFailure.Held(instance, (permits == 1) ? instance + " holds the only permit"
						: "all %d permits are held, one of them by %s".formatted(permits, instance));
			}
			String shares = standings.isHeldByReaders() ? "shares" : "holds";
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

}
