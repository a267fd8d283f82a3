package io.quorlock.autoconfigure.leader;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;

import io.quorlock.health.LeaderHealthIndicator;
import io.quorlock.leader.LeaderElection;

/**
 * {@link AutoConfiguration Auto-configuration} for {@link LeaderHealthIndicator}.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = LeaderElectionAutoConfiguration.class)
@ConditionalOnClass({ HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class })
@ConditionalOnBean(LeaderElection.class)
@Conditional(OnLeaderRolesCondition.class)
@ConditionalOnEnabledHealthIndicator("distributed-lock-leader")
public final class LeaderHealthContributorAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean(
			name = { "distributedLockLeaderHealthIndicator", "distributedLockLeaderHealthContributor" })
	LeaderHealthIndicator distributedLockLeaderHealthIndicator(LeaderElection election) {
		return new LeaderHealthIndicator(election);
	}

}
