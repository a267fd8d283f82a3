package io.quorlock.autoconfigure;

import io.quorlock.quorum.node.LockNode;

/**
 * Callback to replace a node, usually by one that wraps it, before the engine uses it.
 * Beans of this type are called in order, for every node.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface LockNodeCustomizer {

	/**
	 * Customize a node.
	 * @param node the node
	 * @return the node to use
	 */
	LockNode customize(LockNode node);

}
