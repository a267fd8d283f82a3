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
import java.util.concurrent.atomic.AtomicInteger;

import io.lettuce.core.ClientOptions;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import io.quorlock.embedded.EmbeddedRedisNode;
import io.quorlock.engine.SystemClock;
import io.quorlock.quorum.node.InstanceMessage;
import io.quorlock.quorum.node.LockNode;
import io.quorlock.quorum.node.NodeListener;
import io.quorlock.redis.RedisKeys;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for a node over a Lettuce that was told not to connect again by itself.
 */
@Timeout(60)
class LettuceWithoutReconnectTests {

	@Test
	void nodeConnectsAgainAndListensAgain() {
		try (EmbeddedRedisNode redis = EmbeddedRedisNode.start()) {
			LettuceConnectionFactory factory = connect(URI.create(redis.uri()));
			LockNode node = new SpringRedisLockNode(factory, new RedisKeys("lock:"), 1, Duration.ofMillis(100),
					new SystemClock());
			AtomicInteger connected = new AtomicInteger();
			AtomicInteger listening = new AtomicInteger();
			node.start(new NodeListener() {

				@Override
				public void onConnected(LockNode connectedNode) {
					connected.incrementAndGet();
				}

				@Override
				public void onMessage(LockNode sender, InstanceMessage message) {
				}

				@Override
				public void onListening(LockNode listeningNode) {
					listening.incrementAndGet();
				}

			});
			Awaitility.await().until(() -> connected.get() == 1);
			node.listen("app@host:1");
			Awaitility.await().until(() -> listening.get() == 1);
			redis.execute("CLIENT", "KILL", "TYPE", "normal");
			Awaitility.await().until(() -> connected.get() == 2 && listening.get() == 2);
			redis.execute("CLIENT", "KILL", "TYPE", "pubsub");
			Awaitility.await().until(() -> connected.get() == 3 && listening.get() == 3);
			assertThat(node.status().isVoting()).isTrue();
			node.stop();
			factory.destroy();
		}
	}

	private static LettuceConnectionFactory connect(URI uri) {
		ClientOptions options = ClientOptions.builder().autoReconnect(false).build();
		LettuceConnectionFactory factory = new LettuceConnectionFactory(
				new RedisStandaloneConfiguration(uri.getHost(), uri.getPort()),
				LettuceClientConfiguration.builder().clientOptions(options).build());
		factory.afterPropertiesSet();
		factory.start();
		return factory;
	}

}
