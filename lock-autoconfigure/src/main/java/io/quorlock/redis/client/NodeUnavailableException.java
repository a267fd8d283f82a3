package io.quorlock.redis.client;

import io.quorlock.quorum.node.NodeStatus;

/**
 * A connection could not be made, or is over. The message is for people, names no node
 * and holds no secret.
 */
class NodeUnavailableException extends Exception {

	private final NodeStatus.State state;

	NodeUnavailableException(NodeStatus.State state, String reason) {
		super(reason);
		this.state = state;
	}

	static NodeUnavailableException down(String reason) {
		return new NodeUnavailableException(NodeStatus.State.DOWN, reason);
	}

	static NodeUnavailableException rejected(String reason) {
		return new NodeUnavailableException(NodeStatus.State.REJECTED, reason);
	}

	NodeStatus status() {
		return NodeStatus.of(this.state, String.valueOf(getMessage()));
	}

}
