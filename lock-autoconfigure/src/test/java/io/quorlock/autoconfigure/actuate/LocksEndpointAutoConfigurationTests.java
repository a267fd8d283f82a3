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

import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;

import org.springframework.boot.actuate.endpoint.Show;
import org.springframework.boot.actuate.info.Info;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

import io.quorlock.LockTemplate;
import io.quorlock.actuate.LockInfoContributor;
import io.quorlock.actuate.LocksEndpoint;
import io.quorlock.actuate.NodeStatistics;
import io.quorlock.autoconfigure.LockAutoConfiguration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

/**
 * Tests for {@link LocksEndpointAutoConfiguration} and
 * {@link LockInfoContributorAutoConfiguration}.
 */
class LocksEndpointAutoConfigurationTests {

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withPropertyValues("distributed-lock.backend=in-memory", "distributed-lock.instance-id=orders@host:1")
		.withConfiguration(AutoConfigurations.of(LockAutoConfiguration.class, LocksEndpointAutoConfiguration.class,
				LockInfoContributorAutoConfiguration.class));

	@Test
	void runWhenNotExposedShouldNotCreateEndpoint() {
		this.contextRunner.run((context) -> assertThat(context).doesNotHaveBean(LocksEndpoint.class)
			.doesNotHaveBean(NodeStatistics.class));
	}

	@Test
	void runWhenExposedShouldCreateEndpoint() {
		this.contextRunner.withPropertyValues("management.endpoints.web.exposure.include=locks").run((context) -> {
			assertThat(context).hasSingleBean(LocksEndpoint.class).hasSingleBean(NodeStatistics.class);
			assertThat(context.getBean(LocksEndpointProperties.class).getShowValues()).isEqualTo(Show.ALWAYS);
		});
	}

	@Test
	void runWhenAccessIsNoneShouldNotCreateEndpoint() {
		this.contextRunner
			.withPropertyValues("management.endpoints.web.exposure.include=locks",
					"management.endpoint.locks.access=NONE")
			.run((context) -> assertThat(context).doesNotHaveBean(LocksEndpoint.class));
	}

	@Test
	void runWhenLocksAreDisabledShouldNotCreateEndpoint() {
		this.contextRunner
			.withPropertyValues("management.endpoints.web.exposure.include=locks", "distributed-lock.enabled=false")
			.run((context) -> assertThat(context).doesNotHaveBean(LocksEndpoint.class)
				.doesNotHaveBean(LockInfoContributor.class));
	}

	@Test
	void infoReportsBackendNodesAndQuorum() {
		this.contextRunner.run((context) -> {
			Info.Builder info = new Info.Builder();
			context.getBean(LockInfoContributor.class).contribute(info);
			assertThat(info.build().getDetails()).containsExactly(entry("distributedLock", Map.of("backend",
					"in-memory", "instance", "orders@host:1", "nodes", List.of("memory"), "quorum", 1)));
		});
	}

	@Test
	void runWhenInfoIsDisabledShouldNotContribute() {
		this.contextRunner.withPropertyValues("management.info.distributed-lock.enabled=false")
			.run((context) -> assertThat(context).doesNotHaveBean(LockInfoContributor.class));
	}

	@Test
	void backsOffWithoutActuator() {
		new ApplicationContextRunner()
			.withPropertyValues("distributed-lock.backend=in-memory", "management.endpoints.web.exposure.include=locks")
			.withUserConfiguration(Application.class)
			.withClassLoader(new FilteredClassLoader("org.springframework.boot.actuate"))
			.run((context) -> assertThat(context).hasNotFailed()
				.hasSingleBean(LockTemplate.class)
				.doesNotHaveBean("distributedLocksEndpoint")
				.doesNotHaveBean("distributedLockInfoContributor"));
	}

	@Configuration(proxyBeanMethods = false)
	@Import(ImportOwnAutoConfigurations.class)
	static class Application {

	}

}
