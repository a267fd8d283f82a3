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

import java.time.Duration;
import java.util.concurrent.locks.Lock;

import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.integration.support.locks.DefaultLockRegistry;
import org.springframework.integration.support.locks.LockRegistry;

import io.quorlock.LockTemplate;
import io.quorlock.autoconfigure.LockAutoConfiguration;
import io.quorlock.engine.LockInspector;
import io.quorlock.integration.QuorlockLockRegistry;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link LockRegistryAutoConfiguration}.
 */
class LockRegistryAutoConfigurationTests {

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(LockAutoConfiguration.class, LockRegistryAutoConfiguration.class))
		.withPropertyValues("distributed-lock.backend=in-memory");

	@Test
	void bringsALockRegistry() {
		this.contextRunner
			.run((context) -> assertThat(context).getBean(LockRegistry.class).isInstanceOf(QuorlockLockRegistry.class));
	}

	@Test
	void locksAreThoseOfTheRegistryAndAreRenewedByTheLeaseTime() {
		this.contextRunner.withPropertyValues("distributed-lock.lease-time=50s").run((context) -> {
			QuorlockLockRegistry registry = context.getBean(QuorlockLockRegistry.class);
			Lock lock = registry.obtain("42");
			lock.lock();
			registry.renewLock("42");
			assertThat(context.getBean(LockInspector.class).held()).singleElement().satisfies((hold) -> {
				assertThat(hold.names()).containsExactly("integration:42");
				assertThat(hold.remaining()).isBetween(Duration.ofSeconds(35), Duration.ofSeconds(50));
			});
			lock.unlock();
		});
	}

	@Test
	void backsOffWhenThereIsALockRegistry() {
		this.contextRunner.withBean(DefaultLockRegistry.class)
			.run((context) -> assertThat(context).doesNotHaveBean(QuorlockLockRegistry.class));
	}

	@Test
	void backsOffWithoutSpringIntegration() {
		this.contextRunner.withClassLoader(new FilteredClassLoader("org.springframework.integration"))
			.run((context) -> assertThat(context).hasSingleBean(LockTemplate.class)
				.doesNotHaveBean("distributedLockRegistry"));
	}

}
