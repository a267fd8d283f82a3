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

import org.jspecify.annotations.Nullable;

import io.quorlock.quorum.node.NodeReply;

/**
 * Which voting nodes are known to store the fencing tokens of an attempt (R9). The token
 * of a name is the greatest of the votes used. Not thread-safe: the round guards it.
 */
final class FenceTally {

	private final Voters voters;

	/** The permit whose votes are used, 0 for other kinds. */
	private final int permit;

	private final long[] greatest;

	/** Voting nodes that are known to store at least the greatest. */
	private long stored;

	private long raiseReplied;

	/** Voting nodes that replied to the second round. */
	private long raiseVoted;

	FenceTally(Voters voters, int names, int permit, @Nullable NodeReply[] votes) {
		this.voters = voters;
		this.permit = permit;
		this.greatest = new long[names];
		for (int slot = 0; slot < votes.length; slot++) {
			long[] fences = usedFences(votes[slot]);
			for (int i = 0; fences != null && i < names; i++) {
				if (fences[i] > this.greatest[i]) {
					this.greatest[i] = fences[i];
					this.stored = 0; // those before have less
				}
			}
			if (isAtLeast(fences, this.greatest)) {
				this.stored |= Voters.bit(slot);
			}
		}
	}

	/** Note a vote; also one that comes during the second round. */
	void noteVote(int slot, @Nullable NodeReply vote) {
		if (isAtLeast(usedFences(vote), this.greatest)) {
			this.stored |= Voters.bit(slot);
		}
	}

	void noteRaise(int slot, NodeReply reply, boolean late) {
		long bit = Voters.bit(slot);
		this.raiseReplied |= bit;
		if (late || !reply.voting()) {
			return;
		}
		if (reply instanceof NodeReply.Done) {
			this.stored |= bit;
			this.raiseVoted |= bit;
		}
		else if (reply instanceof NodeReply.NotHeld) {
			this.raiseVoted |= bit;
		}
	}

	/** The fences of a vote that is considered, otherwise null. */
	private long @Nullable [] usedFences(@Nullable NodeReply vote) {
		return (vote instanceof NodeReply.Granted granted && granted.voting() && granted.permit() == this.permit)
				? granted.fences() : null;
	}

	private static boolean isAtLeast(long @Nullable [] fences, long[] least) {
		if (fences == null) {
			return false;
		}
		for (int i = 0; i < least.length; i++) {
			if (fences[i] < least[i]) {
				return false;
			}
		}
		return true;
	}

	boolean isStored() {
		return this.voters.isMajority(this.stored);
	}

	boolean canBeStored(boolean late) {
		long open = late ? 0 : this.voters.all() & ~this.raiseReplied;
		return this.voters.isMajority(this.stored | open);
	}

	/** Return whether a quorum replied to the second round. */
	boolean isVoted() {
		return this.voters.isMajority(this.raiseVoted);
	}

	long[] greatest() {
		return this.greatest;
	}

}
