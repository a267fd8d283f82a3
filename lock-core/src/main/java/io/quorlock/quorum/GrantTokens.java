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

import java.util.concurrent.CompletableFuture;

import org.jspecify.annotations.Nullable;

import io.quorlock.quorum.node.CommandHeader;
import io.quorlock.quorum.node.NodeCommand;
import io.quorlock.store.Claim;

/**
 * The fencing tokens of a grant: it owns (T - range, T], T being the greatest of the
 * votes (R9). While it holds the lock, it takes those that follow by raising T on a
 * majority of the nodes (R24): a claim that is granted the lock later sees what they
 * store.
 */
final class GrantTokens {

	private final Rounds rounds;

	private final Claim claim;

	private final int permit;

	private final int range;

	private final long @Nullable [] least;

	private volatile long @Nullable [] greatest;

	GrantTokens(Rounds rounds, Claim claim, int permit, int range, long @Nullable [] greatest) {
		this.rounds = rounds;
		this.claim = claim;
		this.permit = permit;
		this.greatest = greatest;
		this.range = range;
		this.least = (greatest != null) ? plus(greatest, 1L - range) : null;
	}

	private static long[] plus(long[] tokens, long count) {
		long[] sums = tokens.clone();
		for (int i = 0; i < sums.length; i++) {
			sums[i] += count;
		}
		return sums;
	}

	/** Return the least token of each name. */
	long @Nullable [] least() {
		return this.least;
	}

	/** Return how many there were from the least one on when they were granted. */
	int range() {
		return this.range;
	}

	/** Return what the nodes have to store. */
	long @Nullable [] greatest() {
		return this.greatest;
	}

	/** Take more tokens; one call at a time. */
	CompletableFuture<Boolean> more(int count, CommandHeader header) {
		long[] before = this.greatest;
		long[] after = (before != null) ? plus(before, count) : null;
		if (after == null || this.rounds.proposals().isFarAhead(after)) {
			return CompletableFuture.completedFuture(false);
		}
		return store(after, header).thenApply((stored) -> {
			if (stored) {
				this.greatest = after;
				this.rounds.proposals().seen(this.claim.names(), after);
			}
			return stored;
		});
	}

	private CompletableFuture<Boolean> store(long[] tokens, CommandHeader header) {
		return new TokenRaise(this.rounds.releases(), new NodeCommand.Raise(header, tokens,
				this.rounds.timing().fenceMillis(this.claim.leaseNanos()), this.permit))
			.start();
	}

}
