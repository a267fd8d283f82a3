package io.quorlock.engine;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

import io.quorlock.quorum.node.LockNode;
import io.quorlock.quorum.node.NodeReply;

/**
 * What one node says of a name.
 *
 * @param node the node's name
 * @param counted whether the node counts towards majorities (R10)
 * @param owner the value of the lock's key, or {@code null} if the name is free there or
 * unknown
 * @param remaining how long that key lives, zero without an owner
 * @param fence the greatest fencing token that the node stores, 0 if it stores none
 * @param error why there is no answer, or {@code null} if there is one
 * @since 0.1.0
 */
public record NodeAnswer(String node, boolean counted, @Nullable String owner, Duration remaining, long fence,
		@Nullable String error) {

	static NodeAnswer of(LockNode node, NodeReply reply) {
		if (reply instanceof NodeReply.Inspected inspected) {
			return new NodeAnswer(node.name(), reply.voting(), inspected.owner(),
					Duration.ofMillis(Math.max(0, inspected.remainingMillis())), inspected.fence(), null);
		}
		return new NodeAnswer(node.name(), reply.voting(), null, Duration.ZERO, 0, Replies.error(reply));
	}

	static NodeAnswer none(LockNode node, long timeoutMillis) {
		return new NodeAnswer(node.name(), false, null, Duration.ZERO, 0, "no answer within " + timeoutMillis + " ms");
	}

}
