package io.quorlock.autoconfigure;

import org.apache.zookeeper.ZooKeeper;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

import io.quorlock.autoconfigure.LockProperties.Backend;
import io.quorlock.engine.EngineSettings;

/**
 * Configuration of the backend on a ZooKeeper ensemble.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(ZooKeeper.class)
@ConditionalOnLockBackend(Backend.ZOOKEEPER)
class ZooKeeperBackendConfiguration {

	@Bean
	@ConditionalOnMissingBean(LockZooKeeperConnectionDetails.class)
	PropertiesLockZooKeeperConnectionDetails distributedLockZooKeeperConnectionDetails(LockProperties properties,
			Environment environment, ObjectProvider<SslBundles> sslBundles) {
		Integer embedded = properties.getEmbedded().getZookeeper();
		if (embedded != null) {
			throw new InvalidLockConfigurationException("distributed-lock.embedded.zookeeper", embedded.toString(),
					"lock-embedded is not on the class path", "Add the dependency io.quorlock:lock-embedded.");
		}
		return new PropertiesLockZooKeeperConnectionDetails(properties, environment, sslBundles.getIfAvailable());
	}

	@Bean
	@ConditionalOnMissingBean
	LockBackend distributedLockBackend(LockProperties properties,
			ObjectProvider<LockZooKeeperConnectionDetails> details, ObjectProvider<EngineSettings> engineSettings) {
		return new ZooKeeperBackend(properties, details.orderedStream().toList(),
				() -> engineSettings.getObject().instanceId())
			.create();
	}

}
