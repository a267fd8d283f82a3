package io.quorlock.quorum.node;

/**
 * Is notified of what happens on a node. Called on a thread of the node's driver, or as
 * {@link LockNode} says on the calling thread; must not block.
 *
 * @since 0.1.0
 */
public interface NodeListener {

	/**
	 * The node is connected, whether it votes or not: what could not be sent may be sent
	 * again.
	 * @param node the node
	 */
	void onConnected(LockNode node);

	/**
	 * A release of a watched lock was announced.
	 * @param node the node
	 * @param name the lock
	 * @param first the text of the oldest ticket that stands there; empty if no claim is
	 * known to wait (R21)
	 */
	void onReleased(LockNode node, String name, String first);

	/**
	 * Releases of a lock are received from now on. An earlier one may have been missed.
	 * @param node the node
	 * @param name the lock
	 */
	void onWatching(LockNode node, String name);

}
