package io.quorlock.store;

import java.util.List;

/**
 * The state of a store at one moment.
 *
 * @param available whether a lease could be granted now, as far as it is known
 * @param required how many voting nodes that takes
 * @param nodes the nodes, in the order that all instances share
 * @since 0.1.0
 */
public record StoreStatus(boolean available, int required, List<NodeState> nodes) {

	/**
	 * Return how many nodes vote.
	 * @return the number of voting nodes
	 */
	public int voting() {
		return (int) this.nodes.stream().filter(NodeState::voting).count();
	}

	/**
	 * Describe the status as a text: how many nodes vote, and why the others do not.
	 * @return a clause without a full stop
	 */
	public String description() {
		StringBuilder text = new StringBuilder();
		text.append(voting()).append(" of ").append(this.nodes.size()).append(" nodes vote, ").append(this.required);
		text.append((this.required == 1) ? " is needed" : " are needed");
		for (NodeState node : this.nodes) {
			if (!node.voting()) {
				text.append("; node ").append(node.name()).append(": ").append(node.reason());
			}
		}
		return text.toString();
	}

}
