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

import org.jspecify.annotations.Nullable;

import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisSentinelConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.util.ClassUtils;

/**
 * What a connection factory leads to.
 *
 * @param kind the kind of deployment
 * @param name how instances name it alike, without secrets
 * @since 0.1.0
 */
public record RedisTopology(Kind kind, String name) {

	private static final boolean LETTUCE = isPresent("io.lettuce.core.RedisClient");

	static final boolean JEDIS = isPresent("redis.clients.jedis.UnifiedJedis");

	/**
	 * Look at a connection factory.
	 * @param factory the factory
	 * @return what is known of it; a factory of another driver is taken for a single
	 * server
	 */
	public static RedisTopology of(RedisConnectionFactory factory) {
		if (LETTUCE && factory instanceof LettuceConnectionFactory lettuce) {
			return of(lettuce.getSentinelConfiguration(), lettuce.getClusterConfiguration(), lettuce.getHostName(),
					lettuce.getPort());
		}
		if (JEDIS && factory instanceof JedisConnectionFactory jedis) {
			return of(jedis.getSentinelConfiguration(), jedis.getClusterConfiguration(), jedis.getHostName(),
					jedis.getPort());
		}
		return new RedisTopology(Kind.STANDALONE, "redis");
	}

	/**
	 * Whether the driver is Lettuce.
	 * @param factory the factory
	 * @return whether it is one of Lettuce
	 */
	public static boolean isLettuce(RedisConnectionFactory factory) {
		return LETTUCE && factory instanceof LettuceConnectionFactory;
	}

	private static RedisTopology of(@Nullable RedisSentinelConfiguration sentinel,
			@Nullable RedisClusterConfiguration cluster, String host, int port) {
		if (cluster != null) {
			return new RedisTopology(Kind.CLUSTER, "cluster");
		}
		if (sentinel != null && sentinel.getMaster() != null) {
			return new RedisTopology(Kind.SENTINEL, String.valueOf(sentinel.getMaster().getName()));
		}
		return new RedisTopology(Kind.STANDALONE, host + ":" + port);
	}

	private static boolean isPresent(String className) {
		return ClassUtils.isPresent(className, RedisTopology.class.getClassLoader());
	}

	/**
	 * Kinds of deployment.
	 */
	public enum Kind {

		/**
		 * One server.
		 */
		STANDALONE,

		/**
		 * A master that Sentinel replaces by one of its replicas when it fails.
		 */
		SENTINEL,

		/**
		 * A Cluster, in which every lock has one master.
		 */
		CLUSTER

	}

}
