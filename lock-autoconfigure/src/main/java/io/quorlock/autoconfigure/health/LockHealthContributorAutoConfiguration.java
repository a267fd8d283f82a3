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

package io.quorlock.autoconfigure.health;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.OnPropertyListCondition;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;

import io.quorlock.autoconfigure.LockAutoConfiguration;
import io.quorlock.autoconfigure.LockBackend;
import io.quorlock.autoconfigure.leader.LeaderElectionAutoConfiguration;
import io.quorlock.engine.LockInspector;
import io.quorlock.health.LeaderHealthIndicator;
import io.quorlock.health.LockHealthIndicator;
import io.quorlock.leader.LeaderElection;

/**
 * {@link AutoConfiguration Auto-configuration} for {@link LockHealthIndicator} and
 * {@link LeaderHealthIndicator}.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = { LockAutoConfiguration.class, LeaderElectionAutoConfiguration.class })
@ConditionalOnClass({ HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class })
public final class LockHealthContributorAutoConfiguration {

	@Bean
	@ConditionalOnBean(LockInspector.class)
	@ConditionalOnEnabledHealthIndicator("distributed-lock")
	@ConditionalOnMissingBean(name = { "distributedLockHealthIndicator", "distributedLockHealthContributor" })
	LockHealthIndicator distributedLockHealthIndicator(LockInspector inspector, LockBackend backend) {
		return new LockHealthIndicator(inspector, backend.notes(), backend.local());
	}

	@Bean
	@ConditionalOnBean(LeaderElection.class)
	@Conditional(OnLeaderRoles.class)
	@ConditionalOnEnabledHealthIndicator("distributed-lock-leader")
	@ConditionalOnMissingBean(
			name = { "distributedLockLeaderHealthIndicator", "distributedLockLeaderHealthContributor" })
	LeaderHealthIndicator distributedLockLeaderHealthIndicator(LeaderElection election) {
		return new LeaderHealthIndicator(election);
	}

	static class OnLeaderRoles extends OnPropertyListCondition {

		OnLeaderRoles() {
			super("distributed-lock.leader.roles", () -> ConditionMessage.forCondition("Leader roles"));
		}

	}

}
