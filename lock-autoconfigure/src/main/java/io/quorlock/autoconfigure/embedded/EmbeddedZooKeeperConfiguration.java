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

import java.util.Objects;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.apache.zookeeper.ZooKeeper;

import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.util.StringUtils;

import io.quorlock.autoconfigure.ConditionalOnLockBackend;
import io.quorlock.autoconfigure.InvalidLockConfigurationException;
import io.quorlock.autoconfigure.LockProperties;
import io.quorlock.autoconfigure.LockProperties.Backend;
import io.quorlock.autoconfigure.LockZooKeeperConnectionDetails;
import io.quorlock.autoconfigure.Packaging;
import io.quorlock.embedded.EmbeddedZooKeeperEnsemble;
import io.quorlock.zookeeper.ZooKeeperLeaseStore;

/**
 * Real ZooKeeper servers that live as long as the application.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass({ EmbeddedZooKeeperEnsemble.class, ZooKeeper.class, ZooKeeperLeaseStore.class })
@ConditionalOnLockBackend(Backend.ZOOKEEPER)
@ConditionalOnProperty("distributed-lock.embedded.zookeeper")
class EmbeddedZooKeeperConfiguration {

	private static final Log logger = LogFactory.getLog(EmbeddedZooKeeperConfiguration.class);

	@Bean(destroyMethod = "close")
	@ConditionalOnMissingBean
	EmbeddedZooKeeperEnsemble distributedLockEmbeddedZooKeeper(LockProperties properties,
			ConfigurableListableBeanFactory beanFactory, Environment environment) {
		int servers = Objects.requireNonNull(properties.embedded().zookeeper());
		check(properties, servers);
		EmbeddedZooKeeperEnsemble ensemble = EmbeddedZooKeeperEnsemble.start(servers);
		if (Packaging.isPackaged(beanFactory, environment)) {
			logger.warn("Locks are kept on ZooKeeper servers inside this packaged application. Other instances do not"
					+ " see these locks, so they exclude nothing outside this process. Use servers of your own in production");
		}
		return ensemble;
	}

	private static void check(LockProperties properties, int servers) {
		boolean others = !properties.nodes().isEmpty() || !properties.groups().isEmpty()
				|| StringUtils.hasText(properties.zookeeper().connectString());
		if (servers < 1 || others) {
			throw new InvalidLockConfigurationException("distributed-lock.embedded.zookeeper",
					Integer.toString(servers),
					others ? "other servers are configured too, and the embedded ones would be used instead of those"
							: "it must be positive",
					"Use 1 or 3, or remove the property to use other servers.");
		}
	}

	@Bean
	@ConditionalOnMissingBean(LockZooKeeperConnectionDetails.class)
	EmbeddedLockZooKeeperConnectionDetails distributedLockZooKeeperConnectionDetails(
			EmbeddedZooKeeperEnsemble ensemble) {
		return new EmbeddedLockZooKeeperConnectionDetails(ensemble.connectString());
	}

}
