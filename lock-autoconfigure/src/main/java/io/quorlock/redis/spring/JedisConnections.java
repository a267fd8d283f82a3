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
import redis.clients.jedis.Connection;
import redis.clients.jedis.Jedis;

import org.springframework.beans.DirectFieldAccessor;
import org.springframework.data.redis.connection.RedisClusterConnection;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.Subscription;
import org.springframework.data.redis.connection.jedis.JedisConnection;

/**
 * Handles connections of Jedis. A class of its own, since Jedis may be absent.
 */
final class JedisConnections {

	private static final String LENT = "jedisPubSub.authenticator.client";

	private JedisConnections() {
	}

	/**
	 * Return whether a connection sends several commands at once. Those to a Cluster do
	 * not.
	 * @param connection the connection
	 * @return whether it has a pipeline
	 */
	static boolean hasPipeline(RedisConnection connection) {
		return connection instanceof JedisConnection && !(connection instanceof RedisClusterConnection);
	}

	/**
	 * Close a connection, and do not return it to the pool. A client that has the pool
	 * inside, as that of a Cluster, took the connection back itself.
	 * @param connection the connection
	 */
	static void discard(RedisConnection connection) {
		if (connection.getNativeConnection() instanceof Jedis jedis) {
			jedis.getConnection().setBroken();
			jedis.close();
		}
	}

	/**
	 * Close the connection that a client with the pool inside has lent to a subscription.
	 * Otherwise the thread that reads from it would learn when TCP gives up, after a
	 * quarter of an hour.
	 * @param subscription the subscription; there is none before it is asked for
	 */
	static void disconnect(@Nullable Subscription subscription) {
		if (subscription != null) {
			// There is no getter.
			DirectFieldAccessor fields = new DirectFieldAccessor(subscription);
			if (fields.isReadableProperty(LENT) && fields.getPropertyValue(LENT) instanceof Connection connection) {
				connection.setBroken();
				connection.disconnect();
			}
		}
	}

}
