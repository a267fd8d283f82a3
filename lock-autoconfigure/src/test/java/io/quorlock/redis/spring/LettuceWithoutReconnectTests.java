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

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.cluster.ClusterClientOptions;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisConfiguration;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import io.quorlock.embedded.EmbeddedRedisCluster;
import io.quorlock.embedded.EmbeddedRedisNode;
import io.quorlock.quorum.node.InstanceMessage;
import io.quorlock.quorum.node.LockNode;
import io.quorlock.quorum.node.NodeListener;
import io.quorlock.quorum.node.OtherList;
import io.quorlock.redis.RedisKeys;
import io.quorlock.time.SystemClock;

/**
 * Tests for a node over a Lettuce that was told not to connect again by itself.
 */
@Tag("long")
@Timeout(60)
class LettuceWithoutReconnectTests {

	private final AtomicInteger connected = new AtomicInteger();

	private final AtomicInteger listening = new AtomicInteger();

	@Test
	void nodeConnectsAgainAndListensAgain() {
		try (EmbeddedRedisNode redis = EmbeddedRedisNode.start()) {
			URI uri = URI.create(redis.uri());
			reconnects(connect(new RedisStandaloneConfiguration(uri.getHost(), uri.getPort())), List.of(redis));
		}
	}

	@Test
	void clusterIsConnectedToAgain() {
		try (EmbeddedRedisCluster redis = EmbeddedRedisCluster.start()) {
			List<String> nodes = redis.nodes().stream().map((node) -> "127.0.0.1:" + node.port()).toList();
			reconnects(connect(new RedisClusterConfiguration(nodes)), redis.nodes());
		}
	}

	private void reconnects(LettuceConnectionFactory factory, List<EmbeddedRedisNode> servers) {
		LockNode node = new SpringRedisLockNode(factory, new RedisKeys("lock:"), 1, Duration.ofMillis(100),
				new SystemClock());
		node.start(new NodeListener() {

			@Override
			public void onConnected(LockNode connectedNode) {
				LettuceWithoutReconnectTests.this.connected.incrementAndGet();
			}

			@Override
			public void onLists(LockNode node, List<OtherList> lists) {
			}

			@Override
			public void onMessage(LockNode sender, InstanceMessage message) {
			}

			@Override
			public void onListening(LockNode listeningNode) {
				LettuceWithoutReconnectTests.this.listening.incrementAndGet();
			}

		});
		Awaitility.await().until(() -> this.connected.get() == 1);
		node.listen("app@host:1");
		Awaitility.await().until(() -> this.listening.get() == 1);
		servers.forEach((server) -> server.execute("CLIENT", "KILL", "TYPE", "normal"));
		Awaitility.await().until(() -> this.connected.get() >= 2 && this.listening.get() >= 2);
		int before = this.listening.get();
		servers.forEach((server) -> server.execute("CLIENT", "KILL", "TYPE", "pubsub"));
		Awaitility.await().until(() -> this.listening.get() > before);
		Awaitility.await().until(() -> node.status().isVoting());
		node.stop();
		factory.destroy();
	}

	private static LettuceConnectionFactory connect(RedisConfiguration configuration) {
		ClientOptions options = ClusterClientOptions.builder().autoReconnect(false).build();
		LettuceConnectionFactory factory = new LettuceConnectionFactory(configuration,
				LettuceClientConfiguration.builder().clientOptions(options).build());
		factory.afterPropertiesSet();
		factory.start();
		return factory;
	}

}
