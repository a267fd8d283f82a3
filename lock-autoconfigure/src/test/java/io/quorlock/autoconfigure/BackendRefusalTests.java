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

import java.util.List;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import redis.clients.jedis.DefaultRedisCredentials;
import redis.clients.jedis.RedisCredentialsProvider;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.core.io.DefaultResourceLoader;
import org.springframework.mock.env.MockEnvironment;

import io.quorlock.engine.EngineSettings;
import io.quorlock.time.SystemClock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for what the configurations of backends refuse: each failure says which property
 * is wrong, why, and what to do.
 */
@ExtendWith(OutputCaptureExtension.class)
class BackendRefusalTests {

	private final DefaultListableBeanFactory beans = new DefaultListableBeanFactory();

	private final MockEnvironment environment = new MockEnvironment();

	private final ObjectProvider<SslBundles> noBundles = this.beans.getBeanProvider(SslBundles.class);

	@Test
	void embeddedServersDoNotReplaceNodes() {
		assertRefused(
				() -> new EmbeddedBackendConfiguration().distributedLockEmbeddedRedis(
						LockSettingsFactoryTests.bind("nodes", "redis://a"), this.beans, this.environment),
				"distributed-lock.backend", "embedded",
				"distributed-lock.nodes is set too, and the embedded servers would be used instead of those nodes",
				"Remove distributed-lock.backend to use the nodes, or set distributed-lock.nodes to an empty value to use "
						+ "embedded servers.");
	}

	@Test
	void embeddedServersNeedTheirModule() {
		assertRefused(
				() -> new RedlockBackendConfiguration().distributedLockConnectionDetails(
						LockSettingsFactoryTests.bind("backend", "embedded"), this.noBundles),
				"distributed-lock.backend", "embedded", "quorlock-embedded is not on the class path",
				"Add the dependency io.quorlock:quorlock-embedded, or list independent nodes in distributed-lock.nodes.");
		assertRefused(
				() -> new ZooKeeperBackendConfiguration().distributedLockZooKeeperConnectionDetails(
						LockSettingsFactoryTests.bind("embedded.zookeeper", "3"), this.environment, this.noBundles),
				"distributed-lock.embedded.zookeeper", "3", "quorlock-embedded is not on the class path",
				"Add the dependency io.quorlock:quorlock-embedded.");
	}

	@Test
	void embeddedZooKeeperDoesNotReplaceOtherServers() {
		for (String[] other : List.of(new String[] { "nodes", "redis://a" },
				new String[] { "groups.a.nodes", "redis://a" },
				new String[] { "zookeeper.connect-string", "zk:2181" })) {
			assertRefused(() -> embeddedZooKeeper("embedded.zookeeper", "3", other[0], other[1]),
					"distributed-lock.embedded.zookeeper", "3",
					"other servers are configured too, and the embedded ones would be used instead of those",
					"Use 1 or 3, or remove the property to use other servers.");
		}
		assertRefused(() -> embeddedZooKeeper("embedded.zookeeper", "0"), "distributed-lock.embedded.zookeeper", "0",
				"it must be positive", "Use 1 or 3, or remove the property to use other servers.");
	}

	private void embeddedZooKeeper(String... properties) {
		new EmbeddedZooKeeperConfiguration().distributedLockEmbeddedZooKeeper(LockSettingsFactoryTests.bind(properties),
				this.beans, this.environment);
	}

	@Test
	void embeddedZooKeeperOfADeployedApplicationIsWarnedOf(CapturedOutput output) {
		LockProperties properties = LockSettingsFactoryTests.bind("embedded.zookeeper", "1");
		EmbeddedZooKeeperConfiguration configuration = new EmbeddedZooKeeperConfiguration();
		configuration.distributedLockEmbeddedZooKeeper(properties, this.beans, this.environment).close();
		assertThat(output).doesNotContain("packaged");
		this.environment.setProperty("spring.main.cloud-platform", "kubernetes");
		configuration.distributedLockEmbeddedZooKeeper(properties, this.beans, this.environment).close();
		assertThat(output).contains("Locks are kept on ZooKeeper servers inside this packaged application. Other "
				+ "instances do not see these locks, so they exclude nothing outside this process");
	}

	@Test
	void groupsDoNotReplaceConnectionDetails() {
		this.beans.registerSingleton("details", (LockConnectionDetails) () -> List.of("redis://c"));
		LockProperties properties = LockSettingsFactoryTests.bind("groups.a.nodes", "redis://a", "groups.b.nodes",
				"redis://b");
		assertRefused(
				() -> new RedlockBackendConfiguration().distributedLockBackend(properties,
						this.beans.getBeanProvider(LockConnectionDetails.class), new SystemClock(),
						EngineSettings.builder("shop@host:1").build(), this.beans, new DefaultResourceLoader()),
				"distributed-lock.groups", "a, b",
				"there are connection details of type LockConnectionDetails too, and a lock is kept either on their nodes "
						+ "or in one of the groups",
				"Remove the groups, or the connection details (a bean, or a service connection).");
	}

	@Test
	void passwordDoesNotReplaceAProviderOfCredentialsAndIsNotShown() {
		RedisCredentialsProvider provider = () -> new DefaultRedisCredentials("ann", "secret");
		this.beans.registerSingleton("credentials", provider);
		LockProperties properties = LockSettingsFactoryTests.bind("nodes", "redis://a", "connection.password",
				"secret");
		assertRefused(
				() -> new RedlockNodes(properties, List.of(new PropertiesLockConnectionDetails(properties, null)),
						new SystemClock(), "shop@host:1", this.beans),
				"distributed-lock.connection.password", "******",
				"there is a RedisCredentialsProvider bean too, which supplies user and password",
				"Remove the property, or the bean.");
	}

	private static void assertRefused(ThrowingCallable call, String property, String value, String reason,
			String action) {
		assertThatExceptionOfType(InvalidLockConfigurationException.class).isThrownBy(call)
			.withMessage("Invalid configuration property '%s' with value '%s': %s".formatted(property, value, reason))
			.satisfies((failure) -> assertThat(failure.getAction()).isEqualTo(action));
	}

}
