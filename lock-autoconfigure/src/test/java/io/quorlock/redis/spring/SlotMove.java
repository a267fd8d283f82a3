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

package io.quorlock.redis.spring;

import java.util.List;

import org.springframework.data.redis.connection.ClusterSlotHashUtil;

import io.quorlock.embedded.EmbeddedRedisCluster;
import io.quorlock.embedded.EmbeddedRedisNode;

/**
 * A Cluster moves the slot of a key to another master.
 */
record SlotMove(EmbeddedRedisCluster cluster, String slot, EmbeddedRedisNode source, EmbeddedRedisNode target) {

	SlotMove(EmbeddedRedisCluster cluster, String key) {
		this(cluster, ClusterSlotHashUtil.calculateSlot(key), cluster.nodes());
	}

	private SlotMove(EmbeddedRedisCluster cluster, int slot, List<EmbeddedRedisNode> masters) {
		this(cluster, Integer.toString(slot), masters.get(slot * masters.size() / 16_384),
				masters.get((slot * masters.size() / 16_384 + 1) % masters.size()));
	}

	void begin() {
		this.target.execute("CLUSTER", "SETSLOT", this.slot, "IMPORTING", id(this.source));
		this.source.execute("CLUSTER", "SETSLOT", this.slot, "MIGRATING", id(this.target));
	}

	void key(String key) {
		this.source.execute("MIGRATE", "127.0.0.1", Integer.toString(this.target.port()), key, "0", "5000");
	}

	void end() {
		for (EmbeddedRedisNode each : List.of(this.target, this.source)) {
			each.execute("CLUSTER", "SETSLOT", this.slot, "NODE", id(this.target));
		}
	}

	private static String id(EmbeddedRedisNode server) {
		return String.valueOf(server.execute("CLUSTER", "MYID"));
	}

}
