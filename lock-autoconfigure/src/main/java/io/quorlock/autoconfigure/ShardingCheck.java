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

import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import io.quorlock.autoconfigure.LockShardingProperties.Group;
import io.quorlock.redis.NodeAddress;

/**
 * Checks what the properties say of the move from one layout of groups to another (R23).
 */
final class ShardingCheck {

	private static final String RUNBOOK = " docs/changes.md describes the steps of a move.";

	private final LockShardingProperties sharding;

	private final Map<String, Group> groups;

	private ShardingCheck(LockProperties properties) {
		this.sharding = properties.getSharding();
		this.groups = properties.getGroups();
	}

	static void check(LockProperties properties) {
		ShardingCheck check = new ShardingCheck(properties);
		check.checkVersion();
		check.checkPrevious();
	}

	private void checkVersion() {
		Integer version = this.sharding.getVersion();
		boolean moves = !this.sharding.getPrevious().isEmpty();
		require(version == null || !this.groups.isEmpty(), "version", version, "there are no groups",
				"List the groups in distributed-lock.groups, or remove the version.");
		require(version == null || version > 0, "version", version, "versions begin with 1", "Set a positive version.");
		require(version == null || version % 2 != 0 || moves, "version", version,
				"an even version is a move, and distributed-lock.sharding.previous does not say which groups names move"
						+ " from",
				"List all groups of the layout before in distributed-lock.sharding.previous.<id>.nodes." + RUNBOOK);
		require(!moves || (version != null && version > 1), "version", version,
				"distributed-lock.sharding.previous lists groups that names move from, which takes a version of 2 or"
						+ " more",
				"Set the version that follows the one that runs now, or remove the previous groups." + RUNBOOK);
	}

	private void checkPrevious() {
		Map<String, Group> previous = this.sharding.getPrevious();
		String ids = String.join(", ", previous.keySet());
		previous.keySet()
			.forEach((id) -> require(id.matches("[\\w.-]+"), "previous", id,
					"the id of a group may have letters, digits, '.', '_' and '-'", "Choose another id."));
		require(previous.isEmpty() || !previous.keySet().equals(this.groups.keySet()), "previous", ids,
				"both layouts have the same groups, so that no name moves",
				"List the groups of the layout before. Changing distributed-lock.sharding.by or the id of every group"
						+ " needs a stop of all instances; replacing a node of a group needs no move." + RUNBOOK);
		previous.forEach((id, group) -> {
			Group now = this.groups.get(id);
			require(now == null || Set.copyOf(now.getNodes()).equals(Set.copyOf(group.getNodes())),
					"previous." + id + ".nodes",
					group.getNodes().stream().map(NodeAddress::withoutSecrets).collect(Collectors.joining(", ")),
					"distributed-lock.groups." + id
							+ ".nodes lists other nodes, and a group that stays keeps its nodes",
					"List the same nodes, or give the new group another id." + RUNBOOK);
		});
	}

	private static void require(boolean condition, String key, @Nullable Object value, String reason, String action) {
		if (!condition) {
			throw new InvalidLockConfigurationException("distributed-lock.sharding." + key,
					(value != null) ? value.toString() : null, reason, action);
		}
	}

}
