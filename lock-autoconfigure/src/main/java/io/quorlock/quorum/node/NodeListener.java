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
	 * A message to this instance arrived.
	 * @param node the node
	 * @param message the message
	 */
	void onInstanceMessage(LockNode node, InstanceMessage message);

	/**
	 * Dispatch what was announced to those who watch a name: a release, or a message to
	 * an instance. Called by drivers.
	 * @param node the node
	 * @param name what is watched
	 * @param text what was announced
	 */
	default void onAnnounced(LockNode node, String name, String text) {
		if (!name.startsWith(LockNode.INSTANCE)) {
			onReleased(node, name, text);
			return;
		}
		InstanceMessage message = InstanceMessage.parse(text);
		if (message != null) {
			onInstanceMessage(node, message);
		}
	}

	/**
	 * Releases of a lock are received from now on. An earlier one may have been missed.
	 * @param node the node
	 * @param name the lock
	 */
	void onWatching(LockNode node, String name);

}
