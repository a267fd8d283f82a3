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
