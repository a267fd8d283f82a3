package io.quorlock.autoconfigure;

import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.io.ResourceLoader;
import org.springframework.util.ClassUtils;

import io.quorlock.autoconfigure.LockProperties.Backend;

/**
 * Fails the start if the configured backend is not available.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnMissingBean(LockBackend.class)
class UnavailableBackendConfiguration {

	private static final String ZOOKEEPER = "org.apache.zookeeper.ZooKeeper";

	@Bean
	LockBackend distributedLockBackend(LockProperties properties, ResourceLoader resources) {
		Backend backend = properties.getBackend();
		if (backend == Backend.REDIS) {
			throw unavailable("redis", "the application has no RedisConnectionFactory bean",
					"Add the dependency org.springframework.boot:spring-boot-starter-data-redis and configure"
							+ " spring.data.redis, or list independent nodes in distributed-lock.nodes.");
		}
		boolean client = ClassUtils.isPresent(ZOOKEEPER, resources.getClassLoader());
		boolean embedded = properties.getEmbedded().getZookeeper() != null;
		if (backend == Backend.ZOOKEEPER || ((backend == null || embedded) && !client)) {
			throw unavailable("zookeeper", "the ZooKeeper client is not on the class path",
					"Add the dependency org.apache.zookeeper:zookeeper.");
		}
		if (backend == null) {
			throw unavailable("", "both ZooKeeper and a RedisConnectionFactory bean could keep the locks",
					"Set the property to zookeeper or to redis.");
		}
		throw unavailable(String.valueOf(backend), "nothing provides it",
				"Remove the property, or add the dependency that provides the backend.");
	}

	private static InvalidLockConfigurationException unavailable(String backend, String reason, String action) {
		return new InvalidLockConfigurationException("distributed-lock.backend", backend, reason, action);
	}

}
