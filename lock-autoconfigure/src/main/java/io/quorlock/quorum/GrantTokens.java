package io.quorlock.quorum;

import java.util.List;
import java.util.concurrent.CompletableFuture;

import org.jspecify.annotations.Nullable;

import io.quorlock.quorum.node.CommandHeader;
import io.quorlock.quorum.node.NodeCommand;
import io.quorlock.store.Claim;

/**
 * The fencing tokens of a grant: it owns (T - range, T], T being the greatest of the
 * votes (R9). While it holds the lock, it takes those that follow by raising T on a
 * majority of the nodes (R24): whoever is granted the lock later sees what they store.
 */
final class GrantTokens {

	private final Rounds rounds;

	private final Claim claim;

	private final int permit;

	private final long @Nullable [] least;

	private volatile long @Nullable [] greatest;

	GrantTokens(Rounds rounds, Claim claim, int permit, long @Nullable [] greatest) {
		this.rounds = rounds;
		this.claim = claim;
		this.permit = permit;
		this.greatest = greatest;
		this.least = (greatest != null) ? plus(greatest, 1L - claim.tokens()) : null;
	}

	private static long[] plus(long[] tokens, long count) {
		long[] sum = tokens.clone();
		for (int i = 0; i < sum.length; i++) {
			sum[i] += count;
		}
		return sum;
	}

	/** Return the least token of each name. */
	long @Nullable [] least() {
		return this.least;
	}

	/** Return what the nodes have to store. */
	long @Nullable [] greatest() {
		return this.greatest;
	}

	/** Take more tokens; one call at a time. */
	CompletableFuture<Boolean> more(int count, CommandHeader header) {
		long[] before = this.greatest;
		if (before == null) {
			return CompletableFuture.completedFuture(false);
		}
		long[] after = plus(before, count);
		List<String> names = this.claim.names();
		if (this.rounds.proposals().isFarAhead(after)) {
			return CompletableFuture.completedFuture(false);
		}
		NodeCommand.Raise raise = new NodeCommand.Raise(header, after,
				this.rounds.timing().fenceMillis(this.claim.leaseNanos()), this.permit);
		return new FenceRaise(this.rounds, raise).start().thenApply((raised) -> {
			if (raised) {
				this.greatest = after;
				this.rounds.proposals().seen(names, after);
			}
			return raised;
		});
	}

}
