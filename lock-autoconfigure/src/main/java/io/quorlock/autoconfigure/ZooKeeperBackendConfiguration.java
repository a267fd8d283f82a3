package io.quorlock.autoconfigure;

import org.apache.zookeeper.ZooKeeper;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

import io.quorlock.autoconfigure.LockProperties.Backend;
import io.quorlock.engine.EngineSettings;
import io.quorlock.zookeeper.ZooKeeperLeaseStore;
import io.quorlock.zookeeper.ZooKeeperSettings;

/**
 * A ZooKeeper ensemble.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(ZooKeeper.class)
@ConditionalOnLockBackend(Backend.ZOOKEEPER)
class ZooKeeperBackendConfiguration {

	@Bean
	@ConditionalOnMissingBean(LockZooKeeperConnectionDetails.class)
	LockZooKeeperConnectionDetails distributedLockZooKeeperConnectionDetails(LockProperties properties,
			Environment environment) {
		String own = properties.getZookeeper().getConnectString();
		String connectString = (own != null) ? own
				: environment.getProperty("spring.cloud.zookeeper.connect-string", "");
		return () -> connectString;
	}

	@Bean
	@ConditionalOnMissingBean
	LockBackend distributedLockBackend(LockProperties properties, LockZooKeeperConnectionDetails details,
			ObjectProvider<EngineSettings> engineSettings) {
		ZooKeeperSettingsFactory factory = new ZooKeeperSettingsFactory(properties);
		return new LockBackend("zookeeper", (clock, timer, observers) -> {
			ZooKeeperSettings settings = factory.create(details.getConnectString(),
					engineSettings.getObject().instanceId());
			return new ZooKeeperLeaseStore(settings, clock, timer, (node, operation, outcome, error, nanos) -> observers
				.forEach((each) -> each.onReply(node, operation, outcome, error, nanos)));
		});
	}

}
