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

package io.quorlock.sample.console;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.stereotype.Component;

import io.quorlock.autoconfigure.LockBackend;
import io.quorlock.sample.nodes.DemoNode;
import io.quorlock.sample.nodes.DemoNodes;
import io.quorlock.sample.watch.NodeLatencies;
import io.quorlock.store.NodeState;
import io.quorlock.store.StoreStatus;

/**
 * The nodes and their groups, as the page shows them.
 */
@Component
class NodeViews {

	private final Supplier<Map<String, String>> notes;

	private final List<DemoNode> servers;

	private final NodeLatencies latencies;

	NodeViews(LockBackend backend, ObjectProvider<DemoNodes> servers, NodeLatencies latencies) {
		this.notes = backend.notes();
		DemoNodes own = servers.getIfAvailable();
		this.servers = (own != null) ? own.nodes() : List.of();
		this.latencies = latencies;
	}

	/** Return whether the nodes are the sample's own. */
	boolean areControllable() {
		return !this.servers.isEmpty();
	}

	/** Return all nodes: group by group, and the sample's own in their order. */
	List<NodeView> nodes(StoreStatus status) {
		if (status.groups().isEmpty()) {
			return nodes(null, status);
		}
		List<NodeView> views = new ArrayList<>();
		status.groups().forEach((id, group) -> views.addAll(nodes(id, group)));
		return views;
	}

	private List<NodeView> nodes(@Nullable String group, StoreStatus status) {
		Map<String, String> notes = this.notes.get();
		// An ensemble is one node here, and its note may have another name.
		String other = (status.nodes().size() == 1) ? notes.values().stream().findFirst().orElse("") : "";
		return status.nodes()
			.stream()
			.sorted(Comparator.comparingInt((node) -> this.servers.indexOf(server(node))))
			.map((node) -> NodeView.of(group, node, notes.getOrDefault(node.name(), other),
					this.latencies.medianMillis(node.name()), server(node)))
			.toList();
	}

	private @Nullable DemoNode server(NodeState node) {
		return this.servers.stream().filter((server) -> server.name().equals(node.name())).findAny().orElse(null);
	}

	/** Return the groups, or all nodes as one without an id. */
	static List<GroupView> groups(StoreStatus status, List<LockView> locks) {
		if (status.groups().isEmpty()) {
			return List.of(group(null, status, locks));
		}
		return status.groups()
			.entrySet()
			.stream()
			.map((group) -> group(group.getKey(), group.getValue(), locks))
			.toList();
	}

	private static GroupView group(@Nullable String id, StoreStatus status, List<LockView> locks) {
		return new GroupView(id, status.required(), status.available(),
				locks.stream()
					.filter((lock) -> id == null || id.equals(lock.group()))
					.map(LockView::name)
					.sorted()
					.toList());
	}

}
