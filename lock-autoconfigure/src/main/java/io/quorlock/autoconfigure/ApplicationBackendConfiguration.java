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

import java.util.List;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.io.ResourceLoader;
import org.springframework.util.StringUtils;

import io.quorlock.autoconfigure.LockProperties.Backend;
import io.quorlock.quorum.node.LockNode;

/**
 * Configuration of nodes that the application brings itself, where no backend is
 * configured or available. Fails the start if there are none.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnMissingBean(LockBackend.class)
class ApplicationBackendConfiguration {

	@Bean
	LockBackend distributedLockBackend(LockProperties properties, ObjectProvider<LockNode> nodes,
			ResourceLoader resources) {
		List<LockNode> own = nodes.orderedStream().toList();
		if (!own.isEmpty()) {
			return new LockBackend("application", own);
		}
		Backend backend = properties.backend();
		if (backend == Backend.REDIS && !LockModules.hasRedis(resources.getClassLoader())) {
			throw unavailable("redis", "quorlock-redis is not on the class path",
					"Add the dependency io.quorlock:quorlock-redis.");
		}
		if (backend == Backend.REDIS) {
			throw unavailable("redis", "the application has no RedisConnectionFactory bean",
					"Add the dependency org.springframework.boot:spring-boot-starter-data-redis and configure"
							+ " spring.data.redis, or list independent nodes in distributed-lock.nodes.");
		}
		boolean client = LockModules.hasZooKeeper(resources.getClassLoader());
		boolean embedded = properties.embedded().zookeeper() != null;
		if (backend == Backend.ZOOKEEPER || ((backend == null || embedded) && !client)) {
			throw withoutZooKeeper(properties);
		}
		if (backend == null) {
			throw unavailable(null, "both ZooKeeper and a RedisConnectionFactory bean could keep the locks",
					"Set the property to zookeeper or to redis.");
		}
		throw unavailable(backend.toString(), "nothing provides it",
				"Remove the property, or add the dependency that provides the backend.");
	}

	/** Names the property that asks for ZooKeeper, unless connection details do. */
	private static InvalidLockConfigurationException withoutZooKeeper(LockProperties properties) {
		String property = "distributed-lock.backend";
		String value = Objects.toString(properties.backend(), null);
		String connectString = properties.zookeeper().connectString();
		if (properties.backend() != Backend.ZOOKEEPER && properties.embedded().zookeeper() != null) {
			property = "distributed-lock.embedded.zookeeper";
			value = properties.embedded().zookeeper().toString();
		}
		else if (value == null && StringUtils.hasText(connectString)) {
			property = "distributed-lock.zookeeper.connect-string";
			value = connectString;
		}
		return new InvalidLockConfigurationException(property, value,
				"quorlock-zookeeper, or its ZooKeeper client, is not on the class path",
				"Add the dependency io.quorlock:quorlock-zookeeper.");
	}

	private static InvalidLockConfigurationException unavailable(@Nullable String backend, String reason,
			String action) {
		return new InvalidLockConfigurationException("distributed-lock.backend", backend, reason, action);
	}

}
