package io.quorlock.quorum.node;

import io.quorlock.engine.event.LockListener;

/**
 * Is notified of every reply of a node, for metrics. Unlike {@link LockListener} it is
 * called on the thread that brings the reply: it must be fast and must not block.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface NodeObserver {

	/**
	 * A node replied, or could not be asked.
	 * @param node the node
	 * @param operation the command, as {@link NodeCommand#operation()}
	 * @param reply the reply
	 * @param nanos from the beginning of the round to the reply
	 */
	void onNodeReply(LockNode node, String operation, NodeReply reply, long nanos);

}
