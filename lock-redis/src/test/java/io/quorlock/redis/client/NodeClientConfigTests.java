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

package io.quorlock.redis.client;

import java.time.Duration;

import javax.net.ssl.SSLParameters;

import org.junit.jupiter.api.Test;
import redis.clients.jedis.DefaultRedisCredentials;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.RedisCredentials;

import io.quorlock.redis.NodeAddress;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link NodeClientConfig}.
 */
class NodeClientConfigTests {

	private final RedisNodeOptions.Builder options = RedisNodeOptions.builder(new TestClock());

	@Test
	void onlyConnectingHasATimeout() {
		this.options.connectTimeout(Duration.ofMillis(1_234));
		JedisClientConfig config = next("redis://localhost");
		assertThat(config.getConnectionTimeoutMillis()).isEqualTo(1_234);
		assertThat(config.getSocketTimeoutMillis()).isZero();
		this.options.connectTimeout(Duration.ofDays(365));
		assertThat(next("redis://localhost").getConnectionTimeoutMillis()).isEqualTo(Integer.MAX_VALUE);
	}

	@Test
	void databaseIsThatOfTheAddress() {
		assertThat(next("redis://localhost/7").getDatabase()).isEqualTo(7);
		assertThat(next("redis://localhost").getDatabase()).isZero();
	}

	@Test
	void passwordOfTheAddressGoesBeforeTheProvider() {
		this.options.credentials(() -> new DefaultRedisCredentials("app", "supplied"));
		assertThat(credentials("redis://localhost").getPassword()).containsExactly("supplied".toCharArray());
		RedisCredentials own = credentials("redis://me:own@localhost");
		assertThat(own.getUser()).isEqualTo("me");
		assertThat(own.getPassword()).containsExactly("own".toCharArray());
	}

	@Test
	void nameOfTheHostIsVerifiedWhateverTheParametersSay() {
		SSLParameters careless = new SSLParameters();
		careless.setProtocols(new String[] { "TLSv1.3" });
		careless.setEndpointIdentificationAlgorithm("");
		this.options.sslParameters(() -> careless);
		JedisClientConfig config = next("rediss://localhost");
		assertThat(config.isSsl()).isTrue();
		assertThat(config.getSslParameters().getEndpointIdentificationAlgorithm()).isEqualTo("HTTPS");
		assertThat(config.getSslParameters().getProtocols()).containsExactly("TLSv1.3");
		assertThat(next("redis://localhost").isSsl()).isFalse();
	}

	private RedisCredentials credentials(String uri) {
		return next(uri).getCredentialsProvider().get();
	}

	private JedisClientConfig next(String uri) {
		return new NodeClientConfig(NodeAddress.parse(uri), this.options.build()).next();
	}

}
