package io.quorlock.autoconfigure;

import java.util.List;

import io.quorlock.core.LockNode;

/**
 * Where locks are kept. An application that defines a bean of this type, or beans of type
 * {@link LockNode}, replaces the configured backend.
 *
 * @param name the backend's name, for people
 * @param nodes all nodes, each with one vote
 * @since 0.1.0
 */
public record LockBackend(String name, List<LockNode> nodes) {

	public LockBackend {
		nodes = List.copyOf(nodes);
	}

}
