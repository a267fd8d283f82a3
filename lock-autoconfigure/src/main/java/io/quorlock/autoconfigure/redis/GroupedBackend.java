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

package io.quorlock.autoconfigure.redis;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import io.quorlock.autoconfigure.LockBackend;
import io.quorlock.autoconfigure.LockConnectionDetails;
import io.quorlock.autoconfigure.LockProperties;
import io.quorlock.groups.GroupedLeaseStore;
import io.quorlock.groups.Sharding;
import io.quorlock.quorum.QuorumSettings;
import io.quorlock.quorum.QuorumStore;
import io.quorlock.redis.client.RedisNodes;

/**
 * Creates a quorum of each group of nodes (R23). A separate class, since Jedis may be
 * absent.
 */
final class GroupedBackend {

	private GroupedBackend() {
	}

	/**
	 * Create the backend.
	 * @param properties describe the groups
	 * @param details how to connect to all nodes
	 * @param settings the settings of each quorum
	 * @param redlock creates the nodes
	 * @return the backend
	 */
	static LockBackend create(LockProperties properties, LockConnectionDetails details, QuorumSettings settings,
			RedlockNodes redlock) {
		Sharding sharding = new Sharding(properties.groups().keySet(), properties.sharding().by());
		Map<String, NodeEndpoints> endpoints = new TreeMap<>();
		new TreeMap<>(properties.groups()).forEach((id, group) -> endpoints.put(id,
				NodeEndpoints.ofGroup(id, group.nodes(), details, endpoints.values())));
		Map<String, RedisNodes> nodes = new TreeMap<>();
		endpoints.forEach((id, group) -> nodes.put(id, redlock.create(group, sharding.layoutOf(id))));
		return new LockBackend("redlock", List.of(), () -> notes(nodes), false, (storeClock, timer, observers) -> {
			Map<String, QuorumStore> stores = new LinkedHashMap<>();
			nodes.forEach((id, group) -> stores.put(id,
					new QuorumStore(settings, group.nodes(), storeClock, timer, observers)));
			return new GroupedLeaseStore(sharding, stores, storeClock::nanoTime);
		});
	}

	private static Map<String, String> notes(Map<String, RedisNodes> nodes) {
		Map<String, String> notes = new TreeMap<>();
		nodes.values().forEach((group) -> notes.putAll(group.notes()));
		return notes;
	}

}
