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

package io.quorlock.benchmarks.subject;

import java.time.Duration;

import redis.clients.jedis.ConnectionPoolConfig;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.RedisClient;

import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.jedis.JedisClientConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * Driver set-up that is the same for all subjects. Pools are large enough that no thread
 * ever waits for a connection.
 */
final class Drivers {

	private static final int CONNECTIONS = 128;

	private Drivers() {
	}

	static ConnectionPoolConfig pool() {
		ConnectionPoolConfig pool = new ConnectionPoolConfig();
		pool.setMaxTotal(CONNECTIONS);
		pool.setMaxIdle(CONNECTIONS);
		pool.setTimeBetweenEvictionRuns(Duration.ofMillis(-1));
		return pool;
	}

	static RedisClient pooledJedis(int port, int timeoutMillis) {
		return RedisClient.builder()
			.hostAndPort("127.0.0.1", port)
			.clientConfig(DefaultJedisClientConfig.builder().timeoutMillis(timeoutMillis).build())
			.poolConfig(pool())
			.build();
	}

	static JedisConnectionFactory springJedis(int port) {
		JedisClientConfiguration client = JedisClientConfiguration.builder().usePooling().poolConfig(pool()).build();
		return started(new JedisConnectionFactory(new RedisStandaloneConfiguration("127.0.0.1", port), client));
	}

	static LettuceConnectionFactory springLettuce(int port) {
		return started(new LettuceConnectionFactory(new RedisStandaloneConfiguration("127.0.0.1", port)));
	}

	static void close(RedisConnectionFactory factory) {
		if (factory instanceof JedisConnectionFactory jedis) {
			jedis.destroy();
		}
		else if (factory instanceof LettuceConnectionFactory lettuce) {
			lettuce.destroy();
		}
	}

	private static JedisConnectionFactory started(JedisConnectionFactory factory) {
		factory.afterPropertiesSet();
		factory.start();
		return factory;
	}

	private static LettuceConnectionFactory started(LettuceConnectionFactory factory) {
		factory.afterPropertiesSet();
		factory.start();
		return factory;
	}

}
