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

package io.quorlock.test;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

import io.quorlock.Api;
import io.quorlock.autoconfigure.LockAutoConfiguration;
import io.quorlock.engine.LockInspector;
import io.quorlock.memory.InMemoryLeases;

/**
 * {@link AutoConfiguration Auto-configuration} for {@link AutoConfigureTestLocks}.
 *
 * @since 0.1.0
 */
@Api(Api.Status.INTERNAL)
@AutoConfiguration(after = LockAutoConfiguration.class)
public final class TestLocksAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	LockSimulator distributedLockSimulator(ObjectProvider<LockInspector> inspector,
			ObjectProvider<InMemoryLeases> leases) {
		return new LockSimulator(inspector::getObject, leases::getIfAvailable);
	}

}
