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

import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.mockito.Mockito;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;

import io.quorlock.embedded.EmbeddedRedisNode;
import io.quorlock.quorum.node.LockNode;
import io.quorlock.quorum.node.LockNodeContract;
import io.quorlock.quorum.node.NodeListener;
import io.quorlock.redis.RedisKeys;
import io.quorlock.time.SystemClock;
import io.quorlock.time.TestClock;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What {@link SpringRedisLockNode} must do, with each driver.
 */
abstract class SpringRedisContract extends LockNodeContract {

	private static EmbeddedRedisNode redis;

	private @Nullable RedisConnectionFactory factory;

	@BeforeAll
	static void startRedis() {
		redis = EmbeddedRedisNode.start();
	}

	@AfterAll
	static void stopRedis() {
		redis.close();
	}

	abstract RedisConnectionFactory connect(RedisStandaloneConfiguration configuration);

	/** Returns the port of a server that is empty. */
	int emptyServer() {
		redis.execute("FLUSHALL");
		return redis.port();
	}

	@Override
	protected LockNode createNode() {
		RedisConnectionFactory factory = connect(new RedisStandaloneConfiguration("127.0.0.1", emptyServer()));
		this.factory = factory;
		return new SpringRedisLockNode(factory, new RedisKeys("lock:"), 0, Duration.ofSeconds(1), new SystemClock());
	}

	/** R9: whatever this machine's own clock says meanwhile. */
	@Test
	void reportsTheTimeOfTheServerAgainAndAgain() throws Exception {
		redis.execute("FLUSHALL");
		TestClock clock = new TestClock();
		RedisConnectionFactory factory = connect(new RedisStandaloneConfiguration("127.0.0.1", redis.port()));
		LockNode node = new SpringRedisLockNode(factory, new RedisKeys("lock:"), 0, Duration.ofSeconds(1), clock);
		NodeListener listener = Mockito.mock(NodeListener.class);
		node.start(listener);
		try {
			awaitClock(node, clock);
			clock.advance(Duration.ofSeconds(30));
			awaitClock(node, clock);
		}
		finally {
			node.stop();
			destroy(factory);
		}
		Mockito.verify(listener).onConnected(node); // not with every ping
	}

	/** The engine has another name after each start. */
	@Test
	void formerInstanceIsNotListenedToAnyMore() throws Exception {
		RedisKeys keys = new RedisKeys("lock:");
		RedisConnectionFactory factory = connect(new RedisStandaloneConfiguration("127.0.0.1", redis.port()));
		LockNode node = new SpringRedisLockNode(factory, keys, 0, Duration.ofSeconds(1), new SystemClock());
		node.listen("former"); // before it is connected
		node.start(Mockito.mock(NodeListener.class));
		try {
			Awaitility.await().until(() -> listeners(keys.instanceChannel("former")) == 1);
			node.listen("present");
			Awaitility.await().until(() -> listeners(keys.instanceChannel("present")) == 1);
			Awaitility.await().until(() -> listeners(keys.instanceChannel("former")) == 0);
			node.stop();
			Awaitility.await().until(() -> listeners(keys.instanceChannel("present")) == 0);
		}
		finally {
			node.stop();
			destroy(factory);
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
		destroy(this.factory);
	}

	private static void destroy(@Nullable RedisConnectionFactory factory) throws Exception {
		if (factory instanceof DisposableBean bean) {
			bean.destroy();
		}
	}

}
