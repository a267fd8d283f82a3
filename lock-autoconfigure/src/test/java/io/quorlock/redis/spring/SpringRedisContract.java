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
import java.util.OptionalLong;
import java.util.function.Function;

import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.mockito.Mockito;

import org.springframework.data.redis.connection.RedisStandaloneConfiguration;

import io.quorlock.embedded.EmbeddedRedisNode;
import io.quorlock.quorum.node.LockNode;
import io.quorlock.quorum.node.LockNodeContract;
import io.quorlock.quorum.node.NodeListener;
import io.quorlock.redis.RedisKeys;
import io.quorlock.redis.client.StrictServer;
import io.quorlock.time.SystemClock;
import io.quorlock.time.TestClock;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What {@link SpringRedisLockNode} must do, with each driver.
 */
abstract class SpringRedisContract extends LockNodeContract {

	private static EmbeddedRedisNode redis;

	private final Function<RedisStandaloneConfiguration, Driver.Connections> driver;

	/** Refuses more than others do; {@code null} to ask the server of all tests. */
	private final @Nullable StrictServer strict;

	private Driver.@Nullable Connections connections;

	SpringRedisContract(Function<RedisStandaloneConfiguration, Driver.Connections> driver) {
		this(driver, null);
	}

	SpringRedisContract(Function<RedisStandaloneConfiguration, Driver.Connections> driver,
			@Nullable StrictServer strict) {
		this.driver = driver;
		this.strict = strict;
	}

	@BeforeAll
	static void startRedis() {
		redis = EmbeddedRedisNode.start();
	}

	@AfterAll
	static void stopRedis() {
		redis.close();
	}

	private Driver.Connections connect(int port) {
		return this.driver.apply(new RedisStandaloneConfiguration("127.0.0.1", port));
	}

	@Override
	protected LockNode createNode() {
		redis.execute("FLUSHALL");
		this.connections = connect((this.strict != null) ? this.strict.port() : redis.port());
		return Nodes.over(this.connections.factory());
	}

	@Override
	protected boolean knowsListeners() {
		return this.strict == null;
	}

	/** R9: whatever this machine's own clock says meanwhile. */
	@Test
	void reportsTheTimeOfTheServerAgainAndAgain() {
		redis.execute("FLUSHALL");
		TestClock clock = new TestClock();
		NodeListener listener = Mockito.mock(NodeListener.class);
		try (Driver.Connections connections = connect(redis.port())) {
			LockNode node = new SpringRedisLockNode(connections.factory(), new RedisKeys("lock:"), 0,
					Duration.ofSeconds(1), clock);
			node.start(listener);
			awaitClock(node, clock);
			clock.advance(Duration.ofSeconds(30));
			awaitClock(node, clock);
			node.stop();
			Mockito.verify(listener).onConnected(node); // not with every ping
		}
	}

	/** The engine has another name after each start. */
	@Test
	void formerInstanceIsNotListenedToAnyMore() {
		RedisKeys keys = new RedisKeys("lock:");
		try (Driver.Connections connections = connect(redis.port())) {
			LockNode node = Nodes.over(connections.factory());
			node.listen("former"); // before it is connected
			node.start(Mockito.mock(NodeListener.class));
			Awaitility.await().until(() -> listeners(keys.instanceChannel("former")) == 1);
			node.listen("present");
			Awaitility.await().until(() -> listeners(keys.instanceChannel("present")) == 1);
			Awaitility.await().until(() -> listeners(keys.instanceChannel("former")) == 0);
			node.stop();
			Awaitility.await().until(() -> listeners(keys.instanceChannel("present")) == 0);
		}
	}

	private static long listeners(String channel) {
		return (redis.execute("PUBSUB", "NUMSUB", channel) instanceof List<?> reply
				&& reply.get(1) instanceof Long count) ? count : -1;
	}

	/** The server's clock is the real one. */
	private static void awaitClock(LockNode node, TestClock clock) {
		Awaitility.await().atMost(Duration.ofSeconds(30)).untilAsserted(() -> {
			OptionalLong offset = node.status().clockOffsetMicros();
			assertThat(offset).isPresent();
			long micros = clock.nanoTime() / 1_000 + offset.getAsLong();
			assertThat(micros - new SystemClock().wallMicros()).isBetween(-1_000_000L, 1_000_000L);
		});
	}

	@Override
	protected void closeStore() throws Exception {
		if (this.connections != null) {
			this.connections.close();
		}
		if (this.strict != null) {
			this.strict.close();
		}
	}

}
