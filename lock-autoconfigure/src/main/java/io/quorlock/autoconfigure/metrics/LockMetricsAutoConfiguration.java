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

package io.quorlock.autoconfigure.metrics;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

import io.quorlock.autoconfigure.LockAutoConfiguration;
import io.quorlock.autoconfigure.leader.LeaderElectionAutoConfiguration;
import io.quorlock.engine.LockEngine;
import io.quorlock.metrics.LockTags;

/**
 * {@link AutoConfiguration Auto-configuration} for Micrometer meters and observations of
 * locks.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = { LockAutoConfiguration.class, LeaderElectionAutoConfiguration.class },
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
