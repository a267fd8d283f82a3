package io.quorlock.autoconfigure;

import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

import io.quorlock.quorum.node.LockNode;

/**
 * Where locks are kept. An application that defines a bean of this type, or beans of type
 * {@link LockNode}, replaces the configured backend.
 *
 * @param name the backend's name, for people
 * @param nodes all nodes, each with one vote
 * @param notes what is worth telling of nodes that may well count, by the name of the
 * node; asked anew for every look at the health
 * @since 0.1.0
 */
public record LockBackend(String name, List<LockNode> nodes, Supplier<Map<String, String>> notes) {

	public LockBackend {
		nodes = List.copyOf(nodes);
	}

	/**
	 * Creates a backend whose nodes tell all in their status.
	 * @param name the backend's name, for people
	 * @param nodes all nodes, each with one vote
	 */
	public LockBackend(String name, List<LockNode> nodes) {
		this(name, nodes, Map::of);
	}

}
