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

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests for {@link EmbeddedRedisCluster} and {@link EmbeddedRedisSentinel}.
 */
class EmbeddedTopologyTests {

	@Test
	void clusterServesEverySlotOnOneOfItsMasters() {
		try (EmbeddedRedisCluster cluster = EmbeddedRedisCluster.start()) {
			for (String key : List.of("a", "b", "c", "d", "e", "f")) {
				assertThat(cluster.nodes()).as(key).filteredOn((node) -> sets(node, key)).hasSize(1);
			}
			assertThat(cluster.nodes()).allSatisfy((node) -> assertThat(node.execute("DBSIZE")).isNotEqualTo(0L));
		}
	}

	@Test
	void sentinelsPromoteTheReplicaWhenTheMasterIsGone() {
		try (EmbeddedRedisSentinel group = EmbeddedRedisSentinel.start()) {
			assertThat(group.masterPort()).isEqualTo(group.master().port());
			group.master().kill();
			await().atMost(Duration.ofSeconds(30)).until(() -> group.masterPort() == group.replica().port());
			await().atMost(Duration.ofSeconds(10))
				.until(() -> String.valueOf(group.replica().execute("INFO")).contains("role:master"));
		}
	}

	@Test
	@Tag("long")
	void closedSentinelsAndClustersLeaveNoServer() {
		List<EmbeddedRedisNode> nodes = new ArrayList<>();
		try (EmbeddedRedisSentinel group = EmbeddedRedisSentinel.start();
				EmbeddedRedisCluster cluster = EmbeddedRedisCluster.start()) {
			nodes.addAll(List.of(group.master(), group.replica()));
			nodes.addAll(group.sentinels());
			nodes.addAll(cluster.nodes());
			assertThat(nodes).hasSize(8).allMatch(EmbeddedRedisNode::isRunning);
		}
		assertThat(nodes).noneMatch(EmbeddedRedisNode::isRunning);
	}

	private static boolean sets(EmbeddedRedisNode node, String key) {
		try {
			return "OK".equals(node.execute("SET", key, "v"));
		}
		catch (EmbeddedServerException ex) {
			assertThat(ex).hasMessageStartingWith("MOVED");
			return false;
		}
	}

}
