package io.quorlock.sample.demo;

import java.util.List;
import java.util.stream.Collectors;

import io.quorlock.quorum.node.LockNode;
import io.quorlock.sample.fleet.Instance;

/** The lock nodes as one instance sees them. */
record Nodes(List<LockNode> all) {

	static Nodes of(Instance instance) {
		return new Nodes(instance.nodes());
	}

	long voting() {
		return this.all.stream().filter((node) -> node.status().isVoting()).count();
	}

	int quorum() {
		return this.all.size() / 2 + 1;
	}

	String countedOfAll() {
		return voting() + " of " + this.all.size();
	}

	String names() {
		return this.all.stream().map(LockNode::name).collect(Collectors.joining(", "));
	}

	/** Wait until so many of them vote, but not longer than the time. */
	void awaitCounted(int wanted, long timeoutMillis) throws InterruptedException {
		for (long left = timeoutMillis; voting() < wanted && left > 0; left -= 20) {
			Thread.sleep(20);
		}
	}

}
