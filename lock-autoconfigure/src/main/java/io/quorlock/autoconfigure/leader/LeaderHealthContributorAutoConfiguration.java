/*
 * Copyright 2026-present the Quorlock authors.
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *      https://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */

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
