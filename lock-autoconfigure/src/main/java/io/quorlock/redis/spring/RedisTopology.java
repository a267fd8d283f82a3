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

import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import org.apache.commons.pool2.impl.GenericObjectPoolConfig;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.DirectFieldAccessor;
import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisSentinelConfiguration;
import org.springframework.data.redis.connection.RedisSocketConfiguration;
import org.springframework.data.redis.connection.RedisStaticMasterReplicaConfiguration;
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
			RedisSocketConfiguration socket = lettuce.getSocketConfiguration();
			if (socket != null) {
				return new RedisTopology(Kind.STANDALONE, socket.getSocket());
			}
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

	/** Whether the driver behind a connection, which may be a wrapper, is Lettuce. */
	static boolean isLettuce(RedisConnection connection) {
		return LETTUCE && connection.getNativeConnection() instanceof RedisClusterAsyncCommands;
	}

	/**
	 * Whether the driver is given a master and its replicas by their addresses: Lettuce
	 * opens no connection then that receives messages.
	 * @param factory the factory
	 * @return whether it is one of Lettuce that is configured so
	 */
	public static boolean isMasterReplica(RedisConnectionFactory factory) {
		if (!LETTUCE || !(factory instanceof LettuceConnectionFactory lettuce)) {
			return false;
		}
		// There is no getter.
		DirectFieldAccessor fields = new DirectFieldAccessor(lettuce);
		return fields.isReadableProperty("configuration")
				&& fields.getPropertyValue("configuration") instanceof RedisStaticMasterReplicaConfiguration;
	}

	/**
	 * How many connections a pool of Jedis has.
	 * @param factory the factory
	 * @return the number; negative if there is no limit, or no pool
	 */
	public static int connections(RedisConnectionFactory factory) {
		if (JEDIS && factory instanceof JedisConnectionFactory jedis && jedis.getUsePool()) {
			GenericObjectPoolConfig<?> pool = jedis.getPoolConfig();
			return (pool != null) ? pool.getMaxTotal() : -1;
		}
		return -1;
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
