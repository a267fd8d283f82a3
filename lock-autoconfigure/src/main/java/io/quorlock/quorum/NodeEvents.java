package io.quorlock.quorum;

import io.quorlock.quorum.node.InstanceMessage;
import io.quorlock.quorum.node.LockNode;
import io.quorlock.quorum.node.NodeListener;

/**
 * What the nodes report unasked: connections, releases, and messages to this instance.
 */
final class NodeEvents implements NodeListener {

	private final Rounds rounds;

	private final Voters voters;

	private final NodeClocks clocks;

	private final Subscriptions subscriptions;

	private final Grants grants;

	NodeEvents(Rounds rounds, NodeClocks clocks, Subscriptions subscriptions, Grants grants) {
		this.rounds = rounds;
		this.voters = rounds.voters();
		this.clocks = clocks;
		this.subscriptions = subscriptions;
		this.grants = grants;
	}

	@Override
	public void onConnected(LockNode node) {
		int slot = this.voters.slotOf(node);
		this.clocks.refresh();
		this.rounds.releases().unconfirmed().repeat(slot);
		Leftovers.restoreCooldowns(this.rounds, slot);
	}

	@Override
	public void onReleased(LockNode node, String name, String first) {
		int slot = this.voters.slotOf(node);
		this.subscriptions.notifyAll(name, (subscriber) -> subscriber.onReleased(slot, first));
	}

	@Override
	public void onInstanceMessage(LockNode node, InstanceMessage message) {
		this.grants.received(message);
	}

	@Override
	public void onWatching(LockNode node, String name) {
		int slot = this.voters.slotOf(node);
		this.subscriptions.notifyAll(name, (subscriber) -> subscriber.onSubscribed(slot));
	}

}
