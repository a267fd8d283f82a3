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

package io.quorlock.autoconfigure.zookeeper;

import org.apache.zookeeper.ZooKeeper;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.util.StringUtils;

import io.quorlock.autoconfigure.ConditionalOnLockBackend;
import io.quorlock.autoconfigure.LockBackend;
import io.quorlock.autoconfigure.LockProperties;
import io.quorlock.autoconfigure.LockProperties.Backend;
import io.quorlock.autoconfigure.LockSettingsFactory;
import io.quorlock.autoconfigure.LockZooKeeperConnectionDetails;
import io.quorlock.engine.EngineSettings;
import io.quorlock.zookeeper.ZooKeeperLeaseStore;

import static io.quorlock.autoconfigure.InvalidLockConfigurationException.require;

/**
 * Configuration of the backend on a ZooKeeper ensemble.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass({ ZooKeeper.class, ZooKeeperLeaseStore.class })
@ConditionalOnLockBackend(Backend.ZOOKEEPER)
class ZooKeeperBackendConfiguration {

	@Bean
	@ConditionalOnMissingBean(LockZooKeeperConnectionDetails.class)
	PropertiesLockZooKeeperConnectionDetails distributedLockZooKeeperConnectionDetails(LockProperties properties,
			Environment environment, ObjectProvider<SslBundles> sslBundles) {
		Integer embedded = properties.embedded().zookeeper();
		require(embedded == null, "distributed-lock.embedded.zookeeper", String.valueOf(embedded),
				"quorlock-embedded is not on the class path", "Add the dependency io.quorlock:quorlock-embedded.");
		return new PropertiesLockZooKeeperConnectionDetails(properties.zookeeper(), environment,
				sslBundles.getIfAvailable());
	}

	/**
	 * A request that shares another thread's question may take as long as the servers.
	 */
	@Bean
	@ConditionalOnMissingBean
	EngineSettings distributedLockEngineSettings(LockProperties properties, Environment environment) {
		return LockSettingsFactory.createEngineSettings(properties, environment,
				ZooKeeperBackend.operationTimeout(properties));
	}

	@Bean
	@ConditionalOnMissingBean
	LockBackend distributedLockBackend(LockProperties properties,
			ObjectProvider<LockZooKeeperConnectionDetails> details, ObjectProvider<EngineSettings> engineSettings) {
		return new ZooKeeperBackend(properties, details.orderedStream().toList(),
				() -> engineSettings.getObject().instanceId())
			.create();
	}

	/**
	 * Adapts {@link LockProperties} to {@link LockZooKeeperConnectionDetails}.
	 */
	record PropertiesLockZooKeeperConnectionDetails(LockProperties.ZooKeeper properties, Environment environment,
			@Nullable SslBundles sslBundles) implements LockZooKeeperConnectionDetails {

		@Override
		public String getConnectString() {
			String own = this.properties.connectString();
			return StringUtils.hasText(own) ? own
					: this.environment.getProperty("spring.cloud.zookeeper.connect-string", "");
		}

		@Override
		public @Nullable SslBundle getSslBundle() {
			return LockSettingsFactory.sslBundle("distributed-lock.zookeeper.ssl.bundle",
					this.properties.ssl().bundle(), this.sslBundles);
		}

	}

}
