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

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ScheduledExecutorService;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.annotation.ImportCandidates;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.task.TaskExecutor;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.mock.env.MockEnvironment;
import org.springframework.scheduling.TaskScheduler;
import org.springframework.scheduling.concurrent.ExecutorConfigurationSupport;
import org.springframework.util.ClassUtils;

import io.quorlock.LockContext;
import io.quorlock.LockHandle;
import io.quorlock.LockNotAcquiredException;
import io.quorlock.LockRequest;
import io.quorlock.LockTemplate;
import io.quorlock.LockUnavailableException;
import io.quorlock.Settings;
import io.quorlock.annotation.DistributedLock;
import io.quorlock.autoconfigure.diagnostics.InvalidLockConfigurationFailureAnalyzer;
import io.quorlock.embedded.EmbeddedRedis;
import io.quorlock.embedded.EmbeddedServerException;
import io.quorlock.embedded.RespConnection;
import io.quorlock.engine.EngineSettings;
import io.quorlock.engine.LockEngine;
import io.quorlock.engine.LockInspector;
import io.quorlock.quorum.node.InMemoryLockNode;
import io.quorlock.quorum.node.LockNode;
import io.quorlock.store.LeaseStore;
import io.quorlock.time.LockClock;
import io.quorlock.time.SystemClock;
import io.quorlock.time.TimerThread;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.mockito.Mockito.RETURNS_DEEP_STUBS;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link LockAutoConfiguration}.
 */
@ExtendWith(OutputCaptureExtension.class)
class LockAutoConfigurationTests {

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(LockAutoConfiguration.class));

	private final ApplicationContextRunner inMemoryRunner = this.contextRunner
		.withPropertyValues("distributed-lock.backend=in-memory");

	@Test
	void annotatedMethodsAreLocked() {
		this.inMemoryRunner.withUserConfiguration(Orders.class).run((context) -> {
			assertThat(context).hasSingleBean(LockTemplate.class);
			assertThat(context.getBean(Orders.class).place(42)).isEqualTo("order:42");
			assertThat(context.getBean(LockTemplate.class).tryAcquire(LockRequest.of("order:42"))).isPresent();
		});
	}

	@Test
	void withoutAQuorumNoRequestWaitsWhereFailingFastIsAskedFor() {
		this.contextRunner
			.withPropertyValues("distributed-lock.nodes=redis://127.0.0.1:1", "distributed-lock.wait-time=1m",
					"distributed-lock.unavailable-fail-fast=true")
			.run((context) -> {
				long start = System.nanoTime();
				assertThatExceptionOfType(LockUnavailableException.class)
					.isThrownBy(() -> context.getBean(LockTemplate.class).acquire(LockRequest.of("order")));
				assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(30));
			});
	}

	@Test
	void nodesThatCannotBeReachedDoNotStopTheStart() {
		this.contextRunner
			.withPropertyValues("distributed-lock.nodes=redis://127.0.0.1:1", "distributed-lock.wait-time=100ms")
			.run((context) -> {
				assertThat(context).hasNotFailed();
				assertThatExceptionOfType(LockUnavailableException.class)
					.isThrownBy(() -> context.getBean(LockTemplate.class).acquire(LockRequest.of("order")));
			});
	}

	@Test
	void connectionDetailsWinOverProperties() {
		this.contextRunner.withPropertyValues("distributed-lock.nodes=redis://127.0.0.1:1")
			.withBean("first", LockConnectionDetails.class, () -> () -> List.of("redis://127.0.0.1:3"))
			.withBean("second", LockConnectionDetails.class, () -> () -> List.of("redis://127.0.0.1:4"))
			.run((context) -> assertThat(context.getBean(LockBackend.class).nodes()).map(LockNode::name)
				.containsExactly("127.0.0.1:3", "127.0.0.1:4"));
	}

	@Test
	void backendIsEmbeddedWhereItIsOnTheClassPathAndRequiresAPassword() {
		this.contextRunner.withPropertyValues("distributed-lock.embedded.nodes=3").run((context) -> {
			EmbeddedRedis redis = context.getBean(EmbeddedRedis.class);
			assertThat(redis.uris()).hasSize(3);
			try (RespConnection stranger = RespConnection.to(redis.node(0).port())) {
				assertThatExceptionOfType(EmbeddedServerException.class).isThrownBy(() -> stranger.execute("PING"))
					.withMessageContaining("NOAUTH");
			}
			context.getBean(LockTemplate.class)
				.executeWithoutResult(LockRequest.of("order").waitTime(Duration.ofSeconds(20)),
						() -> assertThat(LockContext.fencingToken()).isPositive());
		});
	}

	@Test
	void embeddedServersTakeTheConfiguredPassword() {
		this.contextRunner
			.withPropertyValues("distributed-lock.embedded.nodes=1", "distributed-lock.connection.password=s3cret +/@")
			.run((context) -> {
				context.getBean(LockTemplate.class)
					.executeWithoutResult(LockRequest.of("order").waitTime(Duration.ofSeconds(20)), () -> {
					});
				try (RespConnection known = RespConnection.to(context.getBean(EmbeddedRedis.class).node(0).port())) {
					assertThat(known.execute("AUTH", "s3cret +/@")).isEqualTo("OK");
				}
			});
	}

	@Test
	void embeddedServersHaveAPasswordAlsoWhereTheConfiguredOneIsEmpty() {
		this.contextRunner
			.withPropertyValues("distributed-lock.embedded.nodes=1", "distributed-lock.connection.password=")
			.run((context) -> {
				try (RespConnection stranger = RespConnection.to(context.getBean(EmbeddedRedis.class).node(0).port())) {
					assertThatExceptionOfType(EmbeddedServerException.class).isThrownBy(() -> stranger.execute("PING"))
						.withMessageStartingWith("NOAUTH");
				}
			});
	}

	@Test
	void backendIsRedisWithoutJedis() {
		this.contextRunner.withClassLoader(new FilteredClassLoader("redis.clients.jedis"))
			.withBean(RedisConnectionFactory.class, () -> mock(RedisConnectionFactory.class))
			.run((context) -> assertThat(context.getBean(LockBackend.class).name()).isEqualTo("redis"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "distributed-lock.nodes=redis://127.0.0.1:1",
			"distributed-lock.groups.a.nodes=redis://127.0.0.1:1" })
	void nodesWithoutJedisStopTheStart(String nodes) {
		this.contextRunner.withClassLoader(new FilteredClassLoader("redis.clients.jedis"))
			.withPropertyValues(nodes)
			.run((context) -> {
				FailureAnalysis analysis = Objects
					.requireNonNull(new InvalidLockConfigurationFailureAnalyzer(new MockEnvironment())
						.analyze(Objects.requireNonNull(context.getStartupFailure())));
				assertThat(analysis.getDescription())
					.contains(nodes.substring(0, nodes.indexOf('=')).replace(".a.nodes", ""))
					.contains("Jedis, which connects to independent nodes and logs in, is not on the class path");
				assertThat(analysis.getAction())
					.isEqualTo("Add the dependency io.quorlock:quorlock-spring-boot-starter or redis.clients:jedis.");
			});
	}

	@Test
	void noNodeStopsTheStart() {
		this.contextRunner.withClassLoader(new FilteredClassLoader("io.quorlock.embedded"))
			.run((context) -> assertThat(context.getStartupFailure()).rootCause()
				.isInstanceOf(InvalidLockConfigurationException.class)
				.hasMessageContaining("there is no node"));
	}

	@Test
	void badPropertyStopsTheStart() {
		this.inMemoryRunner.withPropertyValues("distributed-lock.lease-time=5m")
			.run((context) -> assertThat(context.getStartupFailure()).rootCause()
				.isInstanceOf(InvalidLockConfigurationException.class)
				.hasMessageContaining("distributed-lock.lease-time"));
	}

	@Test
	void optionalLibrariesMayBeAbsent() {
		String[] libraries = { "io.quorlock.embedded", "redis.clients.jedis", "org.springframework.data.redis",
				"io.lettuce", "org.springframework.boot.actuate", "org.springframework.boot.health", "io.micrometer",
				"reactor", "org.springframework.transaction", "org.springframework.jdbc", "org.aspectj" };
		for (String library : libraries) {
			this.inMemoryRunner.withClassLoader(new FilteredClassLoader(library))
				.withUserConfiguration(Orders.class)
				.run((context) -> assertThat(context.getBean(Orders.class).place(42)).as(library)
					.isEqualTo("order:42"));
		}
		this.inMemoryRunner.withClassLoader(new FilteredClassLoader(libraries))
			.withUserConfiguration(Orders.class)
			.run((context) -> assertThat(context.getBean(Orders.class).place(42)).isEqualTo("order:42"));
	}

	@Test
	void nodesOfTheApplicationReplaceTheBackend() {
		this.contextRunner.withPropertyValues("distributed-lock.nodes=redis://127.0.0.1:1")
			.withBean("one", LockNode.class, () -> new InMemoryLockNode("one", new SystemClock()))
			.withBean("two", LockNode.class, () -> new InMemoryLockNode("two", new SystemClock()))
			.withBean("three", LockNode.class, () -> new InMemoryLockNode("three", new SystemClock()))
			.run((context) -> {
				assertThat(context.getBean(LockBackend.class).nodes()).map(LockNode::name)
					.containsExactly("one", "two", "three");
				assertThat(context.getBean(LockTemplate.class).tryAcquire(LockRequest.of("order"))).isPresent();
			});
	}

	@Test
	void backendOfTheApplicationReplacesTheBackend() {
		LockBackend backend = new LockBackend("mine", List.of(new InMemoryLockNode("one", new SystemClock())));
		this.contextRunner.withPropertyValues("distributed-lock.nodes=redis://127.0.0.1:1")
			.withBean(LockBackend.class, () -> backend)
			.run((context) -> assertThat(context.getBean(LockBackend.class)).isSameAs(backend));
	}

	@Test
	void engineOfTheApplicationReplacesOurs() {
		LockClock clock = new SystemClock();
		EngineSettings settings = Settings.engine("mine").build();
		try (TimerThread timer = new TimerThread("test")) {
			LockEngine engine = new LockEngine(settings, mock(LeaseStore.class, RETURNS_DEEP_STUBS), clock, timer,
					Runnable::run);
			LockInspector inspector = new LockInspector(engine);
			this.inMemoryRunner.withBean(LockClock.class, () -> clock)
				.withBean(EngineSettings.class, () -> settings)
				.withBean(LockEngine.class, () -> engine)
				.withBean(LockInspector.class, () -> inspector)
				.run((context) -> {
					assertThat(context).getBean(LockClock.class).isSameAs(clock);
					assertThat(context).getBean(EngineSettings.class).isSameAs(settings);
					assertThat(context).getBean(LockEngine.class).isSameAs(engine);
					assertThat(context).getBean(LockInspector.class).isSameAs(inspector);
				});
		}
	}

	@Test
	void decoratorsWrapWhatOthersHaveWrapped() {
		LockTemplate wrapped = mock(LockTemplate.class);
		List<LockTemplate> received = new ArrayList<>();
		this.inMemoryRunner.withBean("first", LockTemplateDecorator.class, () -> (template) -> wrapped)
			.withBean("second", LockTemplateDecorator.class, () -> (template) -> {
				received.add(template);
				return template;
			})
			.run((context) -> assertThat(context).hasSingleBean(LockTemplate.class));
		assertThat(received).containsExactly(wrapped);
	}

	@Test
	void engineStopsBelowTheWebServerAndTheExecutorsAndPublishesNone() {
		this.inMemoryRunner.run((context) -> {
			assertThat(context).doesNotHaveBean(ExecutorService.class)
				.doesNotHaveBean(ScheduledExecutorService.class)
				.doesNotHaveBean(TaskExecutor.class)
				.doesNotHaveBean(TaskScheduler.class);
			assertThat(context.getBean(LockEngineLifecycle.class).getPhase())
				.isLessThan(SmartLifecycle.DEFAULT_PHASE - 2048)
				.isLessThan(ExecutorConfigurationSupport.DEFAULT_PHASE)
				.isPositive();
		});
	}

	@Test
	void locksCanBeTakenWhileOtherBeansAreInitialized() {
		this.inMemoryRunner.withUserConfiguration(LocksAtStart.class)
			.run((context) -> assertThat(context.getBean("fence", Long.class)).isPositive());
	}

	@Test
	void nothingElseIsConfiguredWithoutIt() {
		List<String> all = ImportCandidates.load(AutoConfiguration.class, getClass().getClassLoader())
			.getCandidates()
			.stream()
			.filter((candidate) -> candidate.startsWith("io.quorlock.autoconfigure."))
			.toList();
		assertThat(all).contains(LockAutoConfiguration.class.getName()).hasSizeGreaterThan(8);
		Class<?>[] others = all.stream()
			.filter((candidate) -> !candidate.equals(LockAutoConfiguration.class.getName()))
			.map((candidate) -> ClassUtils.resolveClassName(candidate, getClass().getClassLoader()))
			.toArray(Class<?>[]::new);
		new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(others))
			.withPropertyValues("distributed-lock.leader.roles=importer")
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void heldLocksAreReleasedWhenTheContextStopsAndWorkAgainAfterARestart() {
		InMemoryLockNode node = new InMemoryLockNode("shared", new SystemClock());
		this.contextRunner.withBean(LockNode.class, () -> node).run((context) -> {
			ConfigurableApplicationContext application = context.getSourceApplicationContext();
			LockTemplate template = context.getBean(LockTemplate.class);
			LockHandle held = template.acquire(LockRequest.of("order"));
			application.stop();
			assertThat(held.isHeld()).isFalse();
			assertThatExceptionOfType(LockUnavailableException.class)
				.isThrownBy(() -> template.acquire(LockRequest.of("order")));
			application.start();
			assertThat(template.tryAcquire(LockRequest.of("order"))).isPresent();
		});
	}

	@Test
	void tokensAreAboveTheFloor() {
		long floor = 4_500_000_000_000_000L;
		this.contextRunner.withPropertyValues("distributed-lock.fencing.floor=" + floor).run((context) -> {
			LockTemplate template = context.getBean(LockTemplate.class);
			long first = template.execute("order:42", LockContext::fencingToken);
			long second = template.execute("order:42", LockContext::fencingToken);
			assertThat(first).isGreaterThan(floor);
			assertThat(second).isGreaterThan(first);
		});
	}

	@Test
	void disabledLocksExcludeWithinTheProcess(CapturedOutput output) {
		this.contextRunner
			.withPropertyValues("distributed-lock.enabled=false", "distributed-lock.nodes=redis://127.0.0.1:1",
					"distributed-lock.wait-time=0")
			.withUserConfiguration(Orders.class)
			.run((context) -> {
				assertThat(context.getBean(LockBackend.class).name()).isEqualTo("in-memory");
				assertThat(context).doesNotHaveBean(LockConnectionDetails.class);
				LockTemplate template = context.getBean(LockTemplate.class);
				try (LockHandle first = template.acquire(LockRequest.of("order:42"))) {
					assertThat(template.tryAcquire(LockRequest.of("order:42"))).isEmpty();
					assertThatExceptionOfType(LockNotAcquiredException.class)
						.isThrownBy(() -> context.getBean(Orders.class).place(42));
					assertThat(first.isHeld()).isTrue();
				}
				assertThat(context.getBean(Orders.class).place(42)).isEqualTo("order:42");
				assertThat(output).containsOnlyOnce("Locks are disabled (distributed-lock.enabled=false)")
					.containsOnlyOnce(" WARN ");
			});
	}

	@Test
	void disabledLocksAskNoBackendOfTheApplication() {
		LockBackend own = new LockBackend("own", (clock, timer, observers) -> {
			throw new IllegalStateException("The store is asked");
		});
		this.contextRunner.withPropertyValues("distributed-lock.enabled=false")
			.withBean("own", LockBackend.class, () -> own)
			.withBean("node", LockNode.class, () -> new InMemoryLockNode("node", new SystemClock()))
			.run((context) -> assertThat(context.getBean(LockBackend.class).name()).isEqualTo("in-memory"));
	}

	@Configuration(proxyBeanMethods = false)
	static class LocksAtStart {

		@Bean
		Long fence(LockTemplate template) {
			return template.execute("migration", LockContext::fencingToken);
		}

	}

	public static class Orders {

		@DistributedLock(name = "order", key = "#id")
		public @Nullable String place(long id) {
			return LockContext.current().map(LockHandle::name).orElse(null);
		}

	}

}
