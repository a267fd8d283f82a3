package io.quorlock.autoconfigure;

import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

import io.quorlock.quorum.node.LockNode;

/**
 * The place where locks are kept. An application that defines a bean of this type, or
 * beans of type {@link LockNode}, replaces the configured backend.
 *
 * @param name the name of the backend, as it appears in log, health and info
 * @param nodes all nodes, each with one vote
 * @param notes remarks on nodes, whether they vote or not, by the name of the node; asked
 * anew for every look at the health
 * @param local whether no other instance can see the locks
 * @since 0.1.0
 */
public record LockBackend(String name, List<LockNode> nodes, Supplier<Map<String, String>> notes, boolean local) {

	public LockBackend {
		nodes = List.copyOf(nodes);
	}

	/**
	 * Create a backend that instances share.
	 * @param name the name of the backend
	 * @param nodes all nodes, each with one vote
	 * @param notes remarks on nodes, by the name of the node
	 */
	public LockBackend(String name, List<LockNode> nodes, Supplier<Map<String, String>> notes) {
		this(name, nodes, notes, false);
	}

	/**
	 * Create a backend that instances share, and whose nodes say everything in their
	 * status.
	 * @param name the name of the backend
	 * @param nodes all nodes, each with one vote
	 */
	public LockBackend(String name, List<LockNode> nodes) {
		this(name, nodes, Map::of);
	}

}
