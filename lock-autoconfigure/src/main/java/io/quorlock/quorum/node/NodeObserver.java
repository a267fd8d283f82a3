package io.quorlock.quorum.node;

import io.quorlock.engine.event.LockListener;

/**
 * Hears of every answer of a node, for metrics. Unlike {@link LockListener} it is called
 * on the thread that brings the answer: it must be fast and must not block.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface NodeObserver {

	/**
	 * A node answered, or could not be asked.
	 * @param node the node
	 * @param operation what it was asked, as {@link NodeCommand#operation()}
	 * @param reply what came of it
	 * @param nanos from the beginning of the round to the answer
	 */
	void onNodeReply(LockNode node, String operation, NodeReply reply, long nanos);

}
