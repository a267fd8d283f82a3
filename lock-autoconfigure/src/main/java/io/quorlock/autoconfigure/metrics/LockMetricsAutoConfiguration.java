package io.quorlock.autoconfigure.metrics;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

import io.quorlock.autoconfigure.LockAutoConfiguration;
import io.quorlock.engine.LockEngine;
import io.quorlock.metrics.LockTags;

/**
 * {@link AutoConfiguration Auto-configuration} for Micrometer meters and observations of
 * locks.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = LockAutoConfiguration.class,
		afterName = { "org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration",
				"org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration",
				"org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration" })
@ConditionalOnBean(LockEngine.class)
@Import({ LockObservationConfiguration.class, LockMeterConfiguration.class })
public final class LockMetricsAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	LockTags distributedLockTags() {
		return new LockTags();
	}

}
