package io.quorlock.autoconfigure;

import java.util.List;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.io.ResourceLoader;
import org.springframework.util.ClassUtils;

import io.quorlock.autoconfigure.LockProperties.Backend;
import io.quorlock.engine.EngineClock;
import io.quorlock.engine.EngineSettings;
import io.quorlock.quorum.QuorumSettings;

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
			ObjectProvider<LockConnectionDetails> connectionDetails, EngineClock clock, EngineSettings settings,
			ObjectProvider<LockNodeCustomizer> customizers, ResourceLoader resourceLoader) {
		List<LockConnectionDetails> details = connectionDetails.orderedStream().toList();
		boolean grouped = !properties.getGroups().isEmpty();
		if (grouped && !(details.size() == 1 && details.get(0) instanceof PropertiesLockConnectionDetails)) {
			throw new InvalidLockConfigurationException("distributed-lock.groups",
					String.join(", ", properties.getGroups().keySet()),
					"there are connection details of type LockConnectionDetails too, and a lock is kept either on their"
							+ " nodes or in one of the groups",
					"Remove the groups, or the connection details (a bean, or a service connection).");
		}
		NodeEndpoints endpoints = grouped ? null : NodeEndpoints.of(details);
		if (!ClassUtils.isPresent(JEDIS, resourceLoader.getClassLoader())) {
			throw new InvalidLockConfigurationException("distributed-lock." + (grouped ? "groups" : "nodes"),
					grouped ? String.join(", ", properties.getGroups().keySet()) : String.valueOf(endpoints),
					"the driver for independent nodes, Jedis, is not on the class path",
					"Add the dependency io.quorlock:lock-starter or redis.clients:jedis.");
		}
		if (endpoints != null) {
			return JedisBackend.create(properties, endpoints, clock);
		}
		QuorumSettings quorum = new LockSettingsFactory(properties).createQuorumSettings(settings.instanceId());
		return GroupedBackend.create(properties, details.get(0), quorum, clock,
				(node) -> LockEngineConfiguration.customize(node, customizers));
	}

}
