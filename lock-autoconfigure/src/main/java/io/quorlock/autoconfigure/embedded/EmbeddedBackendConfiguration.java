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

package io.quorlock.autoconfigure.embedded;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.util.StringUtils;

import io.quorlock.autoconfigure.ConditionalOnLockBackend;
import io.quorlock.autoconfigure.InvalidLockConfigurationException;
import io.quorlock.autoconfigure.LockConnectionDetails;
import io.quorlock.autoconfigure.LockProperties;
import io.quorlock.autoconfigure.LockProperties.Backend;
import io.quorlock.autoconfigure.Packaging;
import io.quorlock.embedded.EmbeddedRedis;
import io.quorlock.embedded.EmbeddedRedisNode;
import io.quorlock.embedded.EmbeddedRedisNodeBuilder;

/**
 * Real Redis servers that live as long as the application.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(EmbeddedRedis.class)
@ConditionalOnLockBackend(Backend.EMBEDDED)
class EmbeddedBackendConfiguration {

	private static final Log logger = LogFactory.getLog(EmbeddedBackendConfiguration.class);

	@Bean(destroyMethod = "close")
	@ConditionalOnMissingBean
	EmbeddedRedis distributedLockEmbeddedRedis(LockProperties properties, ConfigurableListableBeanFactory beanFactory,
			Environment environment) {
		if (!properties.nodes().isEmpty()) {
			throw new InvalidLockConfigurationException("distributed-lock.backend", "embedded",
					"distributed-lock.nodes is set too, and the embedded servers would be used instead of those nodes",
					"Remove distributed-lock.backend to use the nodes, or set distributed-lock.nodes to an empty value"
							+ " to use embedded servers.");
		}
		EmbeddedRedis redis = EmbeddedRedis.start(properties.embedded().nodes(), options(properties));
		if (Packaging.isPackaged(beanFactory, environment)) {
			logger.warn("Locks are kept on Redis servers inside this packaged application. Other instances do not"
					+ " see these locks, so they exclude nothing outside this process. Use servers of your own in production");
		}
		return redis;
	}

	@Bean
	@ConditionalOnMissingBean(LockConnectionDetails.class)
	EmbeddedLockConnectionDetails distributedLockConnectionDetails(EmbeddedRedis redis) {
		return new EmbeddedLockConnectionDetails(redis.urisWithPassword());
	}

	/** Without a password, any page in a browser could use the servers. */
	private static EmbeddedRedisNodeBuilder options(LockProperties properties) {
		String password = properties.connection().password();
		EmbeddedRedisNodeBuilder options = EmbeddedRedisNode.builder();
		return StringUtils.hasLength(password) ? options.password(password) : options.randomPassword();
	}

}
