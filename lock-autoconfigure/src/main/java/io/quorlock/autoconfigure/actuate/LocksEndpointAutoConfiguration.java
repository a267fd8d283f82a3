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

package io.quorlock.autoconfigure.actuate;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.endpoint.SanitizingFunction;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;

import io.quorlock.actuate.LockDescriptors;
import io.quorlock.actuate.LocksEndpoint;
import io.quorlock.actuate.NodeStatistics;
import io.quorlock.autoconfigure.LockAutoConfiguration;
import io.quorlock.engine.LockInspector;

/**
 * {@link AutoConfiguration Auto-configuration} for {@link LocksEndpoint}.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = LockAutoConfiguration.class)
@ConditionalOnClass({ SanitizingFunction.class, ConditionalOnAvailableEndpoint.class })
@ConditionalOnBean(LockInspector.class)
@ConditionalOnAvailableEndpoint(LocksEndpoint.class)
@EnableConfigurationProperties(LocksEndpointProperties.class)
public final class LocksEndpointAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	NodeStatistics distributedLockNodeStatistics() {
		return new NodeStatistics();
	}

	@Bean
	@ConditionalOnMissingBean
	LocksEndpoint distributedLocksEndpoint(LockInspector inspector, NodeStatistics statistics,
			LocksEndpointProperties properties, ObjectProvider<SanitizingFunction> sanitizingFunctions,
			ApplicationEventPublisher publisher) {
		LockDescriptors descriptors = new LockDescriptors(statistics, sanitizingFunctions.orderedStream().toList(),
				properties.showValues(), properties.roles());
		return new LocksEndpoint(inspector, descriptors, publisher);
	}

}
