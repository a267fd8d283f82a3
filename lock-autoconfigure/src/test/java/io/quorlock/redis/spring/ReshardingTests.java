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
import java.util.concurrent.TimeUnit;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.mockito.Mockito;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.data.redis.connection.ClusterSlotHashUtil;
import org.springframework.data.redis.connection.RedisClusterConfiguration;

import io.quorlock.embedded.EmbeddedRedisCluster;
import io.quorlock.embedded.EmbeddedRedisNode;
import io.quorlock.quorum.node.Attempt;
import io.quorlock.quorum.node.CommandHeader;
import io.quorlock.quorum.node.LockTarget;
import io.quorlock.quorum.node.NodeCommand;
import io.quorlock.quorum.node.NodeListener;
import io.quorlock.quorum.node.NodeReply;
import io.quorlock.redis.RedisKeys;
import io.quorlock.time.SystemClock;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A held lock while a Cluster moves its slot to another master, through each driver.
 */
@Timeout(60)
@ExtendWith(OutputCaptureExtension.class)
class ReshardingTests {

	private static final RedisKeys KEYS = new RedisKeys("lock:");

	private static final String NAME = "stock";

	private static final String SLOT = Integer.toString(ClusterSlotHashUtil.calculateSlot(KEYS.lockKey(NAME)));

	private static final Attempt HOLDER = new Attempt("app@host:1:holder");

	private final EmbeddedRedisCluster cluster = EmbeddedRedisCluster.start();

	private final EmbeddedRedisNode source = this.cluster.nodes()
		.get(Integer.parseInt(SLOT) * this.cluster.nodes().size() / 16_384);

	private final EmbeddedRedisNode target = this.cluster.nodes()
		.stream()
		.filter((each) -> each != this.source)
		.findFirst()
		.orElseThrow();

	@SuppressWarnings("NullAway.Init")
	private Driver.Connections connections;

	@SuppressWarnings("NullAway.Init")
	private SpringRedisLockNode node;

	private void start(Driver driver) {
		this.connections = driver.connect(new RedisClusterConfiguration(
				this.cluster.nodes().stream().map((each) -> "127.0.0.1:" + each.port()).toList()));
		this.node = new SpringRedisLockNode(this.connections.factory(), KEYS, 0, Duration.ofSeconds(1),
				new SystemClock());
		this.node.start(Mockito.mock(NodeListener.class));
		Awaitility.await().until(() -> this.node.status().isVoting());
	}

	@AfterEach
	void stop() {
		this.node.stop();
		this.connections.close();
		this.cluster.close();
	}

	@ParameterizedTest
	@EnumSource
	void heldLockIsRenewedWhileItsSlotIsMovedAndAfterwards(Driver driver) {
		start(driver);
		assertThat(acquire(NAME, HOLDER)).isInstanceOf(NodeReply.Granted.class);
		beginMove();
		assertThat(renew()).as("nothing moved").isInstanceOf(NodeReply.Done.class);
		move(KEYS.lockKey(NAME));
		assertRenewed("fence not moved yet");
		move(KEYS.fenceKey(NAME));
		assertRenewed("all moved");
		assertThat(acquire(NAME, new Attempt("app@host:2:other"))).isNotInstanceOf(NodeReply.Granted.class);
		endMove();
		assertRenewed("after the end");
		assertThat(this.target.execute("GET", KEYS.lockKey(NAME))).isEqualTo(HOLDER.token());
		Awaitility.await()
			.untilAsserted(() -> assertThat(submit(new NodeCommand.Release(List.of(NAME), HOLDER, 0)))
				.isInstanceOf(NodeReply.Released.class));
		assertThat(acquire(NAME, new Attempt("app@host:2:next"))).isInstanceOf(NodeReply.Granted.class);
	}

	@ParameterizedTest
	@EnumSource
	void freeLockOfASlotThatIsMovedIsGrantedWhenTheMoveEnds(Driver driver) {
		start(driver);
		beginMove();
		Awaitility.await().untilAsserted(() -> {
			assertThat(acquire(NAME, HOLDER)).isInstanceOfSatisfying(NodeReply.Failed.class,
					(failed) -> assertThat(failed.message()).contains("(resharding)"));
			assertThat(this.node.status().reason()).contains("(resharding)");
		});
		endMove();
		Awaitility.await()
			.untilAsserted(() -> assertThat(acquire(NAME, new Attempt("app@host:1:again")))
				.isInstanceOf(NodeReply.Granted.class));
		Awaitility.await().until(() -> this.node.status().isVoting());
	}

	/** A library for tracing may show nothing but a connection. */
	@ParameterizedTest
	@EnumSource
	void clusterIsTakenForNothingElse(Driver driver, CapturedOutput output) {
		start(driver);
		Awaitility.await()
			.untilAsserted(() -> assertThat(this.node.note().contains("belongs to a Redis Cluster"))
				.isEqualTo(driver.isWrapped()));
		assertThat(output.toString().split("WARN", -1)).hasSize(driver.isWrapped() ? 2 : 1);
		assertThat(acquire("a", HOLDER)).isInstanceOf(NodeReply.Granted.class);
		assertThat(acquire("b", HOLDER)).isInstanceOf(NodeReply.Granted.class);
	}

	private void beginMove() {
		this.target.execute("CLUSTER", "SETSLOT", SLOT, "IMPORTING", id(this.source));
		this.source.execute("CLUSTER", "SETSLOT", SLOT, "MIGRATING", id(this.target));
	}

	private void move(String key) {
		this.source.execute("MIGRATE", "127.0.0.1", Integer.toString(this.target.port()), key, "0", "5000");
	}

	private void endMove() {
		for (EmbeddedRedisNode each : List.of(this.target, this.source)) {
			each.execute("CLUSTER", "SETSLOT", SLOT, "NODE", id(this.target));
		}
	}

	private static String id(EmbeddedRedisNode server) {
		return String.valueOf(server.execute("CLUSTER", "MYID"));
	}

	/** As the watchdog does, which asks again and again. */
	private void assertRenewed(String when) {
		Awaitility.await()
			.atMost(Duration.ofSeconds(5))
			.untilAsserted(() -> assertThat(renew()).as(when).isInstanceOf(NodeReply.Done.class));
	}

	private NodeReply renew() {
		return submit(new NodeCommand.Renew(new CommandHeader(LockTarget.exclusive(List.of(NAME)), HOLDER), 30_000,
				false, new long[] { 100 }, 600_000, true, 0));
	}

	private NodeReply acquire(String name, Attempt attempt) {
		return submit(new NodeCommand.Acquire(List.of(name), attempt, 30_000, new long[] { 100 }, 1, 600_000));
	}

	private NodeReply submit(NodeCommand command) {
		CompletableFuture<NodeReply> outcome = new CompletableFuture<>();
		this.node.submit(command, 0, (slot, reply) -> outcome.complete(reply));
		return outcome.orTimeout(20, TimeUnit.SECONDS).join();
	}

}
