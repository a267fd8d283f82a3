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

import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocketFactory;

import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.DefaultRedisCredentials;
import redis.clients.jedis.DefaultRedisCredentialsProvider;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.RedisCredentialsProvider;

import io.quorlock.redis.NodeAddress;

/**
 * How Jedis connects to one node and logs in.
 */
final class NodeClientConfig {

	private static final String VERIFIES_HOST_NAME = "HTTPS";

	private final NodeAddress address;

	private final RedisNodeOptions options;

	NodeClientConfig(NodeAddress address, RedisNodeOptions options) {
		this.address = address;
		this.options = options;
	}

	/**
	 * Return what the next connection is made with; certificates may be reloaded.
	 */
	JedisClientConfig next() {
		DefaultJedisClientConfig.Builder config = DefaultJedisClientConfig.builder()
			.connectionTimeoutMillis((int) Math.min(Integer.MAX_VALUE, this.options.connectTimeout().toMillis()))
			.socketTimeoutMillis(0)
			.clientName(this.options.clientName())
			.database(this.address.database())
			.credentialsProvider(credentials());
		if (this.address.tls()) {
			config.ssl(true).sslSocketFactory(sslSocketFactory()).sslParameters(sslParameters());
		}
		return config.build();
	}

	private RedisCredentialsProvider credentials() {
		RedisCredentialsProvider supplied = this.options.credentials();
		return (this.address.password() == null && supplied != null) ? supplied : new DefaultRedisCredentialsProvider(
				new DefaultRedisCredentials(this.address.username(), this.address.password()));
	}

	private SSLSocketFactory sslSocketFactory() {
		return (this.options.sslContext() != null) ? this.options.sslContext().get().getSocketFactory()
				: (SSLSocketFactory) SSLSocketFactory.getDefault();
	}

	private SSLParameters sslParameters() {
		SSLParameters parameters = this.options.sslParameters().get();
		parameters.setEndpointIdentificationAlgorithm(VERIFIES_HOST_NAME);
		return parameters;
	}

}
