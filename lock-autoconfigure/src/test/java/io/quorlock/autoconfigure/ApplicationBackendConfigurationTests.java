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

package io.quorlock.autoconfigure;

import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.support.StaticListableBeanFactory;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.core.io.DefaultResourceLoader;

import io.quorlock.quorum.node.LockNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * Tests for {@link ApplicationBackendConfiguration}.
 */
class ApplicationBackendConfigurationTests {

	private final ObjectProvider<LockNode> nodes = new StaticListableBeanFactory().getBeanProvider(LockNode.class);

	static Stream<Arguments> backends() {
		String noRedis = "quorlock-redis is not on the class path";
		String noZooKeeper = "quorlock-zookeeper, or its ZooKeeper client, is not on the class path";
		String addZooKeeper = "Add the dependency io.quorlock:quorlock-zookeeper.";
		return Stream.of(
				arguments("redis", "io.quorlock.redis", "redis", noRedis,
						"Add the dependency io.quorlock:quorlock-redis."),
				arguments("redis", "none", "redis", "the application has no RedisConnectionFactory bean",
						"Add the dependency org.springframework.boot:spring-boot-starter-data-redis and configure "
								+ "spring.data.redis, or list independent nodes in distributed-lock.nodes."),
				arguments("zookeeper", "none", "zookeeper", noZooKeeper, addZooKeeper),
				arguments(null, "io.quorlock.zookeeper", null, noZooKeeper, addZooKeeper),
				arguments(null, "org.apache.zookeeper", null, noZooKeeper, addZooKeeper),
				arguments(null, "none", null, "both ZooKeeper and a RedisConnectionFactory bean could keep the locks",
						"Set the property to zookeeper or to redis."),
				arguments("in-memory", "none", "in-memory", "nothing provides it",
						"Remove the property, or add the dependency that provides the backend."));
	}

	@ParameterizedTest
	@MethodSource("backends")
	void whatIsMissingIsToldWithWhatToAdd(@Nullable String backend, String missing, @Nullable String value,
			String reason, String action) {
		LockProperties properties = (backend != null) ? TestProperties.bind("backend", backend) : TestProperties.bind();
		DefaultResourceLoader resources = new DefaultResourceLoader(new FilteredClassLoader(missing));
		assertThatExceptionOfType(InvalidLockConfigurationException.class).isThrownBy(
				() -> new ApplicationBackendConfiguration().distributedLockBackend(properties, this.nodes, resources))
			.satisfies((failure) -> {
				assertThat(failure.getProperty()).isEqualTo("distributed-lock.backend");
				assertThat(failure.getValue()).isEqualTo(value);
				assertThat(failure.getReason()).isEqualTo(reason);
				assertThat(failure.getAction()).isEqualTo(action);
			});
	}

	@ParameterizedTest
	@CsvSource({ "zookeeper.connect-string, zk:2181, zookeeper.connect-string zk:2181",
			"embedded.zookeeper, 3, embedded.zookeeper 3 zookeeper.connect-string zk:2181",
			"embedded.zookeeper, 3, embedded.zookeeper 3 backend embedded",
			"backend, zookeeper, backend zookeeper zookeeper.connect-string zk:2181",
			"backend, zookeeper, backend zookeeper embedded.zookeeper 3" })
	void propertyThatAsksForZooKeeperIsNamedWhereItsClientIsMissing(String property, String value, String configured) {
		LockProperties properties = TestProperties.bind(configured.split(" "));
		DefaultResourceLoader resources = new DefaultResourceLoader(new FilteredClassLoader("io.quorlock.zookeeper"));
		assertThatExceptionOfType(InvalidLockConfigurationException.class).isThrownBy(
				() -> new ApplicationBackendConfiguration().distributedLockBackend(properties, this.nodes, resources))
			.withMessage("Invalid configuration property 'distributed-lock.%s' with value '%s': quorlock-zookeeper, or "
					+ "its ZooKeeper client, is not on the class path", property, value);
	}

}
