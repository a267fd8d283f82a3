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
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.mockito.Mockito;
import redis.clients.jedis.JedisPoolConfig;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.jedis.JedisClientConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;

import io.quorlock.embedded.EmbeddedRedisCluster;
import io.quorlock.embedded.EmbeddedRedisNode;
import io.quorlock.quorum.node.Attempt;
import io.quorlock.quorum.node.NodeCommand;
import io.quorlock.quorum.node.NodeListener;
import io.quorlock.quorum.node.NodeStatus.State;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What is said of connections that an application configured in a way that does not work.
 */
@Timeout(60)
@ExtendWith(OutputCaptureExtension.class)
class UnusableConnectionTests {

	private final EmbeddedRedisNode redis = EmbeddedRedisNode.start();

	@SuppressWarnings("NullAway.Init")
	private SpringRedisLockNode node;

	@AfterEach
	void stop() {
		this.node.stop();
		this.redis.close();
	}

	private void start(RedisConnectionFactory factory) {
		this.node = Nodes.over(factory);
		this.node.start(Mockito.mock(NodeListener.class));
	}

	private void await(State state, String reason) {
		Awaitility.await().untilAsserted(() -> {
			assertThat(this.node.status().state()).isEqualTo(state);
			assertThat(this.node.status().reason()).startsWith(reason);
		});
	}

	@ParameterizedTest
	@EnumSource(names = { "LETTUCE", "JEDIS" })
	void passwordThatIsMissingIsNamed(Driver driver) {
		this.redis.execute("CONFIG", "SET", "requirepass", "secret");
		try (Driver.Connections connections = driver
			.connect(new RedisStandaloneConfiguration("127.0.0.1", this.redis.port()))) {
			start(connections.factory());
			await(State.DOWN, "it requires a password: set spring.data.redis.password");
			this.node.stop();
		}
	}

	@ParameterizedTest
	@EnumSource(names = { "LETTUCE", "JEDIS" })
	void memberOfAClusterThatIsTakenForASingleServerSaysWhatToConfigure(Driver driver) {
		try (EmbeddedRedisCluster cluster = EmbeddedRedisCluster.start();
				Driver.Connections connections = driver
					.connect(new RedisStandaloneConfiguration("127.0.0.1", cluster.nodes().get(0).port()))) {
			start(connections.factory());
			await(State.VOTING, "");
			this.node.submit(
					new NodeCommand.Acquire(List.of("a"), new Attempt("app:a"), 30_000, new long[] { 100 }, 1, 60_000),
					0, (slot, reply) -> {
					});
			await(State.FAILING, "keeps the lock on another server of its Redis Cluster; let the connections know the "
					+ "Cluster (spring.data.redis.cluster.nodes): MOVED ");
			this.node.stop();
		}
	}

	/** The reason is logged once, though each attempt waits for another time. */
	@Test
	void poolOfWhichAllConnectionsAreInUseIsNamed(CapturedOutput output) {
		JedisPoolConfig pool = new JedisPoolConfig();
		pool.setMaxTotal(2);
		pool.setMaxWait(Duration.ofMillis(100));
		JedisConnectionFactory factory = new JedisConnectionFactory(
				new RedisStandaloneConfiguration("127.0.0.1", this.redis.port()),
				JedisClientConfiguration.builder().usePooling().poolConfig(pool).build());
		factory.afterPropertiesSet();
		factory.start();
		for (int i = 0; i < 2; i++) {
			new Thread(() -> factory.getConnection().listCommands().bLPop(0, new byte[1])).start();
		}
		Awaitility.await()
			.until(() -> String.valueOf(this.redis.execute("INFO", "clients")).contains("blocked_clients:2"));
		start(factory);
		await(State.DOWN, "all connections of the application's pool are in use; raise its max-active");
		Awaitility.await().during(Duration.ofSeconds(1)).until(() -> !this.node.status().isVoting());
		assertThat(output.toString().split("is down", -1)).as("said once").hasSize(2);
		factory.destroy();
	}

}
