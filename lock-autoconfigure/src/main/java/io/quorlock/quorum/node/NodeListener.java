package io.quorlock.quorum.node;

/**
 * What a node tells the engine unasked. Called on a thread of the node's driver; never
 * blocks.
 *
 * @since 0.1.0
 */
public interface NodeListener {

	/**
	 * The node is connected, whether it counts or not: what could not be sent may be sent
	 * again.
	 * @param node the node
	 */
	void onConnected(LockNode node);

	/**
	 * A release of a watched key was announced.
	 * @param node the node
	 * @param lockKey the key, without the channel's suffix
	 */
	void onReleased(LockNode node, String lockKey);

	/**
	 * Releases of a key are heard from now on: one that happened earlier may have been
	 * missed.
	 * @param node the node
	 * @param lockKey the key
	 */
	void onWatching(LockNode node, String lockKey);

}
