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

import io.lettuce.core.cluster.ClusterClientOptions;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.beans.factory.InitializingBean;
import org.springframework.context.SmartLifecycle;
import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisConfiguration;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import io.quorlock.embedded.EmbeddedRedisCluster;
import io.quorlock.embedded.EmbeddedRedisNode;
import io.quorlock.quorum.node.LockNode;
import io.quorlock.redis.RedisKeys;

/**
 * Tests for a {@link SpringRedisLockNode} that loses its connections: since the factory
 * is stopped and started again, as an application may do, or since Lettuce was told not
 * to connect again by itself.
 */
@Timeout(60)
class ReconnectionTests {

	private final Nodes.Listener listener = new Nodes.Listener();

	@Test
	void lettuceConnectsAgainAndListensAgain() throws Exception {
		try (EmbeddedRedisNode redis = EmbeddedRedisNode.start()) {
			restarted(new LettuceConnectionFactory(standalone(redis)), redis);
		}
	}

	@Test
	@Tag("long")
	void lettuceConnectsAgainToACluster() throws Exception {
		try (EmbeddedRedisCluster redis = EmbeddedRedisCluster.start()) {
			List<String> nodes = redis.nodes().stream().map((node) -> "127.0.0.1:" + node.port()).toList();
			restarted(new LettuceConnectionFactory(new RedisClusterConfiguration(nodes)), redis.nodes().get(0));
		}
	}

	@Test
	@Tag("long")
	void jedisConnectsAgainAndListensAgain() throws Exception {
		try (EmbeddedRedisNode redis = EmbeddedRedisNode.start()) {
			restarted(new JedisConnectionFactory(standalone(redis)), redis);
		}
	}

	private static RedisStandaloneConfiguration standalone(EmbeddedRedisNode redis) {
		return new RedisStandaloneConfiguration("127.0.0.1", URI.create(redis.uri()).getPort());
	}

	private <T extends RedisConnectionFactory & SmartLifecycle & InitializingBean> void restarted(T factory,
			EmbeddedRedisNode redis) throws Exception {
		try {
			factory.afterPropertiesSet();
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
		factory.start();
		LockNode node = Nodes.over(factory, 1, Duration.ofMillis(100));
		node.start(this.listener);
		Awaitility.await().until(() -> this.listener.connected.get() == 1);
		node.listen("app@host:1");
		Awaitility.await().until(() -> this.listener.listening.get() == 1);
		factory.stop();
		Awaitility.await().until(() -> !node.status().isVoting());
		// That of Jedis outlives the pool.
		redis.execute("CLIENT", "KILL", "TYPE", "pubsub");
		// Attempts to connect and to subscribe fail meanwhile.
		Thread.sleep(1_500);
		factory.start();
		Awaitility.await().until(() -> this.listener.connected.get() == 2);
		Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> this.listener.listening.get() == 2);
		redis.execute("PUBLISH", new RedisKeys("lock:").instanceChannel("app@host:1"), "wanted\na1");
		Awaitility.await().until(() -> this.listener.messages.get() == 1);
		node.stop();
		factory.stop();
	}

	@Test
	@Tag("long")
	void nodeConnectsAgainAndListensAgain() {
		try (EmbeddedRedisNode redis = EmbeddedRedisNode.start()) {
			URI uri = URI.create(redis.uri());
			reconnects(connect(new RedisStandaloneConfiguration(uri.getHost(), uri.getPort())), List.of(redis));
		}
	}

	@Test
	@Tag("long")
	void clusterIsConnectedToAgain() {
		try (EmbeddedRedisCluster redis = EmbeddedRedisCluster.start()) {
			List<String> nodes = redis.nodes().stream().map((node) -> "127.0.0.1:" + node.port()).toList();
			reconnects(connect(new RedisClusterConfiguration(nodes)), redis.nodes());
		}
	}

	private void reconnects(Driver.Connections connections, List<EmbeddedRedisNode> servers) {
		LockNode node = Nodes.over(connections.factory(), 1, Duration.ofMillis(100));
		node.start(this.listener);
		Awaitility.await().until(() -> this.listener.connected.get() == 1);
		node.listen("app@host:1");
		Awaitility.await().until(() -> this.listener.listening.get() == 1);
		servers.forEach((server) -> server.execute("CLIENT", "KILL", "TYPE", "normal"));
		Awaitility.await().until(() -> this.listener.connected.get() >= 2 && this.listener.listening.get() >= 2);
		int before = this.listener.listening.get();
		servers.forEach((server) -> server.execute("CLIENT", "KILL", "TYPE", "pubsub"));
		Awaitility.await().until(() -> this.listener.listening.get() > before);
		Awaitility.await().until(() -> node.status().isVoting());
		node.stop();
		connections.close();
	}

	private static Driver.Connections connect(RedisConfiguration configuration) {
		return Driver.lettuce(configuration, ClusterClientOptions.builder().autoReconnect(false).build());
	}

}
