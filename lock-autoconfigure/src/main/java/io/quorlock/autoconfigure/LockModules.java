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

import org.jspecify.annotations.Nullable;

import org.springframework.util.ClassUtils;

/**
 * Modules that an application can do without.
 *
 * @since 0.1.0
 */
public final class LockModules {

	private static final String REDIS = "io.quorlock.redis.NodeAddress";

	private static final String ZOOKEEPER = "io.quorlock.zookeeper.ZooKeeperLeaseStore";

	private static final String ZOOKEEPER_CLIENT = "org.apache.zookeeper.ZooKeeper";

	/** The youngest of the classes that the driver needs. */
	private static final String JEDIS = "redis.clients.jedis.RedisCredentialsProvider";

	private LockModules() {
	}

	/**
	 * Return whether the module for Redis is there.
	 * @param classLoader where to look
	 * @return whether it is on the class path
	 */
	public static boolean hasRedis(@Nullable ClassLoader classLoader) {
		return ClassUtils.isPresent(REDIS, classLoader);
	}

	/**
	 * Return whether Jedis is there, which connects to independent nodes.
	 * @param classLoader where to look
	 * @return whether it is on the class path, in a version that is new enough
	 */
	public static boolean hasJedis(@Nullable ClassLoader classLoader) {
		return ClassUtils.isPresent(JEDIS, classLoader);
	}

	static boolean hasZooKeeper(@Nullable ClassLoader classLoader) {
		return ClassUtils.isPresent(ZOOKEEPER, classLoader) && ClassUtils.isPresent(ZOOKEEPER_CLIENT, classLoader);
	}

}
