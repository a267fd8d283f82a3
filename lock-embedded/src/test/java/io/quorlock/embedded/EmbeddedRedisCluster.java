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

package io.quorlock.embedded;

import java.util.List;

/**
 * A Redis Cluster of three masters, all slots assigned, without replicas.
 */
public final class EmbeddedRedisCluster implements AutoCloseable {

	private static final int MASTERS = 3;

	private static final int SLOTS = 16_384;

	private final EmbeddedRedis masters;

	private EmbeddedRedisCluster(EmbeddedRedis masters) {
		this.masters = masters;
	}

	/**
	 * Start a cluster on free ports.
	 * @return the cluster, in state {@code ok} on every node
	 * @throws EmbeddedServerException if it does not come up
	 */
	public static EmbeddedRedisCluster start() {
		EmbeddedRedis masters = EmbeddedRedis.start(MASTERS,
				EmbeddedRedisNode.builder().config("cluster-enabled yes").config("cluster-node-timeout 2000"));
		try {
			join(masters.nodes());
			return new EmbeddedRedisCluster(masters);
		}
		catch (RuntimeException ex) {
			masters.close();
			throw ex;
		}
	}

	/**
	 * Return the masters.
	 * @return all of them
	 */
	public List<EmbeddedRedisNode> nodes() {
		return this.masters.nodes();
	}

	/** Kill all nodes and delete their files. */
	@Override
	public void close() {
		this.masters.close();
	}

	private static void join(List<EmbeddedRedisNode> nodes) {
		for (int i = 0; i < MASTERS; i++) {
			EmbeddedRedisNode node = nodes.get(i);
			int first = SLOTS * i / MASTERS;
			int last = SLOTS * (i + 1) / MASTERS - 1;
			node.execute("CLUSTER", "SET-CONFIG-EPOCH", Integer.toString(i + 1));
			node.execute("CLUSTER", "ADDSLOTSRANGE", Integer.toString(first), Integer.toString(last));
			nodes.get(0).execute("CLUSTER", "MEET", LoopbackPorts.HOST, Integer.toString(node.port()));
		}
		Readiness.await("The cluster", () -> nodes.stream().allMatch(EmbeddedRedisCluster::isReady));
	}

	private static boolean isReady(EmbeddedRedisNode node) {
		String info = String.valueOf(node.execute("CLUSTER", "INFO"));
		return info.contains("cluster_state:ok") && info.contains("cluster_known_nodes:" + MASTERS);
	}

}
