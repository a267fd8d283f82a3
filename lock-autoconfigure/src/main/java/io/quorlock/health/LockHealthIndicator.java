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

package io.quorlock.health;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;

import io.quorlock.engine.LockInspector;
import io.quorlock.store.NodeState;
import io.quorlock.store.StoreStatus;

/**
 * UP while a majority of the configured nodes is connected and votes, DOWN otherwise: no
 * lock can be acquired then. The details say why a node does not vote.
 *
 * @since 0.1.0
 */
public class LockHealthIndicator extends AbstractHealthIndicator {

	private final LockInspector inspector;

	private final Supplier<Map<String, String>> notes;

	private final boolean local;

	/**
	 * Create an indicator.
	 * @param inspector provides the state of the engine
	 * @param notes remarks on nodes, whether they vote or not, by the name of the node
	 * @param local whether no other instance can see the locks
	 */
	public LockHealthIndicator(LockInspector inspector, Supplier<Map<String, String>> notes, boolean local) {
		super("Distributed lock health check failed");
		this.inspector = inspector;
		this.notes = notes;
		this.local = local;
	}

	@Override
	protected void doHealthCheck(Health.Builder builder) {
		Map<String, String> notes = this.notes.get();
		StoreStatus status = this.inspector.status();
		// Down means that no lock can be granted: a group that is lost is in the details.
		builder.status(status.available() ? Status.UP : Status.DOWN);
		if (status.groups().isEmpty()) {
			builder.withDetails(describe(status, notes));
		}
		else {
			Map<String, Object> groups = new LinkedHashMap<>();
			status.groups().forEach((id, group) -> {
				Map<String, Object> details = new LinkedHashMap<>();
				details.put("status", (group.available() ? Status.UP : Status.DOWN).getCode());
				details.putAll(describe(group, notes));
				groups.put(id, details);
			});
			builder.withDetail("groups", groups);
			List<String> lost = status.groups()
				.entrySet()
				.stream()
				.filter((group) -> !group.getValue().available())
				.map(Map.Entry::getKey)
				.toList();
			if (!lost.isEmpty()) {
				builder.withDetail("degraded", "names of these groups cannot be locked: " + String.join(", ", lost));
			}
		}
		if (this.local) {
			builder.withDetail("scope", "this instance only: other instances do not see these locks");
		}
	}

	static Map<String, Object> describe(StoreStatus status, Map<String, String> notes) {
		Map<String, Object> nodes = new LinkedHashMap<>();
		status.nodes().forEach((node) -> nodes.put(node.name(), describe(node, notes.get(node.name()))));
		Map<String, Object> details = new LinkedHashMap<>();
		details.put("voting", status.voting());
		details.put("quorum", status.required());
		details.put("nodes", nodes);
		if (!status.lists().isEmpty()) {
			details.put("lists", status.lists());
		}
		return details;
	}

	private static Map<String, Object> describe(NodeState node, @Nullable String note) {
		Map<String, Object> details = new LinkedHashMap<>();
		details.put("state", node.state());
		if (node.version() != null) {
			details.put("version", node.version());
		}
		if (!node.reason().isEmpty()) {
			details.put("reason", node.reason());
		}
		if (!node.votesIn().isZero()) {
			details.put("votesInSeconds", node.votesIn().plusMillis(999).toSeconds());
		}
		if (note != null) {
			details.put("note", note);
		}
		Long offset = node.clockOffsetMicros();
		if (offset != null && Math.abs(offset) > NodeState.LARGE_CLOCK_OFFSET) {
			details.put("clock", "%d s %s the clock of this instance".formatted(Math.abs(offset) / 1_000_000,
					(offset > 0) ? "ahead of" : "behind"));
		}
		return details;
	}

}
