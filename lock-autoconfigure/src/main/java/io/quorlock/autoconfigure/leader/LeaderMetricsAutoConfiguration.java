package io.quorlock.autoconfigure.leader;

import io.micrometer.core.instrument.MeterRegistry;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

import io.quorlock.leader.LeaderElection;
import io.quorlock.metrics.LeaderGauges;

/**
 * {@link AutoConfiguration Auto-configuration} for {@link LeaderGauges}.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = LeaderElectionAutoConfiguration.class,
		afterName = "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration")
@ConditionalOnClass(MeterRegistry.class)
@ConditionalOnBean({ MeterRegistry.class, LeaderElection.class })
public final class LeaderMetricsAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	LeaderGauges distributedLockLeaderGauges(LeaderElection election) {
		return new LeaderGauges(election);
	}

}
