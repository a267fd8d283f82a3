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
import java.util.Set;

import javax.net.ssl.SSLParameters;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import redis.clients.jedis.DefaultRedisCredentials;
import redis.clients.jedis.RedisCredentialsProvider;

import org.springframework.beans.factory.support.StaticListableBeanFactory;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslOptions;
import org.springframework.boot.ssl.SslStoreBundle;

import io.quorlock.autoconfigure.LockConnectionDetails;
import io.quorlock.autoconfigure.LockProperties;
import io.quorlock.autoconfigure.TestProperties;
import io.quorlock.autoconfigure.embedded.EmbeddedServersConfiguration.EmbeddedLockConnectionDetails;
import io.quorlock.redis.client.EvictionPolicy.NodeEviction;
import io.quorlock.redis.client.RedisNodeOptions;
import io.quorlock.redis.client.TestOptions;
import io.quorlock.time.LockClock;
import io.quorlock.time.SystemClock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link RedlockNodes}.
 */
class RedlockNodesTests {

	private final LockClock clock = new SystemClock();

	private final StaticListableBeanFactory beans = new StaticListableBeanFactory();

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
		this.beans.addBean("credentials", credentials);
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
