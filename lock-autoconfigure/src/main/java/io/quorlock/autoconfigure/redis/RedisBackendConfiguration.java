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

import java.util.List;
import java.util.Map;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.redis.connection.RedisConnectionFactory;

import io.quorlock.autoconfigure.ConditionalOnLockBackend;
import io.quorlock.autoconfigure.InvalidLockConfigurationException;
import io.quorlock.autoconfigure.LockBackend;
import io.quorlock.autoconfigure.LockProperties;
import io.quorlock.autoconfigure.LockProperties.Backend;
import io.quorlock.redis.RedisKeys;
import io.quorlock.redis.client.EvictionPolicy.NodeEviction;
import io.quorlock.redis.spring.RedisTopology;
import io.quorlock.redis.spring.RedisTopology.Kind;
import io.quorlock.redis.spring.SpringRedisLockNode;
import io.quorlock.time.LockClock;

import static io.quorlock.autoconfigure.InvalidLockConfigurationException.require;

/**
 * Configuration of the backend on the Redis of the application.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass({ RedisConnectionFactory.class, RedisKeys.class })
@ConditionalOnLockBackend(Backend.REDIS)
@ConditionalOnBean(RedisConnectionFactory.class)
class RedisBackendConfiguration {

	private static final Log logger = LogFactory.getLog(RedisBackendConfiguration.class);

	@Bean
	@ConditionalOnMissingBean
	LockBackend distributedLockBackend(LockProperties properties, ListableBeanFactory beanFactory, LockClock clock) {
		RedisConnectionFactory connectionFactory = connectionFactory(beanFactory);
		if (RedisTopology.isMasterReplica(connectionFactory)) {
			throw unusable(
					"it is given a master and its replicas by their addresses, and locks need connections that "
							+ "receive messages, which the driver opens for a single server, Sentinel and Cluster only",
					"Use one of these (without spring.data.redis.masterreplica.nodes), or list independent nodes in "
							+ "distributed-lock.nodes.");
		}
		if (RedisTopology.connections(connectionFactory) == 1) {
			throw unusable(
					"its pool has a single connection (max-total is 1), which the first lock that is waited for "
							+ "keeps for messages, so that everything else hangs",
					"Raise spring.data.redis.jedis.pool.max-active by eight.");
		}
		require(properties.nodes().isEmpty(), "distributed-lock.backend", "redis",
				"distributed-lock.nodes is set too, and the application's own Redis would be used instead of those nodes",
				"Remove one of the two properties.");
		RedisTopology topology = RedisTopology.of(connectionFactory);
		if (topology.kind() != Kind.STANDALONE && !properties.redis().durable()) {
			logger.warn(("Locks are kept on one master of a %s: a failover loses the locks that the replica has not "
					+ "heard of, and two instances may then hold one. Use independent nodes in distributed-lock.nodes, "
					+ "or a service that confirms writes durably (distributed-lock.redis.durable), where that must not happen")
				.formatted((topology.kind() == Kind.CLUSTER) ? "Redis Cluster" : "Sentinel group"));
		}
		int replicas = properties.redis().waitReplicas();
		require(replicas <= 0 || topology.kind() != Kind.CLUSTER || RedisTopology.isLettuce(connectionFactory),
				"distributed-lock.redis.wait-replicas", Integer.toString(replicas),
				"WAIT applies to the writes of one connection, and in a Cluster only Lettuce reveals which one that is",
				"Use Lettuce (spring.data.redis.client-type=lettuce), or do not wait for replicas.");
		SpringRedisLockNode node = new SpringRedisLockNode(connectionFactory, new RedisKeys(properties.keyPrefix()),
				replicas, properties.redis().waitTimeout(), clock,
				NodeEviction.valueOf(properties.nodeEviction().name()), properties.quarantine());
		return new LockBackend("redis", List.of(node),
				() -> node.note().isEmpty() ? Map.of() : Map.of(node.name(), node.note()), false, null);
	}

	private static RedisConnectionFactory connectionFactory(ListableBeanFactory beanFactory) {
		RedisConnectionFactory unique = beanFactory.getBeanProvider(RedisConnectionFactory.class).getIfUnique();
		if (unique == null) {
			throw unusable(
					"there are several beans of this type, and none of them is primary: " + String.join(", ",
							BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beanFactory,
									RedisConnectionFactory.class)),
					"Mark the one that is to keep the locks with @Primary, or list independent nodes in "
							+ "distributed-lock.nodes.");
		}
		return unique;
	}

	private static InvalidLockConfigurationException unusable(String reason, String action) {
		return new InvalidLockConfigurationException("distributed-lock.backend", "redis",
				"locks cannot be kept through the application's RedisConnectionFactory: " + reason, action);
	}

}
