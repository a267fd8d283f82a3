/*
 * Copyright 2026-present the Quorlock authors.
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *      https://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */

package io.quorlock.autoconfigure;

import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import io.quorlock.Api;
import io.quorlock.quorum.node.LockNode;

/**
 * The place where locks are kept. An application that defines a bean of this type, or
 * beans of type {@link LockNode}, replaces the configured backend.
 *
 * @param name the name of the backend, as it appears in the log, the health and the info
 * endpoint
 * @param nodes all nodes, each with one vote; empty if the backend is no quorum of nodes
 * @param notes remarks on nodes, whether they vote or not, by the name of the node;
 * called for every health check
 * @param local whether no other instance can see the locks
 * @param store creates the store; {@code null} for a quorum of the nodes
 * @since 0.1.0
 */
@Api(Api.Status.EXTENSION)
public record LockBackend(String name, List<LockNode> nodes, Supplier<Map<String, String>> notes, boolean local,
		@Nullable LeaseStoreFactory store) {

	public LockBackend {
		nodes = List.copyOf(nodes);
	}

	/**
	 * Create a backend of nodes that vote, that instances share, without remarks on them.
	 * @param name the name of the backend
	 * @param nodes all nodes, each with one vote
	 */
	public LockBackend(String name, List<LockNode> nodes) {
		this(name, nodes, Map::of, false, null);
	}

	/**
	 * Create a backend that is no quorum of nodes, and that instances share.
	 * @param name the name of the backend
	 * @param store creates the store
	 */
	public LockBackend(String name, LeaseStoreFactory store) {
		this(name, List.of(), Map::of, false, store);
	}

}
