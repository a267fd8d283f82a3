package io.quorlock.engine;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicLongArray;

import io.quorlock.quorum.node.LockNode;
import io.quorlock.quorum.node.NodeCommand;
import io.quorlock.quorum.node.NodeStatus;
import io.quorlock.quorum.node.ReplyHandler;

/**
 * The nodes that vote, in an order that all instances share, and how many of them decide:
 * N/2+1 of the <em>configured</em> nodes (R1).
 */
final class Quorum {

	/** Rounds keep sets of nodes as bits of a long. */
	static final int MAX_NODES = 63;

	/** A node that has owed an answer for so long is not asked first. */
	private static final long SILENCE_NANOS = 10_000_000;

	private final LockNode[] nodes;

	private final int majority;

	/** Per node: since when it has owed an answer, 0 if it does not. */
	private final AtomicLongArray silentSince;

	Quorum(List<? extends LockNode> nodes) {
		if (nodes.isEmpty() || nodes.size() > MAX_NODES) {
			throw new IllegalArgumentException(
					"A quorum needs 1 to " + MAX_NODES + " nodes, not " + nodes.size() + ": " + nodes);
		}
		List<LockNode> sorted = new ArrayList<>(nodes);
		sorted.sort(Comparator.comparing(LockNode::name));
		this.nodes = sorted.toArray(LockNode[]::new);
		this.majority = this.nodes.length / 2 + 1;
		this.silentSince = new AtomicLongArray(this.nodes.length);
	}

	int size() {
		return this.nodes.length;
	}

	int majority() {
		return this.majority;
	}

	LockNode node(int slot) {
		return this.nodes[slot];
	}

	List<LockNode> nodes() {
		return List.of(this.nodes);
	}

	int slotOf(LockNode node) {
		for (int slot = 0; slot < this.nodes.length; slot++) {
			if (this.nodes[slot] == node) {
				return slot;
			}
		}
		throw new IllegalArgumentException("Not a node of this quorum: " + node.name());
	}

	List<String> names(long slots) {
		List<String> names = new ArrayList<>(this.nodes.length);
		for (int slot = 0; slot < this.nodes.length; slot++) {
			if ((slots & 1L << slot) != 0) {
				names.add(this.nodes[slot].name());
			}
		}
		return names;
	}

	/** All nodes, as a set of bits. */
	long all() {
		return (1L << this.nodes.length) - 1;
	}

	boolean isMajority(long slots) {
		return Long.bitCount(slots) >= this.majority;
	}

	boolean hasCountedMajority() {
		long counted = 0;
		for (int slot = 0; slot < this.nodes.length; slot++) {
			if (this.nodes[slot].status().isVoting()) {
				counted |= 1L << slot;
			}
		}
		return isMajority(counted);
	}

	/** Sends a command to a node; {@link #answered} has to be told of the reply. */
	void submit(int slot, NodeCommand command, int replySlot, ReplyHandler handler, long nowNanos) {
		asked(slot, nowNanos);
		this.nodes[slot].submit(command, replySlot, handler);
	}

	/** The same, but it may wait for what comes next, or for {@link #flush()}. */
	void enqueue(int slot, NodeCommand command, int replySlot, ReplyHandler handler, long nowNanos) {
		asked(slot, nowNanos);
		this.nodes[slot].enqueue(command, replySlot, handler);
	}

	void flush() {
		for (LockNode node : this.nodes) {
			node.flush();
		}
	}

	private void asked(int slot, long nowNanos) {
		if (this.silentSince.get(slot) == 0) {
			this.silentSince.set(slot, nowNanos | 1); // never 0
		}
	}

	void answered(int slot) {
		this.silentSince.set(slot, 0);
	}

	/** Nodes that have owed an answer for some time. */
	long silent(long nowNanos) {
		long silent = 0;
		for (int slot = 0; slot < this.nodes.length; slot++) {
			if (isSilent(slot, nowNanos)) {
				silent |= 1L << slot;
			}
		}
		return silent;
	}

	private boolean isSilent(int slot, long nowNanos) {
		long since = this.silentSince.get(slot);
		return since != 0 && nowNanos - since > SILENCE_NANOS;
	}

	/**
	 * The node that a retry asks first (R1): all contenders for a name choose the same
	 * one, and the names spread over the nodes. Nodes that are down or hang are skipped.
	 */
	int probe(List<String> keys, long nowNanos) {
		int first = Math.floorMod(keys.get(0).hashCode(), this.nodes.length);
		for (int i = 0; i < this.nodes.length; i++) {
			int slot = (first + i) % this.nodes.length;
			if (this.nodes[slot].status().isVoting() && !isSilent(slot, nowNanos)) {
				return slot;
			}
		}
		return first;
	}

	/** "3 of 5 nodes count, 3 are needed" and what is wrong with the others. */
	String describe() {
		StringBuilder text = new StringBuilder();
		int counted = 0;
		for (LockNode node : this.nodes) {
			NodeStatus status = node.status();
			if (status.isVoting()) {
				counted++;
			}
			else {
				text.append("; node ").append(node.name()).append(": ").append(status.reason());
			}
		}
		return counted + " of " + this.nodes.length + " nodes count, " + this.majority + " needed" + text;
	}

	/** A way to give a command to a node. */
	interface Sender {

		void send(int slot, NodeCommand command, int replySlot, ReplyHandler handler, long nowNanos);

	}

}
