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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.data.redis.connection.ClusterSlotHashUtil;
import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;

import io.quorlock.embedded.EmbeddedRedisCluster;
import io.quorlock.embedded.EmbeddedRedisNode;
import io.quorlock.quorum.node.Attempt;
import io.quorlock.quorum.node.LockNode;
import io.quorlock.quorum.node.NodeCommand;
import io.quorlock.quorum.node.NodeReply;
import io.quorlock.quorum.node.NodeStatus;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for a {@link SpringRedisLockNode} over the Jedis of a Cluster.
 */
@Tag("long")
@Timeout(60)
class JedisClusterTests {

	@SuppressWarnings("NullAway.Init")
	private JedisConnectionFactory factory;

	@AfterEach
	void stop() {
		this.factory.destroy();
	}

	private LockNode connect(EmbeddedRedisCluster redis) {
		List<String> servers = redis.nodes().stream().map((server) -> "127.0.0.1:" + server.port()).toList();
		this.factory = new JedisConnectionFactory(new RedisClusterConfiguration(servers));
		this.factory.afterPropertiesSet();
		this.factory.start();
		return Nodes.start(Nodes.over(this.factory));
	}

	@Test
	void locksOfOtherMastersWorkWhileOneHangs() {
		try (EmbeddedRedisCluster redis = EmbeddedRedisCluster.start()) {
			redis.nodes().forEach((server) -> server.execute("CONFIG", "SET", "cluster-node-timeout", "15000"));
			LockNode node = connect(redis);
			Awaitility.await("offset of the clock of a master")
				.until(() -> node.status().clockOffsetMicros().isPresent());
			redis.nodes().get(0).pause();
			for (int i = 0; i < 40; i++) {
				ask(node, nameOf(0, i), "hung:" + i);
			}
			for (int i = 0; i < 40; i++) {
				assertThat(ask(node, nameOf(1 + i % 2, i), "well:" + i)).as("lock %d", i)
					.succeedsWithin(Duration.ofMillis(500))
					.isInstanceOf(NodeReply.Granted.class);
			}
			Awaitility.await()
				.during(Duration.ofSeconds(7))
				.atMost(Duration.ofSeconds(10))
				.until(() -> node.status().isVoting());
			redis.nodes().get(0).resume();
			node.stop();
		}
	}

	private static CompletableFuture<NodeReply> ask(LockNode node, String name, String token) {
		return Nodes.submit(node, new NodeCommand.Acquire(List.of(name), new Attempt(token), 30_000, null, 1, 0));
	}

	/** A name whose slot is in the midst of a third. */
	private static String nameOf(int third, int number) {
		return IntStream.range(0, 100_000).mapToObj((i) -> "n" + number + "-" + i).filter((name) -> {
			int inThird = ClusterSlotHashUtil.calculateSlot(name) - third * 5_461;
			return inThird > 10 && inThird < 5_450;
		}).findFirst().orElseThrow();
	}

	/** The last one replies to pings, and to nothing behind commands to the others. */
	@Test
	void clusterThatLostMostOfItsMastersIsSaidToFail() {
		try (EmbeddedRedisCluster redis = EmbeddedRedisCluster.start()) {
			LockNode node = connect(redis);
			redis.nodes().subList(1, 3).forEach(EmbeddedRedisNode::kill);
			AtomicInteger number = new AtomicInteger();
			Awaitility.await().atMost(Duration.ofSeconds(50)).until(() -> {
				Attempt attempt = new Attempt("a:" + number.incrementAndGet());
				List<String> names = List.of(attempt.owner());
				node.submit(new NodeCommand.Acquire(names, attempt, 30_000, null, 1, 0), 0, (slot, reply) -> {
				});
				node.submit(new NodeCommand.Release(names, attempt, 0), 0, (slot, reply) -> {
				});
				return node.status().state() == NodeStatus.State.FAILING;
			});
			assertThat(node.status().reason()).containsPattern("does not reply: |CLUSTERDOWN");
			node.stop();
		}
	}

}
