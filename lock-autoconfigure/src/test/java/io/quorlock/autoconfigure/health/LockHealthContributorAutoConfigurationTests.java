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

import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.health.autoconfigure.contributor.HealthContributorAutoConfiguration;
import org.springframework.boot.health.autoconfigure.registry.HealthContributorRegistryAutoConfiguration;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.health.registry.HealthContributorRegistry;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

import io.quorlock.LockTemplate;
import io.quorlock.autoconfigure.LockAutoConfiguration;
import io.quorlock.autoconfigure.LockBackend;
import io.quorlock.autoconfigure.actuate.ImportOwnAutoConfigurations;
import io.quorlock.health.LockHealthIndicator;
import io.quorlock.quorum.node.InMemoryLockNode;
import io.quorlock.quorum.node.LockNode;
import io.quorlock.time.SystemClock;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link LockHealthContributorAutoConfiguration}.
 */
class LockHealthContributorAutoConfigurationTests {

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withPropertyValues("distributed-lock.backend=in-memory")
		.withConfiguration(
				AutoConfigurations.of(LockAutoConfiguration.class, LockHealthContributorAutoConfiguration.class,
						HealthContributorAutoConfiguration.class, HealthContributorRegistryAutoConfiguration.class));

	@Test
	void contributesDistributedLock() {
		this.contextRunner.run((context) -> {
			assertThat(context.getBean(HealthContributorRegistry.class).getContributor("distributedLock"))
				.isInstanceOf(LockHealthIndicator.class);
			Health health = context.getBean(LockHealthIndicator.class).health();
			assertThat(health.getStatus()).isEqualTo(Status.UP);
			assertThat(health.getDetails()).as("no other instance sees these locks").containsKey("scope");
		});
	}

	@Test
	void notesOfTheBackendAreInTheDetails() {
		LockNode node = new InMemoryLockNode("redis-1:6379", new SystemClock());
		this.contextRunner
			.withBean(LockBackend.class,
					() -> new LockBackend("redlock", List.of(node), () -> Map.of("redis-1:6379", "evicts keys"), false,
							null))
			.run((context) -> assertThat(context.getBean(LockHealthIndicator.class).health().getDetails())
				.doesNotContainKey("scope")
				.extracting("nodes")
				.asString()
				.contains("note=evicts keys"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "distributedLockHealthIndicator", "distributedLockHealthContributor" })
	void indicatorOfTheApplicationReplacesOurs(String name) {
		this.contextRunner.withBean(name, HealthIndicator.class, () -> () -> Health.up().build())
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(LockHealthIndicator.class));
	}

	@Test
	void runWhenDisabledShouldNotCreateIndicator() {
		this.contextRunner.withPropertyValues("management.health.distributed-lock.enabled=false")
			.run((context) -> assertThat(context).doesNotHaveBean(LockHealthIndicator.class));
	}

	@Test
	void backsOffWithoutBootHealth() {
		new ApplicationContextRunner().withPropertyValues("distributed-lock.backend=in-memory")
			.withUserConfiguration(Application.class)
			.withClassLoader(new FilteredClassLoader("org.springframework.boot.health"))
			.run((context) -> assertThat(context).hasNotFailed()
				.hasSingleBean(LockTemplate.class)
				.doesNotHaveBean("distributedLockHealthIndicator"));
	}

	@Configuration(proxyBeanMethods = false)
	@Import(ImportOwnAutoConfigurations.class)
	static class Application {

	}

}
