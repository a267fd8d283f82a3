package io.quorlock.quorum;

import java.util.function.Supplier;

import io.quorlock.store.ClaimFailure;
import io.quorlock.store.StoreStatus;

/**
 * Says why a round was not granted: who holds the lock, or which nodes are missing.
 */
final class RoundFailures {

	private final Supplier<StoreStatus> status;

	private final long timeoutMillis;

	RoundFailures(Supplier<StoreStatus> status, long timeoutMillis) {
		this.status = status;
		this.timeoutMillis = timeoutMillis;
	}

	ClaimFailure describe(AcquireRound round) {
		Standings standings = round.standings();
		String owner = standings.majorityOwner();
		long remaining = standings.remainingMillis();
		if (owner != null) {
			String instance = instanceOf(owner);
			return new ClaimFailure.Held(instance,
					(remaining > 0) ? "%s holds it, for another %d ms unless renewed".formatted(instance, remaining)
							: "%s holds it, under a key without an expiry".formatted(instance));
		}
		if (standings.isCoolingDown()) {
			return new ClaimFailure.Held(null,
					"it cools down for another %d ms after its release".formatted(remaining));
		}
		String nodes = this.status.get().description()
				+ round.ballot().describe(round.tookNanos() / 1_000_000, this.timeoutMillis);
		if (round.isTooLateToGrant()) {
			return new ClaimFailure.Unavailable(
					nodes + "; their replies came too late for a lease of " + round.leaseNanos() / 1_000_000 + " ms");
		}
		return new ClaimFailure.Unavailable(
				round.isVoted() ? "the votes were divided among several that asked at the same time; " + nodes : nodes);
	}

	/** The instance id is what stands before {@code :<random>:<counter>}. */
	static String instanceOf(String token) {
		int counter = token.lastIndexOf(':');
		int random = (counter > 0) ? token.lastIndexOf(':', counter - 1) : -1;
		return (random > 0) ? token.substring(0, random) : token;
	}

}
