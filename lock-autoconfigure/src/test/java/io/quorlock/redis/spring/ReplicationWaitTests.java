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
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.jedis.JedisClientConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import io.quorlock.embedded.EmbeddedRedisNode;
import io.quorlock.quorum.node.Attempt;
import io.quorlock.quorum.node.LockNode;
import io.quorlock.quorum.node.NodeCommand;
import io.quorlock.quorum.node.NodeReply;
import io.quorlock.quorum.node.TestCommands;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What {@code WAIT} costs when a replica is dead.
 */
@Tag("long")
class ReplicationWaitTests {

	private static final Duration WAIT = Duration.ofSeconds(2);

	@ParameterizedTest
	@ValueSource(strings = { "lettuce", "jedis" })
	void heldLocksAreRenewedWhileAcquiresWaitForADeadReplica(String driver) throws Exception {
		try (EmbeddedRedisNode redis = EmbeddedRedisNode.start()) {
			RedisConnectionFactory factory = connect(driver, redis.port());
			LockNode node = Nodes.start(Nodes.over(factory, 1, WAIT));
			CompletableFuture<NodeReply> unconfirmed = acquire(node, 0);
			for (int i = 1; i < 10; i++) {
				acquire(node, i);
			}
			for (int i = 0; i < 10; i++) {
				Attempt holder = new Attempt("holder:" + i);
				assertThat(Nodes.submit(node,
						TestCommands.renew(List.of("held" + i), holder, 30_000, false, new long[] { 7 }, 60_000)))
					.succeedsWithin(WAIT.toMillis() / 2, TimeUnit.MILLISECONDS)
					.isEqualTo(new NodeReply.Done(true));
			}
			assertThat(unconfirmed).succeedsWithin(30, TimeUnit.SECONDS)
				.isInstanceOfSatisfying(NodeReply.Failed.class,
						(failed) -> assertThat(failed.message()).contains("0 of 1 replicas confirmed"));
			// What was written to be confirmed is gone.
			Awaitility.await()
				.untilAsserted(() -> assertThat((List<?>) Objects.requireNonNull(redis.execute("KEYS", "*")))
					.allSatisfy((key) -> assertThat(redis.execute("PTTL", key.toString())).isNotEqualTo(-1L)));
			node.stop();
		}
	}

	private static CompletableFuture<NodeReply> acquire(LockNode node, int i) {
		return Nodes.submit(node, new NodeCommand.Acquire(List.of("n" + i), new Attempt("a:" + i), 30_000, null, 1, 0));
	}

	private static RedisConnectionFactory connect(String driver, int port) {
		RedisStandaloneConfiguration configuration = new RedisStandaloneConfiguration("127.0.0.1", port);
		if (driver.equals("jedis")) {
			JedisConnectionFactory jedis = new JedisConnectionFactory(configuration,
					JedisClientConfiguration.builder().readTimeout(WAIT.multipliedBy(5)).build());
			jedis.afterPropertiesSet();
			jedis.start();
			return jedis;
		}
		LettuceConnectionFactory lettuce = new LettuceConnectionFactory(configuration);
		lettuce.afterPropertiesSet();
		lettuce.start();
		return lettuce;
	}

}
