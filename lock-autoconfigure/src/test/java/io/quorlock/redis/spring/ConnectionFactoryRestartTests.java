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

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.beans.factory.InitializingBean;
import org.springframework.context.SmartLifecycle;
import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import io.quorlock.embedded.EmbeddedRedisCluster;
import io.quorlock.embedded.EmbeddedRedisNode;
import io.quorlock.quorum.node.LockNode;
import io.quorlock.redis.RedisKeys;

/**
 * Tests for a {@link SpringRedisLockNode} whose connection factory is stopped and started
 * while it is in use, as an application may do with the connections of another account.
 */
@Timeout(60)
class ConnectionFactoryRestartTests {

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

}
