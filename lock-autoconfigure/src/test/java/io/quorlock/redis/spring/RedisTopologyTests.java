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
import java.util.stream.Collectors;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import io.quorlock.LockHandle;
import io.quorlock.LockKeyException;
import io.quorlock.LockRequest;
import io.quorlock.LockTemplate;
import io.quorlock.LockUnavailableException;
import io.quorlock.autoconfigure.LockAutoConfiguration;
import io.quorlock.embedded.EmbeddedRedisCluster;
import io.quorlock.embedded.EmbeddedRedisNode;
import io.quorlock.embedded.EmbeddedRedisSentinel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for the redis backend on a single server, Sentinel and a Cluster, with each
 * driver, configured as an application configures them.
 */
@Tag("long")
@ExtendWith(OutputCaptureExtension.class)
class RedisTopologyTests {

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(DataRedisAutoConfiguration.class, LockAutoConfiguration.class))
		.withPropertyValues("distributed-lock.backend=redis", "distributed-lock.connection.operation-timeout=1s",
				"spring.data.redis.timeout=2s");

	@ParameterizedTest
	@ValueSource(strings = { "lettuce", "jedis" })
	void singleServerIsUsedAsItIsConfigured(String driver, CapturedOutput output) {
		try (EmbeddedRedisNode redis = EmbeddedRedisNode.start()) {
			this.contextRunner
				.withPropertyValues("spring.data.redis.client-type=" + driver,
						"spring.data.redis.url=redis://127.0.0.1:" + redis.port())
				.run((context) -> {
					LockTemplate template = context.getBean(LockTemplate.class);
					try (LockHandle handle = template.acquire(patient("order:42"))) {
						assertThat(redis.execute("GET", "lock:{order:42}")).asString().isNotEmpty();
						assertThat(redis.execute("GET", "lock:{order:42}:fence"))
							.hasToString(Long.toString(handle.fencingToken() + 15));
						assertThat(template.tryAcquire(LockRequest.of("order:42"))).isEmpty();
					}
					assertThat(redis.execute("EXISTS", "lock:{order:42}")).hasToString("0");
					assertKindsOfLocks(template);
				});
			assertThat(output).doesNotContain("a failover loses the locks");
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "lettuce", "jedis" })
	void lockCanBeHadAgainAfterAFailover(String driver, CapturedOutput output) {
		try (EmbeddedRedisSentinel redis = EmbeddedRedisSentinel.start()) {
			sentinel(redis, driver).run((context) -> {
				LockTemplate template = context.getBean(LockTemplate.class);
				template.acquire(patient("before")).close();
				assertKindsOfLocks(template);
				assertThat(output).containsOnlyOnce("a failover loses the locks");
				redis.master().kill();
				Awaitility.await()
					.atMost(Duration.ofSeconds(60))
					.ignoreExceptionsMatching(LockUnavailableException.class::isInstance)
					.until(() -> {
						template.acquire(LockRequest.of("after").waitTime(Duration.ofSeconds(1))).close();
						return true;
					});
				assertKindsOfLocks(template);
				assertThat(redis.masterPort()).isEqualTo(redis.replica().port());
			});
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "lettuce", "jedis" })
	void lockIsGrantedOnlyIfEnoughReplicasConfirm(String driver) {
		try (EmbeddedRedisSentinel redis = EmbeddedRedisSentinel.start()) {
			sentinel(redis, driver).withPropertyValues("distributed-lock.redis.wait-replicas=1")
				.run((context) -> context.getBean(LockTemplate.class).acquire(patient("order")).close());
			sentinel(redis, driver)
				.withPropertyValues("distributed-lock.redis.wait-replicas=2",
						"distributed-lock.redis.wait-timeout=50ms")
				.run((context) -> {
					LockTemplate template = context.getBean(LockTemplate.class);
					assertThatExceptionOfType(LockUnavailableException.class)
						.isThrownBy(() -> template.acquire(LockRequest.of("other").waitTime(Duration.ofSeconds(3))));
					Awaitility.await()
						.untilAsserted(
								() -> assertThat(redis.master().execute("EXISTS", "lock:{other}")).hasToString("0"));
				});
		}
	}

	private ApplicationContextRunner sentinel(EmbeddedRedisSentinel redis, String driver) {
		return this.contextRunner.withPropertyValues("spring.data.redis.client-type=" + driver,
				"spring.data.redis.sentinel.master=" + EmbeddedRedisSentinel.MASTER_NAME,
				"spring.data.redis.sentinel.nodes=" + addresses(redis.sentinels()));
	}

	@ParameterizedTest
	@ValueSource(strings = { "lettuce", "jedis" })
	void clusterKeepsEachLockOnItsMaster(String driver, CapturedOutput output) {
		try (EmbeddedRedisCluster redis = EmbeddedRedisCluster.start()) {
			ApplicationContextRunner runner = this.contextRunner.withPropertyValues(
					"spring.data.redis.client-type=" + driver,
					"spring.data.redis.cluster.nodes=" + addresses(redis.nodes()));
			runner.run((context) -> {
				LockTemplate template = context.getBean(LockTemplate.class);
				for (int i = 0; i < 30; i++) {
					LockHandle handle = template.acquire(patient("order:" + i));
					assertThat(handle.fencingToken()).isPositive();
					handle.close();
				}
				assertThat(redis.nodes()).allMatch((node) -> !"0".equals(String.valueOf(node.execute("DBSIZE"))),
						"has keys");
				assertThat(output).containsOnlyOnce("Redis Cluster: a failover loses the locks");
				runner.withPropertyValues("distributed-lock.redis.durable=true")
					.run((durable) -> assertThat(durable).hasSingleBean(LockTemplate.class));
				assertThat(output).containsOnlyOnce("a failover loses the locks");
				assertKindsOfLocks(template);
				template.acquire(LockRequest.ofAll("cart}1", "cart}2")).close();
				assertThatExceptionOfType(LockKeyException.class)
					.isThrownBy(() -> template.acquire(LockRequest.ofAll("order:1", "order:2")))
					.withMessageContaining("different slots");
			});
			runner
				.withPropertyValues("distributed-lock.redis.wait-replicas=1",
						"distributed-lock.redis.wait-timeout=50ms")
				.run(driver.equals("lettuce") ? RedisTopologyTests::assertNoReplicaConfirms
						: RedisTopologyTests::assertWaitIsRefused);
		}
	}

	private static void assertNoReplicaConfirms(AssertableApplicationContext context) {
		assertThatExceptionOfType(LockUnavailableException.class)
			.isThrownBy(() -> context.getBean(LockTemplate.class)
				.acquire(LockRequest.of("replicated").waitTime(Duration.ofSeconds(3))))
			.withMessageContaining("0 of 1 replicas confirmed");
	}

	private static void assertWaitIsRefused(AssertableApplicationContext context) {
		assertThat(context.getStartupFailure()).rootCause()
			.hasMessageContaining("distributed-lock.redis.wait-replicas")
			.hasMessageContaining("only Lettuce");
	}

	/** All keys of a name are in one slot. */
	private static void assertKindsOfLocks(LockTemplate template) {
		LockRequest catalog = LockRequest.of("catalog").waitTime(Duration.ZERO);
		LockHandle writer = template.acquire(patient("catalog").fair());
		assertThat(template.tryAcquire(catalog.shared())).isEmpty();
		writer.downgrade();
		try (LockHandle reader = template.acquire(patient("catalog").shared())) {
			writer.close();
			assertThat(reader.isHeld()).isTrue();
			assertThat(template.tryAcquire(catalog)).isEmpty();
		}
		LockRequest permit = LockRequest.of("exports").permits(2);
		try (LockHandle first = template.acquire(permit.waitTime(Duration.ofSeconds(20)));
				LockHandle second = template.acquire(permit.waitTime(Duration.ofSeconds(20)))) {
			assertThat(List.of(first.permit(), second.permit())).containsExactlyInAnyOrder(1, 2);
			assertThat(template.tryAcquire(permit)).isEmpty();
		}
		template.acquire(patient("catalog")).close();
	}

	private static LockRequest patient(String name) {
		return LockRequest.of(name).waitTime(Duration.ofSeconds(20));
	}

	private static String addresses(List<EmbeddedRedisNode> nodes) {
		return nodes.stream().map((node) -> "127.0.0.1:" + node.port()).collect(Collectors.joining(","));
	}

}
