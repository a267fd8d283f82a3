package io.quorlock.engine;

import java.util.List;

import org.jspecify.annotations.Nullable;

import io.quorlock.quorum.node.LockNode;
import io.quorlock.quorum.node.NodeReply;

/**
 * The votes of one attempt, and what they amount to. Sets of nodes are bits of a long.
 * Not thread-safe: the round guards it.
 */
final class Votes {

	private final Quorum quorum;

	private final int names;

	private final @Nullable NodeReply[] replies;

	private long replied;

	/** Counted nodes that granted. */
	private long granted;

	/** Counted nodes that granted or refused. */
	private long answered;

	/** Nodes that may hold keys of this attempt. */
	private long touched;

	/** Nodes that owed an answer before they were asked: their vote is not waited for. */
	private long silent;

	/** The greatest fence of the votes used, per name (T of R9); null until asked for. */
	private long @Nullable [] fences;

	/** Counted nodes that are known to store at least T. */
	private long stored;

	private long raiseReplied;

	private long raiseAnswered;

	Votes(Quorum quorum, int names) {
		this.quorum = quorum;
		this.names = names;
		this.replies = new NodeReply[quorum.size()];
	}

	/** Notes that nodes are about to be asked, and which of them hang already. */
	void asking(long slots, long silent) {
		this.touched |= slots;
		this.silent = silent;
	}

	/** Notes a vote; one that came late tells only where keys may be. */
	void note(int slot, NodeReply reply, boolean late) {
		long bit = 1L << slot;
		this.replied |= bit;
		if (Replies.isNotSent(reply)) {
			this.touched &= ~bit;
		}
		if (late) {
			return;
		}
		this.replies[slot] = reply;
		if (!reply.voting()) {
			return; // taken, not counted (R10)
		}
		if (Replies.isCarriedOut(reply)) {
			this.granted |= bit;
			this.answered |= bit;
			if (this.fences != null && isAtLeast(Replies.fences(reply), this.fences)) {
				this.stored |= bit;
			}
		}
		else if (Replies.isRefused(reply)) {
			this.answered |= bit;
		}
	}

	void noteRaise(int slot, NodeReply reply, boolean late) {
		long bit = 1L << slot;
		this.raiseReplied |= bit;
		if (late || !reply.voting()) {
			return;
		}
		if (Replies.isCarriedOut(reply)) {
			this.stored |= bit;
			this.raiseAnswered |= bit;
		}
		else if (Replies.isRefused(reply)) {
			this.raiseAnswered |= bit;
		}
	}

	@Nullable NodeReply reply(int slot) {
		return this.replies[slot];
	}

	boolean isGranted() {
		return this.quorum.isMajority(this.granted);
	}

	/** Whether a quorum can still grant, without nodes that hang. */
	boolean canBeGranted(boolean late) {
		return this.quorum.isMajority(this.granted | (open(late) & ~this.silent));
	}

	/** Counted nodes that granted. */
	long granted() {
		return this.granted;
	}

	/** Nodes that refused, counted or not. */
	long refused() {
		long refused = 0;
		for (int slot = 0; slot < this.replies.length; slot++) {
			NodeReply reply = this.replies[slot];
			if (reply != null && Replies.isRefused(reply)) {
				refused |= 1L << slot;
			}
		}
		return refused;
	}

	/** Whether some nodes granted to this attempt and others to another. */
	boolean isDivided() {
		return this.granted != 0 && this.answered != this.granted;
	}

	/** Whether it is settled that a quorum answers, or that none does. */
	boolean isAnsweredOrHopeless(boolean late) {
		return this.quorum.isMajority(this.answered) || !this.quorum.isMajority(this.answered | open(late));
	}

	private long open(boolean late) {
		return late ? 0 : this.quorum.all() & ~this.replied;
	}

	/** R9: T is the maximum of the votes used; stored counts the nodes that have it. */
	long[] settleFences() {
		long[] greatest = new long[this.names];
		for (NodeReply vote : this.replies) {
			long[] fences = usedFences(vote);
			for (int i = 0; fences != null && i < greatest.length; i++) {
				greatest[i] = Math.max(greatest[i], fences[i]);
			}
		}
		for (int slot = 0; slot < this.replies.length; slot++) {
			if (isAtLeast(usedFences(this.replies[slot]), greatest)) {
				this.stored |= 1L << slot;
			}
		}
		this.fences = greatest;
		return greatest;
	}

	/** The fences of a vote that counts, otherwise null. */
	private static long @Nullable [] usedFences(@Nullable NodeReply vote) {
		return (vote != null && vote.voting() && Replies.isCarriedOut(vote)) ? Replies.fences(vote) : null;
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

	boolean areFencesStored() {
		return this.quorum.isMajority(this.stored);
	}

	boolean canFencesBeStored(boolean late) {
		long open = late ? 0 : this.quorum.all() & ~this.raiseReplied;
		return this.quorum.isMajority(this.stored | open);
	}

	long @Nullable [] fences() {
		return this.fences;
	}

	long touched() {
		return this.touched;
	}

	/** Nodes that granted, counted or not. */
	long holders() {
		long holders = 0;
		for (int slot = 0; slot < this.replies.length; slot++) {
			NodeReply vote = this.replies[slot];
			if (vote != null && Replies.isCarriedOut(vote)) {
				holders |= 1L << slot;
			}
		}
		return holders;
	}

	/** Whether a quorum answered the last question that was asked. */
	boolean isAnswered() {
		return this.quorum.isMajority((this.raiseReplied != 0) ? this.raiseAnswered : this.answered);
	}

	/** The refusal of the holder that stays longest, or null if nobody refused. */
	@Nullable NodeReply refusal() {
		NodeReply longest = null;
		for (NodeReply reply : this.replies) {
			if (reply != null && Replies.isRefused(reply)
					&& (longest == null || Replies.remainingMillis(reply) > Replies.remainingMillis(longest))) {
				longest = reply;
			}
		}
		return longest;
	}

	/** Shows each refusal's and vote's fences to the memory of fences (R9). */
	void remember(List<String> keys, Fences memory) {
		for (NodeReply reply : this.replies) {
			long[] fences = (reply != null) ? Replies.fences(reply) : null;
			if (fences != null) {
				memory.seen(keys, fences);
			}
		}
	}

	/** What is wrong with each node that did not answer. */
	String describe(long operationTimeoutMillis) {
		StringBuilder text = new StringBuilder(this.quorum.describe());
		for (int slot = 0; slot < this.replies.length; slot++) {
			LockNode node = this.quorum.node(slot);
			NodeReply reply = this.replies[slot];
			if (!node.status().isVoting() || (this.touched & 1L << slot) == 0) {
				continue; // told by its status, or not asked
			}
			if (reply == null) {
				text.append("; node %s: no answer within %d ms".formatted(node.name(), operationTimeoutMillis));
			}
			else if (Replies.error(reply) != null) {
				text.append("; node ").append(node.name()).append(": ").append(Replies.error(reply));
			}
		}
		return text.toString();
	}

}
