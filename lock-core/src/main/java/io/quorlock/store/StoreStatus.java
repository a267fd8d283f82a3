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

package io.quorlock.store;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The state of a store at one moment.
 *
 * @param available whether a lease could be granted now, as far as it is known
 * @param required how many voting nodes that takes
 * @param nodes the nodes, in the order that all instances share
 * @param groups the status of each group, if several share the names; otherwise empty
 * @param lists which other node lists are in use and by whom, of each of which a majority
 * is needed, as a text; empty if all instances use the same
 * @since 0.1.0
 */
public record StoreStatus(boolean available, int required, List<NodeState> nodes, Map<String, StoreStatus> groups,
		String lists) {

	/**
	 * Create a new status.
	 * @param available whether a lease could be granted now
	 * @param required how many voting nodes that takes
	 * @param nodes the nodes
	 * @param groups the status of each group, in the order of their ids
	 * @param lists which other node lists are in use; empty if none
	 */
	public StoreStatus {
		groups = Collections.unmodifiableMap(new LinkedHashMap<>(groups));
	}

	/**
	 * Create the status of several groups.
	 * @param available whether a lease could be granted now
	 * @param required how many voting nodes that takes
	 * @param nodes the nodes
	 * @param groups the status of each group, in the order of their ids
	 */
	public StoreStatus(boolean available, int required, List<NodeState> nodes, Map<String, StoreStatus> groups) {
		this(available, required, nodes, groups, "");
	}

	/**
	 * Create the status of a store without groups.
	 * @param available whether a lease could be granted now
	 * @param required how many voting nodes that takes
	 * @param nodes the nodes
	 */
	public StoreStatus(boolean available, int required, List<NodeState> nodes) {
		this(available, required, nodes, Map.of());
	}

	/**
	 * Return how many nodes vote.
	 * @return the number of voting nodes
	 */
	public int voting() {
		return (int) this.nodes.stream().filter(NodeState::voting).count();
	}

	/**
	 * Describe the status as a text: how many nodes vote, and why the others do not.
	 * @return a clause without a full stop
	 */
	public String description() {
		if (!this.groups.isEmpty()) {
			return this.groups.entrySet()
				.stream()
				.map((group) -> "group " + group.getKey() + ": " + group.getValue().description())
				.collect(Collectors.joining("; "));
		}
		StringBuilder text = new StringBuilder();
		text.append(voting()).append(" of ").append(this.nodes.size()).append(" nodes vote, ").append(this.required);
		text.append((this.required == 1) ? " is needed" : " are needed");
		for (NodeState node : this.nodes) {
			if (!node.voting()) {
				text.append("; node ").append(node.name()).append(": ").append(node.reason());
			}
		}
		if (!this.lists.isEmpty()) {
			text.append("; ").append(this.lists);
		}
		return text.toString();
	}

}
