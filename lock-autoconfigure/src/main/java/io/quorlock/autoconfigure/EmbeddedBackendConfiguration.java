package io.quorlock.autoconfigure;

import java.util.List;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import io.quorlock.autoconfigure.LockProperties.Backend;
import io.quorlock.embedded.EmbeddedRedis;

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
	EmbeddedRedis distributedLockEmbeddedRedis(LockProperties properties) {
		EmbeddedRedis redis = EmbeddedRedis.start(properties.getEmbedded().getNodes());
		logger
			.info("Started " + redis.uris().size() + " Redis servers for locks, for development only: " + redis.uris());
		return redis;
	}

	@Bean
	@ConditionalOnMissingBean(LockConnectionDetails.class)
	EmbeddedLockConnectionDetails distributedLockConnectionDetails(EmbeddedRedis redis) {
		return new EmbeddedLockConnectionDetails(redis.uris());
	}

	private record EmbeddedLockConnectionDetails(List<String> nodes) implements LockConnectionDetails {

		@Override
		public List<String> getNodes() {
			return this.nodes;
		}

		@Override
		public boolean isNewlyStarted() {
			return true;
		}

	}

}
