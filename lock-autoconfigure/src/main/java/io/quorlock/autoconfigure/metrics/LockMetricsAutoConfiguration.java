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

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.observation.ObservationRegistry;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.NoneNestedConditions;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;

import io.quorlock.autoconfigure.LockAutoConfiguration;
import io.quorlock.autoconfigure.leader.LeaderElectionAutoConfiguration;
import io.quorlock.engine.LockEngine;
import io.quorlock.engine.LockInspector;
import io.quorlock.leader.LeaderElection;
import io.quorlock.metrics.LockAcquireObservationConvention;
import io.quorlock.metrics.LockGauges;
import io.quorlock.metrics.LockHeldObservationConvention;
import io.quorlock.metrics.LockMeters;
import io.quorlock.metrics.LockObservations;
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
public final class LockMetricsAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	LockTags distributedLockTags() {
		return new LockTags();
	}

	/**
	 * Configuration of observations, if there is an observation registry.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(ObservationRegistry.class)
	@ConditionalOnBean(ObservationRegistry.class)
	static class Observations {

		@Bean
		@ConditionalOnMissingBean
		LockObservations distributedLockObservations(ObservationRegistry registry, LockTags tags,
				ObjectProvider<LockAcquireObservationConvention> acquireConvention,
				ObjectProvider<LockHeldObservationConvention> heldConvention) {
			return new LockObservations(registry, tags, acquireConvention.getIfAvailable(),
					heldConvention.getIfAvailable());
		}

	}

	/**
	 * Configuration of meters, if there is a meter registry.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(MeterRegistry.class)
	@ConditionalOnBean(MeterRegistry.class)
	static class Meters {

		private static final String OBSERVATION_REGISTRY = "io.micrometer.observation.ObservationRegistry";

		/** Creates timers from observations. */
		private static final String METER_OBSERVATION_HANDLER = "io.micrometer.core.instrument.observation.MeterObservationHandler";

		@Bean
		@ConditionalOnMissingBean
		LockMeters distributedLockMeters(MeterRegistry registry, LockTags tags) {
			return new LockMeters(registry, tags);
		}

		@Bean
		@ConditionalOnMissingBean(name = "distributedLockTimers")
		@Conditional(NotTimedByObservations.class)
		LockObservations distributedLockTimers(MeterRegistry registry, LockTags tags) {
			return LockMeters.timers(registry, tags);
		}

		@Bean
		@ConditionalOnMissingBean
		LockGauges distributedLockGauges(LockInspector inspector, LockTags tags,
				ObjectProvider<LeaderElection> elections) {
			return new LockGauges(inspector, tags, elections.orderedStream().toList());
		}

		/** A meter and an observation of the same name would be recorded twice. */
		static class NotTimedByObservations extends NoneNestedConditions {

			NotTimedByObservations() {
				super(ConfigurationPhase.REGISTER_BEAN);
			}

			@ConditionalOnBean(type = { OBSERVATION_REGISTRY, METER_OBSERVATION_HANDLER })
			static class TimedByObservations {

			}

		}

	}

}
