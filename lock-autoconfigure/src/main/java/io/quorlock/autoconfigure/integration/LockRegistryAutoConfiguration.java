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

package io.quorlock.autoconfigure.integration;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.integration.support.locks.LockRegistry;

import io.quorlock.LockTemplate;
import io.quorlock.autoconfigure.LockAutoConfiguration;
import io.quorlock.autoconfigure.LockProperties;
import io.quorlock.integration.QuorlockLockRegistry;

/**
 * {@link AutoConfiguration Auto-configuration} for a Spring Integration
 * {@link LockRegistry}, for an application that has none.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = LockAutoConfiguration.class)
@ConditionalOnClass(LockRegistry.class)
@ConditionalOnBean({ LockTemplate.class, LockProperties.class })
public final class LockRegistryAutoConfiguration {

	private static final String REGISTRY_KEY = "integration";

	@Bean
	@ConditionalOnMissingBean(LockRegistry.class)
	QuorlockLockRegistry distributedLockRegistry(LockTemplate template, LockProperties properties) {
		return new QuorlockLockRegistry(template, REGISTRY_KEY, properties.leaseTime());
	}

}
