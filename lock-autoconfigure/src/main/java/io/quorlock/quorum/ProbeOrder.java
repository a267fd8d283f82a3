package io.quorlock.quorum;

import io.quorlock.quorum.node.LockNode;

/**
 * The node that a retry asks first (R1): all contenders for a name choose the same one,
 * and the names spread over the nodes. Nodes that are down or hang are skipped.
 */
final class ProbeOrder {

	private final Voters voters;

	private final PendingReplies pending;

	ProbeOrder(Voters voters, PendingReplies pending) {
		this.voters = voters;
		this.pending = pending;
	}

	int first(String name, long nowNanos) {
		int first = Math.floorMod(name.hashCode(), this.voters.size());
		for (int i = 0; i < this.voters.size(); i++) {
			int slot = (first + i) % this.voters.size();
			LockNode node = this.voters.node(slot);
			if (node.status().isVoting() && !this.pending.hangs(slot, nowNanos)) {
				return slot;
			}
		}
		return first;
	}

}
