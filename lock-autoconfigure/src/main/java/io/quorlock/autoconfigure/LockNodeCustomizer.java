package io.quorlock.autoconfigure;

import io.quorlock.quorum.node.LockNode;

/**
 * Callback that can replace a node by another, usually one that wraps it, before the
 * engine gets it. Beans of this type are called in their order, for every node.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface LockNodeCustomizer {

	/**
	 * Customizes a node.
	 * @param node the node
	 * @return the node to use
	 */
	LockNode customize(LockNode node);

}
