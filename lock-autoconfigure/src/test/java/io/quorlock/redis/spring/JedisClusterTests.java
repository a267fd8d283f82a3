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

import java.time.Duration;
import java.util.List;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.mockito.Mockito;

import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;

import io.quorlock.embedded.EmbeddedRedisCluster;
import io.quorlock.quorum.node.LockNode;
import io.quorlock.quorum.node.NodeListener;
import io.quorlock.redis.RedisKeys;
import io.quorlock.time.SystemClock;

/**
 * Tests for a {@link SpringRedisLockNode} over the Jedis of a Cluster.
 */
@Tag("long")
@Timeout(60)
class JedisClusterTests {

	@Test
	void locksOfOtherMastersWorkWhileOneHangs() {
		try (EmbeddedRedisCluster redis = EmbeddedRedisCluster.start()) {
			redis.nodes().forEach((server) -> server.execute("CONFIG", "SET", "cluster-node-timeout", "15000"));
			List<String> servers = redis.nodes().stream().map((server) -> "127.0.0.1:" + server.port()).toList();
			JedisConnectionFactory factory = new JedisConnectionFactory(new RedisClusterConfiguration(servers));
			factory.afterPropertiesSet();
			factory.start();
			LockNode node = new SpringRedisLockNode(factory, new RedisKeys("lock:"), 0, Duration.ofSeconds(1),
					new SystemClock());
			node.start(Mockito.mock(NodeListener.class));
			Awaitility.await().until(() -> node.status().isVoting());
			Awaitility.await("offset of the clock of a master")
				.until(() -> node.status().clockOffsetMicros().isPresent());
			redis.nodes().get(0).pause();
			Awaitility.await()
				.during(Duration.ofSeconds(7))
				.atMost(Duration.ofSeconds(10))
				.until(() -> node.status().isVoting());
			redis.nodes().get(0).resume();
			node.stop();
			factory.destroy();
		}
	}

}
