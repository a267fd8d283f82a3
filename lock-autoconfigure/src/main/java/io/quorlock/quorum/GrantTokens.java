package io.quorlock.quorum;

import java.util.Arrays;
import java.util.concurrent.CompletableFuture;

import org.jspecify.annotations.Nullable;

import io.quorlock.quorum.node.CommandHeader;
import io.quorlock.quorum.node.NodeCommand;
import io.quorlock.store.Claim;

/**
 * The fencing tokens of a grant: it owns (T - range, T], T being the greatest of the
 * votes (R9).
 */
final class GrantTokens {

	private final Releases parts;

	private final Claim claim;

	private final int permit;

	private final long @Nullable [] least;

	private volatile long @Nullable [] greatest;

	GrantTokens(Releases parts, Claim claim, int permit, long @Nullable [] greatest) {
		this.parts = parts;
		this.claim = claim;
		this.permit = permit;
		this.greatest = greatest;
		this.least = (greatest != null) ? Arrays.stream(greatest).map((token) -> token - claim.tokens() + 1).toArray()
				: null;
	}

	/** Return the least token of each name. */
	long @Nullable [] least() {
		return this.least;
	}

	/** Return what the nodes have to store. */
	long @Nullable [] greatest() {
		return this.greatest;
	}

	/** Have the nodes store tokens of another group (R23), now and with each renewal. */
	CompletableFuture<Boolean> raise(long[] tokens, CommandHeader header) {
		long[] before = this.greatest;
		long[] after = tokens.clone();
		if (before != null) {
			Arrays.setAll(after, (i) -> Math.max(tokens[i], before[i]));
		}
		this.greatest = after;
		return new TokenRaise(this.parts, new NodeCommand.Raise(header, after,
				this.parts.timing().fenceMillis(this.claim.leaseNanos()), this.permit))
			.start();
	}

}
