package io.quorlock.autoconfigure;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.io.ResourceLoader;
import org.springframework.util.ClassUtils;

import io.quorlock.autoconfigure.LockProperties.Backend;
import io.quorlock.engine.EngineClock;

/**
 * Configuration of the quorum of independent Redis masters, including those that are
 * started for the application.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnLockBackend({ Backend.REDLOCK, Backend.EMBEDDED })
class RedlockBackendConfiguration {

	private static final String JEDIS = "redis.clients.jedis.Connection";

	@Bean
	@ConditionalOnMissingBean(LockConnectionDetails.class)
	PropertiesLockConnectionDetails distributedLockConnectionDetails(LockProperties properties,
			ObjectProvider<SslBundles> sslBundles) {
		if (properties.getBackend() == Backend.EMBEDDED) {
			throw new InvalidLockConfigurationException("distributed-lock.backend", "embedded",
					"lock-embedded is not on the class path",
					"Add the dependency io.quorlock:lock-embedded, or list independent nodes in distributed-lock.nodes.");
		}
		return new PropertiesLockConnectionDetails(properties, sslBundles.getIfAvailable());
	}

	@Bean
	@ConditionalOnMissingBean
	LockBackend distributedLockBackend(LockProperties properties,
			ObjectProvider<LockConnectionDetails> connectionDetails, EngineClock clock, ResourceLoader resourceLoader) {
		NodeEndpoints endpoints = NodeEndpoints.of(connectionDetails.orderedStream().toList());
		if (!ClassUtils.isPresent(JEDIS, resourceLoader.getClassLoader())) {
			throw new InvalidLockConfigurationException("distributed-lock.nodes", endpoints.toString(),
					"the driver for independent nodes, Jedis, is not on the class path",
					"Add the dependency io.quorlock:lock-starter or redis.clients:jedis.");
		}
		return JedisBackend.create(properties, endpoints, clock);
	}

}
