package io.quorlock.autoconfigure.metrics;

import io.micrometer.observation.ObservationRegistry;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import io.quorlock.metrics.LockAcquireObservationConvention;
import io.quorlock.metrics.LockHeldObservationConvention;
import io.quorlock.metrics.LockObservations;
import io.quorlock.metrics.LockTags;

/**
 * Configuration of observations, if there is an observation registry.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(ObservationRegistry.class)
@ConditionalOnBean(ObservationRegistry.class)
class LockObservationConfiguration {

	@Bean
	@ConditionalOnMissingBean
	LockObservations distributedLockObservations(ObservationRegistry registry, LockTags tags,
			ObjectProvider<LockAcquireObservationConvention> acquireConvention,
			ObjectProvider<LockHeldObservationConvention> heldConvention) {
		return new LockObservations(registry, tags, acquireConvention.getIfAvailable(),
				heldConvention.getIfAvailable());
	}

}
