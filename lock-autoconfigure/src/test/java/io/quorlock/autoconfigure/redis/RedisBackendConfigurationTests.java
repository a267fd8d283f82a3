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

package io.quorlock.autoconfigure.redis;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.support.StaticListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisSentinelConfiguration;
import org.springframework.data.redis.connection.RedisSocketConfiguration;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import io.quorlock.LockHandle;
import io.quorlock.LockKeyException;
import io.quorlock.LockRequest;
import io.quorlock.LockTemplate;
import io.quorlock.autoconfigure.InvalidLockConfigurationException;
import io.quorlock.autoconfigure.LockAutoConfiguration;
import io.quorlock.autoconfigure.LockBackend;
import io.quorlock.autoconfigure.TestProperties;
import io.quorlock.embedded.EmbeddedRedisNode;
import io.quorlock.quorum.node.LockNode;
import io.quorlock.time.SystemClock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link RedisBackendConfiguration}.
 */
@ExtendWith(OutputCaptureExtension.class)
class RedisBackendConfigurationTests {

	private static final String RISK = "a failover loses the locks that the replica has not heard of, and two instances "
			+ "may then hold one. Use independent nodes in distributed-lock.nodes, or a service that confirms writes "
			+ "durably (distributed-lock.redis.durable), where that must not happen";

	private static final RedisSentinelConfiguration SENTINEL = new RedisSentinelConfiguration("locks",
			Set.of("127.0.0.1:1"));

	private static final RedisClusterConfiguration CLUSTER = new RedisClusterConfiguration(List.of("127.0.0.1:1"));

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(DataRedisAutoConfiguration.class, LockAutoConfiguration.class))
		.withPropertyValues("distributed-lock.backend=redis", "distributed-lock.key-prefix=shop:");

	private final RedisBackendConfiguration configuration = new RedisBackendConfiguration();

	private LockBackend backend(RedisConnectionFactory factory, String... properties) {
		return this.configuration.distributedLockBackend(TestProperties.bind(properties), beans(factory),
				new SystemClock());
	}

	@Test
	void failoverOfASentinelGroupIsWarnedOf(CapturedOutput output) {
		assertThat(name(backend(new LettuceConnectionFactory(SENTINEL)))).isEqualTo("locks");
		assertThat(output).contains("one master of a Sentinel group: " + RISK);
	}

	@Test
	void failoverInAClusterIsWarnedOf(CapturedOutput output) {
		assertThat(name(backend(new LettuceConnectionFactory(CLUSTER)))).isEqualTo("cluster");
		assertThat(output).contains("one master of a Redis Cluster: " + RISK);
	}

	@Test
	void failoverIsWarnedOfWithJedisToo(CapturedOutput output) {
		assertThat(name(backend(new JedisConnectionFactory(SENTINEL)))).isEqualTo("locks");
		assertThat(name(backend(new JedisConnectionFactory(CLUSTER)))).isEqualTo("cluster");
		assertThat(output).contains("Sentinel group: " + RISK).contains("Redis Cluster: " + RISK);
	}

	@Test
	void singleServerAndOneThatConfirmsWritesAreNotWarnedOf(CapturedOutput output) {
		RedisStandaloneConfiguration server = new RedisStandaloneConfiguration("redis", 7000);
		assertThat(name(backend(new LettuceConnectionFactory(server)))).isEqualTo("redis:7000");
		assertThat(name(backend(new JedisConnectionFactory(server)))).isEqualTo("redis:7000");
		backend(new LettuceConnectionFactory(SENTINEL), "redis.durable", "true");
		backend(new LettuceConnectionFactory(CLUSTER), "redis.durable", "true");
		assertThat(output).doesNotContain(RISK);
	}

	@Test
	void replicasCannotBeWaitedForInAClusterWithJedis() {
		assertThatExceptionOfType(InvalidLockConfigurationException.class)
			.isThrownBy(() -> backend(new JedisConnectionFactory(CLUSTER), "redis.wait-replicas", "1"))
			.withMessageContaining("distributed-lock.redis.wait-replicas");
		backend(new LettuceConnectionFactory(CLUSTER), "redis.wait-replicas", "1");
		backend(new JedisConnectionFactory(SENTINEL), "redis.wait-replicas", "1");
	}

	@Test
	void replicasAreWaitedForAsLongAsIsConfigured() {
		assertThat(backend(new LettuceConnectionFactory(), "redis.wait-replicas", "2", "redis.wait-timeout", "60ms")
			.nodes()
			.get(0)).extracting("replicas.replicas", "replicas.timeout").containsExactly(2, Duration.ofMillis(60));
	}

	private static ListableBeanFactory beans(RedisConnectionFactory factory) {
		return new StaticListableBeanFactory(Map.of("redis", factory));
	}

	@Test
	void refusalsNameTheValueAndWhatToDo() {
		RedisConnectionFactory redis = new LettuceConnectionFactory();
		assertRefused(() -> backend(redis, "nodes", "redis://a"), "distributed-lock.backend", "redis",
				"distributed-lock.nodes is set too, and the application's own Redis would be used instead of those nodes",
				"Remove one of the two properties.");
		assertRefused(() -> backend(new JedisConnectionFactory(CLUSTER), "redis.wait-replicas", "2"),
				"distributed-lock.redis.wait-replicas", "2",
				"WAIT applies to the writes of one connection, and in a Cluster only Lettuce reveals which one that is",
				"Use Lettuce (spring.data.redis.client-type=lettuce), or do not wait for replicas.");
	}

	private static void assertRefused(ThrowingCallable call, String property, String value, String reason,
			String action) {
		assertThatExceptionOfType(InvalidLockConfigurationException.class).isThrownBy(call).satisfies((failure) -> {
			assertThat(failure.getProperty()).isEqualTo(property);
			assertThat(failure.getValue()).isEqualTo(value);
			assertThat(failure.getReason()).isEqualTo(reason);
			assertThat(failure.getAction()).isEqualTo(action);
		});
	}

	@Test
	void locksOfAClusterThatAreInDifferentSlotsAreNotLockedTogether() {
		LockNode cluster = node(new LettuceConnectionFactory(CLUSTER));
		assertThatExceptionOfType(LockKeyException.class)
			.isThrownBy(() -> cluster.check(List.of("cart}1", "cart}2", "order:1")))
			.withMessageContaining("'cart}1' and 'order:1' are in different slots");
		cluster.check(List.of("cart}1", "cart}2"));
		node(new LettuceConnectionFactory(SENTINEL)).check(List.of("a", "b"));
	}

	private LockNode node(RedisConnectionFactory factory) {
		return this.configuration.distributedLockBackend(TestProperties.bind(), beans(factory), new SystemClock())
			.nodes()
			.get(0);
	}

	@Test
	void keysHaveTheConfiguredPrefix() {
		try (EmbeddedRedisNode redis = EmbeddedRedisNode.start()) {
			assertLocked(redis, this.contextRunner.withPropertyValues("spring.data.redis.url=" + redis.uri()));
		}
	}

	/** Nothing listens where they point to. */
	@Test
	void factoryOfTheApplicationDecidesAndNotPropertiesThatAreLeftOver(@TempDir Path folder) {
		String socket = folder.resolve("redis.sock").toString();
		ApplicationContextRunner runner = this.contextRunner.withPropertyValues("spring.data.redis.port=1",
				"spring.data.redis.masterreplica.nodes=127.0.0.1:1,127.0.0.1:2");
		try (EmbeddedRedisNode redis = EmbeddedRedisNode.builder().config("unixsocket " + socket).start()) {
			assertLocked(redis, runner.withBean(RedisConnectionFactory.class,
					() -> new JedisConnectionFactory(new RedisStandaloneConfiguration("127.0.0.1", redis.port()))));
			ApplicationContextRunner local = runner.withBean(RedisConnectionFactory.class,
					() -> new LettuceConnectionFactory(new RedisSocketConfiguration(socket)));
			assertLocked(redis, local);
			local.run((context) -> assertThat(name(context.getBean(LockBackend.class))).isEqualTo(socket));
		}
	}

	private void assertLocked(EmbeddedRedisNode redis, ApplicationContextRunner runner) {
		runner.run((context) -> {
			LockHandle lock = context.getBean(LockTemplate.class)
				.acquire(LockRequest.of("order").waitTime(Duration.ofSeconds(20)));
			assertThat(redis.execute("EXISTS", "shop:{order}")).hasToString("1");
			lock.close();
		});
	}

	private static String name(LockBackend backend) {
		return backend.nodes().get(0).name();
	}

}
