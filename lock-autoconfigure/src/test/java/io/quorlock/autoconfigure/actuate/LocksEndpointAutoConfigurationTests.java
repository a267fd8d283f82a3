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

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.actuate.autoconfigure.endpoint.EndpointAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.endpoint.web.WebEndpointAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.web.server.ManagementContextAutoConfiguration;
import org.springframework.boot.actuate.endpoint.SanitizableData;
import org.springframework.boot.actuate.endpoint.SanitizingFunction;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.Show;
import org.springframework.boot.actuate.info.Info;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.boot.webflux.autoconfigure.HttpHandlerAutoConfiguration;
import org.springframework.boot.webflux.autoconfigure.WebFluxAutoConfiguration;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.test.web.reactive.server.WebTestClient;

import io.quorlock.LockHandle;
import io.quorlock.LockRequest;
import io.quorlock.LockTemplate;
import io.quorlock.actuate.LockInfoContributor;
import io.quorlock.actuate.LocksEndpoint;
import io.quorlock.actuate.NodeStatistics;
import io.quorlock.autoconfigure.LockAutoConfiguration;
import io.quorlock.engine.LockInspector;
import io.quorlock.store.NodeState;
import io.quorlock.store.StoreStatus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

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
	void propertiesReachTheEndpoint() {
		ApplicationContextRunner exposed = this.contextRunner
			.withPropertyValues("management.endpoints.web.exposure.include=locks");
		exposed.run((context) -> {
			assertThat(context).hasSingleBean(LocksEndpoint.class).hasSingleBean(NodeStatistics.class);
			LocksEndpointProperties properties = context.getBean(LocksEndpointProperties.class);
			assertThat(properties.showValues()).isEqualTo(Show.ALWAYS);
			assertThat(properties.roles()).isEmpty();
		});
		exposed
			.withPropertyValues("management.endpoint.locks.show-values=when-authorized",
					"management.endpoint.locks.roles=OPERATOR,ADMIN")
			.run((context) -> {
				LockTemplate template = context.getBean(LockTemplate.class);
				template.acquire(LockRequest.of("order").key(42));
				SecurityContext admin = mock(SecurityContext.class);
				given(admin.getPrincipal()).willReturn(() -> "ann");
				assertThat(namesShownTo(admin, context)).containsExactly("******");
				given(admin.isUserInRole("ADMIN")).willReturn(true);
				assertThat(namesShownTo(admin, context)).containsExactly("order:42");
			});
	}

	private static List<String> namesShownTo(SecurityContext securityContext, ApplicationContext context) {
		return context.getBean(LocksEndpoint.class)
			.locks(securityContext, null)
			.held()
			.stream()
			.map((hold) -> hold.locks().get(0).name())
			.toList();
	}

	@Test
	void sanitizingFunctionsOfTheApplicationApply() {
		this.contextRunner.withPropertyValues("management.endpoints.web.exposure.include=locks")
			.withBean(SanitizingFunction.class, () -> SanitizableData::withSanitizedValue)
			.run((context) -> {
				context.getBean(LockTemplate.class).acquire(LockRequest.of("order").key(42));
				assertThat(namesShownTo(SecurityContext.NONE, context)).containsExactly("******");
			});
	}

	@Test
	void beansOfTheApplicationReplaceOurs() {
		LockInspector inspector = mock(LockInspector.class);
		this.contextRunner.withPropertyValues("management.endpoints.web.exposure.include=locks")
			.withBean("ownStatistics", NodeStatistics.class, NodeStatistics::new)
			.withBean("ownEndpoint", LocksEndpoint.class, () -> mock(LocksEndpoint.class))
			.withBean("ownContributor", LockInfoContributor.class, () -> new LockInfoContributor("own", inspector))
			.run((context) -> assertThat(context).hasSingleBean(NodeStatistics.class)
				.hasSingleBean(LocksEndpoint.class)
				.hasSingleBean(LockInfoContributor.class));
	}

	@Test
	void runWhenAccessIsNoneShouldNotCreateEndpoint() {
		this.contextRunner
			.withPropertyValues("management.endpoints.web.exposure.include=locks",
					"management.endpoint.locks.access=NONE")
			.run((context) -> assertThat(context).doesNotHaveBean(LocksEndpoint.class));
	}

	@Test
	void infoReportsBackendNodesAndQuorumWithoutAnExposedEndpoint() {
		this.contextRunner.run((context) -> {
			assertThat(context).doesNotHaveBean(LocksEndpoint.class).doesNotHaveBean(NodeStatistics.class);
			Info.Builder info = new Info.Builder();
			context.getBean(LockInfoContributor.class).contribute(info);
			assertThat(info.build().getDetails()).containsExactly(entry("distributedLock", Map.of("backend",
					"in-memory", "instance", "orders@host:1", "nodes", List.of("memory"), "quorum", 1)));
		});
	}

	/** No lock needs as many nodes as the quorums of all groups together. */
	@Test
	void infoReportsNodesAndQuorumOfEachGroup() {
		LockInspector inspector = mock(LockInspector.class);
		StoreStatus first = new StoreStatus(true, 1, List.of(node("a1:6379")));
		StoreStatus second = new StoreStatus(true, 2, List.of(node("b1:6379"), node("b2:6379")));
		given(inspector.instanceId()).willReturn("orders@host:1");
		given(inspector.status()).willReturn(new StoreStatus(true, 3,
				List.of(node("a1:6379"), node("b1:6379"), node("b2:6379")), Map.of("a", first, "b", second)));
		Info.Builder info = new Info.Builder();
		new LockInfoContributor("redlock", inspector).contribute(info);
		assertThat(info.build().getDetails()).containsExactly(entry("distributedLock",
				Map.of("backend", "redlock", "instance", "orders@host:1", "groups",
						Map.of("a", Map.of("nodes", List.of("a1:6379"), "quorum", 1), "b",
								Map.of("nodes", List.of("b1:6379", "b2:6379"), "quorum", 2)))));
	}

	private static NodeState node(String name) {
		return new NodeState(name, true, "voting", "", Duration.ZERO, null, null, null);
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

	/**
	 * Actuator drops empty segments on WebFlux as well, where an operation does not see
	 * the path.
	 */
	@ParameterizedTest
	@ValueSource(strings = { "//a", "/a;b=c", "/a/" })
	void pathOnWebFluxThatMayMeanAnotherLockReleasesNothing(String path) {
		new ReactiveWebApplicationContextRunner()
			.withPropertyValues("distributed-lock.backend=in-memory", "management.endpoints.web.exposure.include=locks",
					"management.endpoint.locks.access=UNRESTRICTED")
			.withConfiguration(AutoConfigurations.of(LockAutoConfiguration.class, LocksEndpointAutoConfiguration.class,
					HttpHandlerAutoConfiguration.class, WebFluxAutoConfiguration.class, EndpointAutoConfiguration.class,
					WebEndpointAutoConfiguration.class, ManagementContextAutoConfiguration.class))
			.run((context) -> {
				WebTestClient client = WebTestClient.bindToApplicationContext(context).build();
				try (LockHandle lock = context.getBean(LockTemplate.class).acquire(LockRequest.of("a"))) {
					URI uri = URI.create("/actuator/locks" + path);
					client.delete().uri(uri).exchange().expectStatus().isBadRequest();
					client.post().uri(uri).exchange().expectStatus().isBadRequest();
					assertThat(lock.isHeld()).isTrue();
					client.delete().uri("/actuator/locks/a").exchange().expectStatus().isOk();
					assertThat(lock.isHeld()).isFalse();
				}
			});
	}

	@Configuration(proxyBeanMethods = false)
	@Import(ImportOwnAutoConfigurations.class)
	static class Application {

	}

}
