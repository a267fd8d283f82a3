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

package io.quorlock.redis.client;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import io.quorlock.quorum.membership.ClockSteps;
import io.quorlock.quorum.membership.Membership;
import io.quorlock.quorum.node.LockNode;
import io.quorlock.redis.NodeAddress;

/**
 * The nodes of one group, each an independent Redis master. Each uses one connection and
 * two threads, whatever the number of callers and locks.
 *
 * @since 0.1.0
 */
public final class RedisNodes {

	private static final Duration COMPARED_WITHIN = Duration.ofSeconds(60);

	private final List<RedisLockNode> nodes;

	private RedisNodes(List<RedisLockNode> nodes) {
		this.nodes = nodes;
	}

	/**
	 * Create the nodes; the engine starts and stops them.
	 * @param addresses where they are
	 * @param options how to connect
	 * @return the nodes
	 * @throws IllegalArgumentException if there is none, or one is there twice
	 */
	public static RedisNodes create(List<NodeAddress> addresses, RedisNodeOptions options) {
		return create(addresses, options, "");
	}

	/**
	 * Create the nodes of a group that shares the names with others.
	 * @param addresses where they are
	 * @param options how to connect
	 * @param layout how the names are shared, alike on all instances
	 * @return the nodes
	 */
	public static RedisNodes create(List<NodeAddress> addresses, RedisNodeOptions options, String layout) {
		List<String> names = addresses.stream().map(NodeAddress::name).toList();
		if (names.isEmpty()) {
			throw new IllegalArgumentException("A group needs at least one lock node");
		}
		if (names.stream().distinct().count() != names.size()) {
			throw new IllegalArgumentException("The same lock node twice in " + names);
		}
		ClockSteps steps = new ClockSteps(names.size(), comparedWithin(options.quarantine()), options.driftFactor());
		Membership membership = new Membership(addresses.stream().map(NodeAddress::listedName).toList(), layout, steps);
		List<NodesThread> threads = new ArrayList<>(List.of(new Housekeeper(options.clock())));
		if (options.credentials() != null) {
			threads.add(new LoginWatch(options.credentials()));
		}
		List<RedisLockNode> nodes = new ArrayList<>();
		for (NodeAddress address : addresses) {
			nodes.add(new RedisLockNode(address, options, membership, nodes.size(), threads));
		}
		return new RedisNodes(nodes);
	}

	/** Clocks are read about once a second, which short leases are shorter than. */
	static Duration comparedWithin(Duration quarantine) {
		return (quarantine.isZero() || quarantine.compareTo(COMPARED_WITHIN) > 0) ? quarantine : COMPARED_WITHIN;
	}

	/**
	 * The nodes in the order of their addresses.
	 * @return the nodes
	 */
	public List<LockNode> nodes() {
		return List.copyOf(this.nodes);
	}

	/**
	 * Return notes on nodes that may well vote, such as that a replacement is under way.
	 * @return notes for people, by the name of the node
	 */
	public Map<String, String> notes() {
		Map<String, String> notes = new TreeMap<>();
		this.nodes.forEach((node) -> notes.put(node.name(), node.note()));
		notes.values().removeIf(String::isEmpty);
		return notes;
	}

}
