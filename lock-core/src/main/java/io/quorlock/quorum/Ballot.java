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

import java.util.Arrays;

import org.jspecify.annotations.Nullable;

import io.quorlock.quorum.node.LockNode;
import io.quorlock.quorum.node.NodeReply;

/**
 * The votes of one attempt, and what they amount to. Not thread-safe: the round guards
 * it.
 */
final class Ballot {

	private final Voters voters;

	private final @Nullable NodeReply[] replies;

	private long replied;

	/** Voting nodes that granted: of permits, the one that most of them granted. */
	private long granted;

	/** The number of that permit, 0 for other kinds. */
	private int permit;

	/** Whether what nodes granted are permits, so that it may differ. */
	private boolean permits;

	/** Nodes that granted anything, whether they vote or not. */
	private long grantedAnywhere;

	/** Voting nodes that granted or refused. */
	private long voted;

	/** Nodes that may hold keys of this attempt. */
	private long touched;

	/** Nodes that hung before they were asked: their vote is not waited for. */
	private long hanging;

	Ballot(Voters voters) {
		this.voters = voters;
		this.replies = new NodeReply[voters.size()];
	}

	/** Note that nodes are about to be asked, and which of them hang already. */
	void asking(long slots, long hanging) {
		this.touched |= slots;
		this.hanging = hanging;
	}

	/** Ask the nodes again that refused; their votes are open until they reply. */
	long askingAgain() {
		long slots = refused() & this.replied;
		this.replied &= ~slots;
		return slots;
	}

	/** Note a vote; one that came late shows only where keys may be. */
	void note(int slot, NodeReply reply, boolean late) {
		long bit = Voters.bit(slot);
		this.replied |= bit;
		if (reply instanceof NodeReply.Failed failed && failed.cause() == NodeReply.Failed.Cause.NOT_SENT
				&& this.replies[slot] == null) {
			this.touched &= ~bit;
		}
		if (late) {
			return;
		}
		this.replies[slot] = reply;
		int permit = 0;
		if (reply instanceof NodeReply.Granted granted) {
			permit = granted.permit();
			this.permits |= permit > 0;
			this.grantedAnywhere |= bit;
		}
		if (!reply.voting()) {
			return; // recorded, not considered (R10)
		}
		if (reply instanceof NodeReply.Granted) {
			this.voted |= bit;
			long same = (permit == 0) ? this.granted | bit : votingFor(permit);
			if (Long.bitCount(same) > Long.bitCount(this.granted)) {
				this.granted = same;
				this.permit = permit;
			}
		}
		else if (reply instanceof NodeReply.Refused) {
			this.voted |= bit;
		}
	}

	private long votingFor(int permit) {
		long slots = 0;
		for (int slot = 0; slot < this.replies.length; slot++) {
			if (this.replies[slot] instanceof NodeReply.Granted granted && granted.voting()
					&& granted.permit() == permit) {
				slots |= Voters.bit(slot);
			}
		}
		return slots;
	}

	/** Return the permit that most nodes granted, 0 for other kinds. */
	int permit() {
		return this.permit;
	}

	/** Return the replies used, for reading only. */
	@Nullable NodeReply[] replies() {
		return this.replies;
	}

	boolean isGranted() {
		return this.voters.isMajority(this.granted);
	}

	/** Return whether a quorum can still grant, without nodes that hang. */
	boolean canBeGranted(boolean late) {
		return this.voters.isMajority(this.granted | (open(late) & ~this.hanging));
	}

	/** Return whether a quorum voted, or no quorum can vote any more. */
	boolean isVotedOrHopeless(boolean late) {
		return this.voters.isMajority(this.voted) || !this.voters.isMajority(this.voted | open(late));
	}

	/** Return whether every node replied that does not hang. */
	boolean isComplete(boolean late) {
		return (open(late) & ~this.hanging) == 0;
	}

	/** Return whether a quorum voted. */
	boolean isVoted() {
		return this.voters.isMajority(this.voted);
	}

	private long open(boolean late) {
		return late ? 0 : this.voters.all & ~this.replied;
	}

	/** Return the voting nodes that granted. */
	long granted() {
		return this.granted;
	}

	/** Return the nodes that refused, whether they vote or not. */
	long refused() {
		long slots = 0;
		for (int slot = 0; slot < this.replies.length; slot++) {
			if (this.replies[slot] instanceof NodeReply.Refused) {
				slots |= Voters.bit(slot);
			}
		}
		return slots;
	}

	/**
	 * Return how many claims wait in front: no more than a majority of the nodes that
	 * refused says.
	 */
	int rank() {
		int[] ranks = Arrays.stream(this.replies)
			.filter(NodeReply.Refused.class::isInstance)
			.mapToInt((reply) -> ((NodeReply.Refused) reply).rank())
			.sorted()
			.toArray();
		return (ranks.length > 0) ? ranks[Math.min(ranks.length, this.voters.majority) - 1] : 0;
	}

	/** Return the nodes that granted the same permit, whether they vote or not. */
	long holders() {
		if (!this.permits) {
			return this.grantedAnywhere;
		}
		long slots = 0;
		for (int slot = 0; slot < this.replies.length; slot++) {
			if (this.replies[slot] instanceof NodeReply.Granted granted && granted.permit() == this.permit) {
				slots |= Voters.bit(slot);
			}
		}
		return slots;
	}

	/** Return whether any node granted anything, whether it votes or not. */
	boolean isGrantedAnywhere() {
		return this.grantedAnywhere != 0;
	}

	/** Return the nodes that replied, in time or not. */
	long replied() {
		return this.replied;
	}

	/** Return the nodes that granted another permit. */
	long strays() {
		return this.grantedAnywhere & ~holders();
	}

	/** Return the nodes that may hold keys of this attempt. */
	long touched() {
		return this.touched;
	}

	/**
	 * Return the greatest fence of each name in all votes and refusals, if there is any.
	 */
	long @Nullable [] greatestFences() {
		long[] greatest = null;
		for (NodeReply reply : this.replies) {
			long[] fences = (reply instanceof NodeReply.Granted granted) ? granted.fences()
					: (reply instanceof NodeReply.Refused refused) ? refused.fences() : null;
			if (greatest == null) {
				greatest = (fences != null) ? fences.clone() : null;
			}
			for (int i = 0; greatest != null && fences != null && i < fences.length; i++) {
				greatest[i] = Math.max(greatest[i], fences[i]);
			}
		}
		return greatest;
	}

	/**
	 * Describe what each node replied, for people. A node that has not replied yet is
	 * said to have timed out only if its time is over.
	 */
	String describe(long elapsedMillis, long timeoutMillis) {
		StringBuilder text = new StringBuilder();
		for (int slot = 0; slot < this.replies.length; slot++) {
			LockNode node = this.voters.nodes.get(slot);
			if (!node.status().isVoting() || (this.touched & Voters.bit(slot)) == 0) {
				continue; // described by its status, or not asked
			}
			NodeReply reply = this.replies[slot];
			text.append("; node ").append(node.name()).append(": ");
			if (reply == null) {
				text.append((elapsedMillis >= timeoutMillis) ? "no reply within " + timeoutMillis + " ms"
						: "no reply after " + elapsedMillis + " ms, when the attempt ended");
			}
			else {
				text.append(describe(reply));
			}
		}
		return text.toString();
	}

	private static String describe(NodeReply reply) {
		if (reply instanceof NodeReply.Granted) {
			return "granted";
		}
		if (reply instanceof NodeReply.Failed failed) {
			return failed.message();
		}
		if (reply instanceof NodeReply.Refused refused) {
			if (refused.coolingDown()) {
				return "cooling down";
			}
			if (refused.blockers().stream().anyMatch(NodeReply.Blocker.Readers.class::isInstance)) {
				return "held by readers";
			}
			if (refused.blockers().stream().anyMatch(NodeReply.Blocker.Waiting.class::isInstance)) {
				return "another owner has waited for longer";
			}
		}
		return "held by another owner";
	}

	/**
	 * Which voting nodes are known to store the fencing tokens of an attempt that was
	 * granted (R9). The token of a name is the greatest of the votes used.
	 */
	final class FenceTally {

		final long[] greatest;

		/** Voting nodes that are known to store at least the greatest. */
		private long stored;

		private long raiseReplied;

		/** Voting nodes that replied to the second round. */
		private long raiseVoted;

		FenceTally(int names) {
			this.greatest = new long[names];
			for (long left = Ballot.this.granted; left != 0; left &= left - 1) {
				int slot = Long.numberOfTrailingZeros(left);
				long[] fences = fences(slot);
				for (int i = 0; fences != null && i < names; i++) {
					if (fences[i] > this.greatest[i]) {
						this.greatest[i] = fences[i];
						this.stored = 0; // those before have less
					}
				}
				noteVote(slot, fences);
			}
		}

		/** A vote was noted during the second round. */
		void noteVote(int slot) {
			if ((Ballot.this.granted & Voters.bit(slot)) != 0) {
				noteVote(slot, fences(slot));
			}
		}

		/** The fences of a node that granted. */
		private long @Nullable [] fences(int slot) {
			return (Ballot.this.replies[slot] instanceof NodeReply.Granted granted) ? granted.fences() : null;
		}

		private void noteVote(int slot, long @Nullable [] fences) {
			for (int i = 0; fences != null && i < this.greatest.length; i++) {
				if (fences[i] < this.greatest[i]) {
					return;
				}
			}
			this.stored |= (fences != null) ? Voters.bit(slot) : 0;
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

		boolean isStored() {
			return Ballot.this.voters.isMajority(this.stored);
		}

		boolean canBeStored(boolean late) {
			long open = late ? 0 : Ballot.this.voters.all & ~this.raiseReplied;
			return Ballot.this.voters.isMajority(this.stored | open);
		}

		/** Return whether a quorum replied to the second round. */
		boolean isVoted() {
			return Ballot.this.voters.isMajority(this.raiseVoted);
		}

	}

}
