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

package io.quorlock.autoconfigure;

import java.util.List;
import java.util.Map;

import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;

import io.quorlock.autoconfigure.LockProperties.Backend;
import io.quorlock.engine.EngineSettings;
import io.quorlock.memory.InMemoryLeases;
import io.quorlock.time.LockClock;

/**
 * Configuration of the backend in the memory of this process, which is that of disabled
 * locks, too.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnLockBackend(Backend.IN_MEMORY)
class InMemoryBackendConfiguration {

	@Bean
	@ConditionalOnMissingBean
	InMemoryLeases distributedLockInMemoryLeases(LockProperties properties, LockClock clock) {
		return new InMemoryLeases(clock, properties.fencing().floorOrZero());
	}

	/** Where locks are disabled, the application may have a backend of its own. */
	@Bean
	@Primary
	LockBackend distributedLockBackend(LockProperties properties, InMemoryLeases leases, EngineSettings settings) {
		boolean fencing = properties.fencing().enabled();
		return new LockBackend("in-memory", List.of(), Map::of, true,
				(clock, timer, observers) -> leases.store(settings.instanceId(), fencing, timer));
	}

}
