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

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

import javax.net.ssl.SSLParameters;

import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import redis.clients.jedis.DefaultRedisCredentials;
import redis.clients.jedis.RedisCredentialsProvider;

import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.boot.ssl.SslOptions;
import org.springframework.boot.ssl.SslStoreBundle;
import org.springframework.core.io.DefaultResourceLoader;

import io.quorlock.Settings;
import io.quorlock.autoconfigure.LockBackend;
import io.quorlock.autoconfigure.LockConnectionDetails;
import io.quorlock.autoconfigure.LockProperties;
import io.quorlock.autoconfigure.TestProperties;
import io.quorlock.autoconfigure.embedded.EmbeddedServersConfiguration.EmbeddedLockConnectionDetails;
import io.quorlock.autoconfigure.redis.RedlockBackendConfiguration.PropertiesLockConnectionDetails;
import io.quorlock.redis.client.EvictionPolicy.NodeEviction;
import io.quorlock.redis.client.RedisNodeOptions;
import io.quorlock.redis.client.TestOptions;
import io.quorlock.store.LeaseStore;
import io.quorlock.time.LockClock;
import io.quorlock.time.SystemClock;
import io.quorlock.time.TimerThread;

import static io.quorlock.autoconfigure.TestProperties.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link RedlockBackendConfiguration} and {@link RedlockNodes}. Each refusal
 * says which property is wrong, why, and what to do.
 */
class RedlockBackendConfigurationTests {

	private final DefaultListableBeanFactory beans = new DefaultListableBeanFactory();

	private final LockClock clock = new SystemClock();

	private LockBackend backend(String... configured) {
		LockProperties properties = TestProperties.bind(configured);
		this.beans.registerSingleton("details", new PropertiesLockConnectionDetails(properties, null));
		return new RedlockBackendConfiguration().distributedLockBackend(properties,
				this.beans.getBeanProvider(LockConnectionDetails.class), this.clock,
				Settings.engine("shop@host:1").build(), this.beans, new DefaultResourceLoader());
	}

	/** The application may bring the settings, and not set the property. */
	@Test
	void nodesKnowTheInstanceAsTheEngineDoes() {
		assertThat(backend("nodes", "redis://a,redis://b").nodes()).hasSize(2)
			.allSatisfy((node) -> assertThat(node).extracting("options.instanceId").isEqualTo("shop@host:1"));
	}

	@Test
	void everyGroupHasTheSettingsThatAreConfigured() {
		LockBackend backend = backend("groups.a.nodes", "redis://a", "groups.b.nodes", "redis://b",
				"connection.operation-timeout", "7ms");
		try (TimerThread timer = new TimerThread("test")) {
			LeaseStore store = Objects.requireNonNull(backend.store()).create(this.clock, timer, List.of());
			assertThat(store).extracting("groups", InstanceOfAssertFactories.MAP)
				.containsOnlyKeys("a", "b")
				.extracting(Map::values, InstanceOfAssertFactories.COLLECTION)
				.extracting("settings.operationTimeout")
				.containsOnly(Duration.ofMillis(7));
		}
	}

	@Test
	void embeddedServersNeedTheirModule() {
		assertRefused(
				() -> new RedlockBackendConfiguration().distributedLockConnectionDetails(
						TestProperties.bind("backend", "embedded"), this.beans.getBeanProvider(SslBundles.class)),
				"distributed-lock.backend", "embedded", "quorlock-embedded is not on the class path",
				"Add the dependency io.quorlock:quorlock-embedded, or list independent nodes in distributed-lock.nodes.");
	}

	@Test
	void groupsDoNotReplaceConnectionDetails() {
		this.beans.registerSingleton("details", (LockConnectionDetails) () -> List.of("redis://c"));
		LockProperties properties = TestProperties.bind("groups.a.nodes", "redis://a", "groups.b.nodes", "redis://b");
		assertRefused(
				() -> new RedlockBackendConfiguration().distributedLockBackend(properties,
						this.beans.getBeanProvider(LockConnectionDetails.class), new SystemClock(),
						Settings.engine("shop@host:1").build(), this.beans, new DefaultResourceLoader()),
				"distributed-lock.groups", "a, b",
				"there are connection details of type LockConnectionDetails too, and a lock is kept either on their nodes "
						+ "or in one of the groups",
				"Remove the groups, or the connection details (a bean, or a service connection).");
	}

	@Test
	void passwordDoesNotReplaceAProviderOfCredentialsAndIsNotShown() {
		RedisCredentialsProvider provider = () -> new DefaultRedisCredentials("ann", "secret");
		this.beans.registerSingleton("credentials", provider);
		LockProperties properties = TestProperties.bind("nodes", "redis://a", "connection.password", "secret");
		assertRefused(
				() -> new RedlockNodes(properties, List.of(new PropertiesLockConnectionDetails(properties, null)),
						new SystemClock(), "shop@host:1", this.beans),
				"distributed-lock.connection.password", "******",
				"there is a RedisCredentialsProvider bean too, which supplies user and password",
				"Remove the property, or the bean.");
	}

	private RedisNodeOptions options(LockConnectionDetails details, String... properties) {
		return new RedlockNodes(TestProperties.bind(properties), List.of(details), this.clock, "shop@host:1",
				this.beans)
			.options(NodeEndpoints.of(List.of(details)));
	}

	private static LockConnectionDetails details(SslBundle bundle) {
		return new LockConnectionDetails() {

			@Override
			public List<String> getNodes() {
				return List.of("rediss://a");
			}

			@Override
			public SslBundle getSslBundle() {
				return bundle;
			}

		};
	}

	@Test
	void everyPropertyReachesTheNodes() {
		RedisCredentialsProvider credentials = () -> new DefaultRedisCredentials("ann", "secret");
		this.beans.registerSingleton("credentials", credentials);
		assertThat(options(() -> List.of("redis://a"), "key-prefix", "p:", "connection.operation-timeout", "5ms",
				"connection.connect-timeout", "6ms", "connection.client-name", "locks", "restart-quarantine", "7s",
				"clock-drift-factor", "0.08", "node-mismatch", "warn", "allow-replicas", "true", "node-eviction",
				"exclude"))
			.usingRecursiveComparison()
			.ignoringFields("sslParameters")
			.isEqualTo(TestOptions.with(this.clock)
				.set(RedisNodeOptions::keyPrefix, "p:")
				.set(RedisNodeOptions::operationTimeout, Duration.ofMillis(5))
				.set(RedisNodeOptions::connectTimeout, Duration.ofMillis(6))
				.set(RedisNodeOptions::clientName, "locks")
				.set(RedisNodeOptions::credentials, credentials)
				.set(RedisNodeOptions::quarantine, Duration.ofSeconds(7))
				.set(RedisNodeOptions::driftFactor, 0.08)
				.set(RedisNodeOptions::trustFirstSeen, false)
				.set(RedisNodeOptions::failOnMismatch, false)
				.set(RedisNodeOptions::replicasAllowed, true)
				.set(RedisNodeOptions::nodeEviction, NodeEviction.EXCLUDE)
				.set(RedisNodeOptions::instanceId, "shop@host:1")
				.build());
	}

	@Test
	void nodesThatContradictAreExcludedAndReplicasWarnedOfUnlessTheyAreAllowed() {
		RedisNodeOptions options = options(new EmbeddedLockConnectionDetails(List.of("redis://a")));
		assertThat(options.failOnMismatch()).isTrue();
		assertThat(options.replicasAllowed()).isFalse();
		assertThat(options.trustFirstSeen()).as("the servers are new").isTrue();
		assertThat(options.clientName()).isEqualTo("quorlock");
	}

	@ParameterizedTest
	@EnumSource
	void nodesThatEvictKeysAreTreatedAsConfigured(LockProperties.NodeEviction eviction) {
		assertThat(options(() -> List.of("redis://a"), "node-eviction", eviction.name()).nodeEviction())
			.isEqualTo(NodeEviction.valueOf(eviction.name()));
	}

	@Test
	void protocolsAndCiphersAreThoseOfTheBundle() {
		SslOptions chosen = SslOptions.of(Set.of("TLS_AES_256_GCM_SHA384"), Set.of("TLSv1.3"));
		RedisNodeOptions options = options(details(SslBundle.of(SslStoreBundle.NONE, null, chosen)));
		assertThat(options.sslContext()).isNotNull();
		SSLParameters parameters = options.sslParameters().get();
		assertThat(parameters.getCipherSuites()).containsExactly("TLS_AES_256_GCM_SHA384");
		assertThat(parameters.getProtocols()).containsExactly("TLSv1.3");
	}

	@Test
	void protocolsAreThoseOfTheBundleAtTheTimeOfTheConnection() {
		LockConnectionDetails details = mock(LockConnectionDetails.class);
		given(details.getNodes()).willReturn(List.of("rediss://a"));
		given(details.getSslBundle()).willReturn(bundle("TLSv1.2"));
		RedisNodeOptions options = options(details);
		assertThat(options.sslParameters().get().getProtocols()).containsExactly("TLSv1.2");
		given(details.getSslBundle()).willReturn(bundle("TLSv1.3"));
		assertThat(options.sslParameters().get().getProtocols()).containsExactly("TLSv1.3");
	}

	private static SslBundle bundle(String protocol) {
		return SslBundle.of(SslStoreBundle.NONE, null, SslOptions.of(null, Set.of(protocol)));
	}

	@Test
	void withoutABundleTheDefaultsOfTheJdkApply() {
		RedisNodeOptions options = options(() -> List.of("rediss://a"));
		assertThat(options.sslContext()).isNull();
		assertThat(options.sslParameters().get().getProtocols()).isNull();
	}

}
