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

import java.io.InputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.support.StaticListableBeanFactory;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.condition.ConditionEvaluationReport;
import org.springframework.boot.autoconfigure.condition.ConditionEvaluationReport.ConditionAndOutcome;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.io.DefaultResourceLoader;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.mock.env.MockEnvironment;

import io.quorlock.LockTemplate;
import io.quorlock.autoconfigure.diagnostics.InvalidLockConfigurationFailureAnalyzer;
import io.quorlock.autoconfigure.health.LockHealthContributorAutoConfiguration;
import io.quorlock.embedded.EmbeddedRedis;
import io.quorlock.engine.EngineSettings;
import io.quorlock.engine.LockEngine;
import io.quorlock.engine.LockInspector;
import io.quorlock.health.LockHealthIndicator;
import io.quorlock.quorum.node.InMemoryLockNode;
import io.quorlock.quorum.node.LockNode;
import io.quorlock.time.LockClock;
import io.quorlock.time.SystemClock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.params.provider.Arguments.arguments;
import static org.mockito.Mockito.mock;

/**
 * Tests for the choice of a backend, what is said of it, and of one that is missing.
 */
@ExtendWith(OutputCaptureExtension.class)
class BackendSelectionTests {

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(
				AutoConfigurations.of(LockAutoConfiguration.class, LockHealthContributorAutoConfiguration.class))
		.withPropertyValues("distributed-lock.embedded.nodes=1");

	private final ObjectProvider<LockNode> nodes = new StaticListableBeanFactory().getBeanProvider(LockNode.class);

	@ParameterizedTest
	@CsvSource({ "embedded, io.quorlock.embedded, quorlock-embedded is not on the class path",
			"redis, io.quorlock.redis, quorlock-redis is not on the class path",
			"redlock, io.quorlock.redis, quorlock-redis is not on the class path",
			"redis, org.springframework.data.redis, no RedisConnectionFactory" })
	void backendNeedsItsModule(String backend, String absent, String reason) {
		this.contextRunner
			.withPropertyValues("distributed-lock.backend=" + backend,
					backend.equals("redlock") ? "distributed-lock.nodes=redis://127.0.0.1:1"
							: "distributed-lock.nodes=")
			.withClassLoader(new FilteredClassLoader(absent))
			.run((context) -> {
				FailureAnalysis analysis = analysis(context);
				assertThat(analysis.getDescription()).contains("'distributed-lock.backend'", "'" + backend + "'",
						reason);
				assertThat(analysis.getAction()).isNotBlank();
			});
	}

	@Test
	void independentNodesNeedTheirModule() {
		this.contextRunner.withPropertyValues("distributed-lock.nodes=redis://127.0.0.1:1")
			.withClassLoader(new FilteredClassLoader("io.quorlock.redis"))
			.run((context) -> assertThat(analysis(context).getDescription())
				.contains("'distributed-lock.backend' is not set", "quorlock-redis is not on the class path"));
	}

	@Test
	void reportOfConditionsSaysWhichBackendItIs() {
		ApplicationContextRunner inMemory = this.contextRunner.withPropertyValues("distributed-lock.backend=in-memory");
		assertThat(outcome(inMemory, "InMemoryBackendConfiguration"))
			.isEqualTo(ConditionOutcome.match("@ConditionalOnLockBackend the backend is in-memory"));
		assertThat(outcome(inMemory, "redis.RedlockBackendConfiguration"))
			.isEqualTo(ConditionOutcome.noMatch("@ConditionalOnLockBackend the backend is in-memory"));
		assertThat(outcome(
				this.contextRunner.withBean(LockConnectionDetails.class, () -> () -> List.of("redis://127.0.0.1:1"))
					.withBean(RedisConnectionFactory.class, () -> mock(RedisConnectionFactory.class)),
				"redis.RedlockBackendConfiguration"))
			.isEqualTo(ConditionOutcome.match("@ConditionalOnLockBackend the backend is redlock"));
		assertThat(outcome(inMemory.withPropertyValues("distributed-lock.embedded.zookeeper=1"),
				"InMemoryBackendConfiguration"))
			.isEqualTo(ConditionOutcome.match("@ConditionalOnLockBackend the backend is in-memory"));
		assertThat(outcome(
				this.contextRunner.withBean(LockNode.class, () -> new InMemoryLockNode("own", new SystemClock())),
				"redis.RedlockBackendConfiguration"))
			.isEqualTo(ConditionOutcome.noMatch("@ConditionalOnLockBackend the application has nodes of its own"));
		assertThat(outcome(
				this.contextRunner.withPropertyValues("distributed-lock.zookeeper.connect-string=zk:2181")
					.withBean(RedisConnectionFactory.class, () -> mock(RedisConnectionFactory.class)),
				"redis.RedlockBackendConfiguration"))
			.isEqualTo(ConditionOutcome.noMatch(
					"@ConditionalOnLockBackend both ZooKeeper and a RedisConnectionFactory bean could keep the locks"));
	}

	/** It is configured before the locks are. */
	@Test
	void redisThatSpringBootConnectsToIsTheOneOfTheApplication() {
		assertThat(
				outcome(this.contextRunner.withConfiguration(AutoConfigurations.of(DataRedisAutoConfiguration.class)),
						"redis.RedisBackendConfiguration"))
			.isEqualTo(ConditionOutcome.match("@ConditionalOnLockBackend the backend is redis"));
	}

	private static ConditionOutcome outcome(ApplicationContextRunner runner, String configuration) {
		AtomicReference<@Nullable ConditionEvaluationReport> report = new AtomicReference<>();
		runner
			.withInitializer((context) -> report
				.set(ConditionEvaluationReport.get(((ConfigurableApplicationContext) context).getBeanFactory())))
			.run((context) -> context.getStartupFailure());
		return Stream.of(Objects.requireNonNull(report.get()))
			.map((each) -> each.getConditionAndOutcomesBySource().get("io.quorlock.autoconfigure." + configuration))
			.flatMap((each) -> Objects.requireNonNull(each).stream())
			.filter((each) -> each.getCondition() instanceof OnLockBackendCondition)
			.map(ConditionAndOutcome::getOutcome)
			.findFirst()
			.orElseThrow();
	}

	@Test
	void emptyNodesLeaveTheEmbeddedBackend() {
		this.contextRunner.withPropertyValues("distributed-lock.backend=embedded", "distributed-lock.nodes=")
			.run((context) -> assertThat(context).hasSingleBean(EmbeddedRedis.class));
	}

	@Test
	void emptyServersOfZooKeeperAreNone() {
		this.contextRunner
			.withPropertyValues("distributed-lock.zookeeper.connect-string=", "distributed-lock.embedded.zookeeper=")
			.run((context) -> assertThat(context).hasSingleBean(EmbeddedRedis.class));
	}

	@Test
	void nodesOfAParentContextAreUsed() {
		new ApplicationContextRunner().withBean(LockNode.class, () -> new InMemoryLockNode("memory", new SystemClock()))
			.run((parent) -> this.contextRunner.withParent(parent).run((context) -> {
				assertThat(context.getBean(LockBackend.class).name()).isEqualTo("application");
				assertThat(context).doesNotHaveBean(EmbeddedRedis.class);
			}));
	}

	@Test
	void redisOfAParentContextIsUsed() {
		new ApplicationContextRunner().withBean(RedisConnectionFactory.class, () -> mock(RedisConnectionFactory.class))
			.run((parent) -> this.contextRunner.withParent(parent).run((context) -> {
				assertThat(context.getBean(LockBackend.class).name()).isEqualTo("redis");
				assertThat(context).doesNotHaveBean(EmbeddedRedis.class);
			}));
	}

	@Test
	void childOfAContextWithLocksStartsNoServersOfItsOwn() {
		LockBackend backend = new LockBackend("own", List.of(new InMemoryLockNode("memory", new SystemClock())));
		this.contextRunner.withBean(LockBackend.class, () -> backend)
			.run((parent) -> this.contextRunner.withParent(parent).run((context) -> {
				assertThat(context.getBean(LockBackend.class)).isSameAs(backend);
				assertThat(context).doesNotHaveBean(EmbeddedRedis.class);
			}));
	}

	@Test
	void childOfAContextWithLocksUsesItsEngineAndDoesNotReportItAgain(CapturedOutput output) {
		ApplicationContextRunner runner = this.contextRunner.withPropertyValues("distributed-lock.backend=in-memory");
		runner.run((parent) -> runner.withParent(parent).run((context) -> {
			for (Class<?> type : List.of(EngineSettings.class, LockClock.class, LockEngineLifecycle.class,
					LockEngine.class, LockInspector.class, LockTemplate.class)) {
				assertThat(context.getBean(type)).isSameAs(parent.getBean(type));
			}
			assertThat(output).containsOnlyOnce("Distributed locks: backend in-memory, servers [memory], "
					+ "lease 30s, fencing on; other instances do not see these locks");
		}));
	}

	@Test
	void oneLineDescribesHowLocksAreKept(CapturedOutput output) {
		this.contextRunner
			.withPropertyValues("distributed-lock.nodes=redis://127.0.0.1:1,redis://127.0.0.1:2,redis://127.0.0.1:3")
			.run((context) -> {
				assertThat(output).containsOnlyOnce("Distributed locks: backend redlock, "
						+ "nodes [127.0.0.1:1, 127.0.0.1:2, 127.0.0.1:3], quorum 2 of 3, lease 30s, fencing on");
				assertThat(scope(context)).as("they are shared").isNull();
			});
	}

	@Test
	void quorumOfAnEvenNumberOfNodesIsMoreThanHalfOfThem(CapturedOutput output) {
		this.contextRunner
			.withPropertyValues("distributed-lock.nodes=redis://127.0.0.1:1,redis://127.0.0.1:2,redis://127.0.0.1:3,"
					+ "redis://127.0.0.1:4")
			.run((context) -> assertThat(output).contains("127.0.0.1:4], quorum 3 of 4,"));
	}

	@Test
	void healthAndLogSayThatEmbeddedLocksArePrivate(CapturedOutput output) {
		this.contextRunner.run((context) -> {
			assertThat(output).contains("backend embedded").contains("other instances do not see these locks");
			assertThat(scope(context)).asString().contains("other instances do not see these locks");
		});
	}

	@Test
	void packagedApplicationWithATypoInItsNodesDoesNotLockAlone(@TempDir Path directory) throws Exception {
		withPackagedApplication(directory,
				(application) -> this.contextRunner.withPropertyValues("distributed-lock.ndoes=redis://127.0.0.1:1")
					.withUserConfiguration(application)
					.run((context) -> {
						assertThat(context).hasFailed();
						assertThat(context.getStartupFailure()).rootCause()
							.isInstanceOf(InvalidLockConfigurationException.class)
							.hasMessageContaining("there is no node");
						assertThat(analysis(context).getAction()).contains("distributed-lock.backend=embedded");
					}));
	}

	@Test
	void packagedApplicationThatAsksForEmbeddedServersIsWarned(@TempDir Path directory, CapturedOutput output)
			throws Exception {
		withPackagedApplication(directory,
				(application) -> this.contextRunner.withPropertyValues("distributed-lock.backend=embedded")
					.withUserConfiguration(application)
					.run((context) -> {
						assertThat(context).hasSingleBean(EmbeddedRedis.class);
						assertThat(output).containsOnlyOnce("Locks are kept on Redis servers inside this packaged "
								+ "application. Other instances do not see these locks, so they exclude nothing outside "
								+ "this process");
					}));
	}

	@Test
	void embeddedServersDoNotReplaceTheApplicationsRedisUnlessAskedFor() {
		ApplicationContextRunner withRedis = this.contextRunner.withBean(RedisConnectionFactory.class,
				() -> mock(RedisConnectionFactory.class));
		withRedis.run((context) -> assertThat(context).doesNotHaveBean(EmbeddedRedis.class)
			.getBean(LockBackend.class)
			.returns("redis", LockBackend::name)
			.returns(false, LockBackend::local));
		withRedis.withPropertyValues("distributed-lock.backend=embedded")
			.run((context) -> assertThat(context).hasSingleBean(EmbeddedRedis.class));
	}

	@Test
	void applicationOnACloudPlatformIsPackaged() {
		for (String platform : List.of("kubernetes", "heroku")) {
			this.contextRunner.withPropertyValues("spring.main.cloud-platform=" + platform)
				.run((context) -> assertThat(context).hasFailed());
		}
		this.contextRunner.withPropertyValues("spring.main.cloud-platform=none")
			.run((context) -> assertThat(context).hasSingleBean(EmbeddedRedis.class));
	}

	@Test
	void embeddedServersAreNotChosenAheadOfTime() {
		this.contextRunner.withSystemProperties("spring.aot.processing=true")
			.run((context) -> assertThat(context).hasFailed()
				.getFailure()
				.rootCause()
				.hasMessageContaining("distributed-lock.nodes"));
	}

	@ParameterizedTest
	@CsvSource({ "file:/app/shop.jar, true", "file:/app/shop.war, true",
			"jar:nested:/app/shop.jar/!BOOT-INF/classes/!/, true", "file:/workspace/BOOT-INF/classes/, true",
			"file:/tomcat/webapps/shop/WEB-INF/classes/, true", "file:/home/jar/shop/target/classes/, false",
			"file:/home/me/shop.jarred/build/classes/java/main/, false" })
	void archivesAreRecognized(String location, boolean packaged) {
		assertThat(Packaging.isArchive(location)).isEqualTo(packaged);
	}

	private static @Nullable Object scope(AssertableApplicationContext context) {
		Health health = Objects.requireNonNull(context.getBean(LockHealthIndicator.class).health(true));
		return health.getDetails().get("scope");
	}

	private static FailureAnalysis analysis(AssertableApplicationContext context) {
		Throwable failure = Objects.requireNonNull(context.getStartupFailure());
		return Objects
			.requireNonNull(new InvalidLockConfigurationFailureAnalyzer(new MockEnvironment()).analyze(failure));
	}

	private static void withPackagedApplication(Path directory, Consumer<Class<?>> test) throws Exception {
		Path jar = directory.resolve("application.jar");
		String entry = PackagedApplication.class.getName().replace('.', '/') + ".class";
		try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar));
				InputStream in = PackagedApplication.class.getClassLoader().getResourceAsStream(entry)) {
			out.putNextEntry(new JarEntry(entry));
			in.transferTo(out);
		}
		try (ChildFirst loader = new ChildFirst(jar.toUri().toURL())) {
			test.accept(loader.loadClass(PackagedApplication.class.getName()));
		}
	}

	static Stream<Arguments> backends() {
		String noRedis = "quorlock-redis is not on the class path";
		String noZooKeeper = "quorlock-zookeeper, or its ZooKeeper client, is not on the class path";
		String addZooKeeper = "Add the dependency io.quorlock:quorlock-zookeeper.";
		return Stream.of(
				arguments("redis", "io.quorlock.redis", "redis", noRedis,
						"Add the dependency io.quorlock:quorlock-redis."),
				arguments("redis", "none", "redis", "the application has no RedisConnectionFactory bean",
						"Add the dependency org.springframework.boot:spring-boot-starter-data-redis and configure "
								+ "spring.data.redis, or list independent nodes in distributed-lock.nodes."),
				arguments("zookeeper", "none", "zookeeper", noZooKeeper, addZooKeeper),
				arguments(null, "io.quorlock.zookeeper", null, noZooKeeper, addZooKeeper),
				arguments(null, "org.apache.zookeeper", null, noZooKeeper, addZooKeeper),
				arguments(null, "none", null, "both ZooKeeper and a RedisConnectionFactory bean could keep the locks",
						"Set the property to zookeeper or to redis."),
				arguments("in-memory", "none", "in-memory", "nothing provides it",
						"Remove the property, or add the dependency that provides the backend."));
	}

	@ParameterizedTest
	@MethodSource("backends")
	void whatIsMissingIsToldWithWhatToAdd(@Nullable String backend, String missing, @Nullable String value,
			String reason, String action) {
		LockProperties properties = (backend != null) ? TestProperties.bind("backend", backend) : TestProperties.bind();
		DefaultResourceLoader resources = new DefaultResourceLoader(new FilteredClassLoader(missing));
		assertThatExceptionOfType(InvalidLockConfigurationException.class).isThrownBy(
				() -> new ApplicationBackendConfiguration().distributedLockBackend(properties, this.nodes, resources))
			.satisfies((failure) -> {
				assertThat(failure.getProperty()).isEqualTo("distributed-lock.backend");
				assertThat(failure.getValue()).isEqualTo(value);
				assertThat(failure.getReason()).isEqualTo(reason);
				assertThat(failure.getAction()).isEqualTo(action);
			});
	}

	@ParameterizedTest
	@CsvSource({ "zookeeper.connect-string, zk:2181, zookeeper.connect-string zk:2181",
			"embedded.zookeeper, 3, embedded.zookeeper 3 zookeeper.connect-string zk:2181",
			"embedded.zookeeper, 3, embedded.zookeeper 3 backend embedded",
			"backend, zookeeper, backend zookeeper zookeeper.connect-string zk:2181",
			"backend, zookeeper, backend zookeeper embedded.zookeeper 3" })
	void propertyThatAsksForZooKeeperIsNamedWhereItsClientIsMissing(String property, String value, String configured) {
		LockProperties properties = TestProperties.bind(configured.split(" "));
		DefaultResourceLoader resources = new DefaultResourceLoader(new FilteredClassLoader("io.quorlock.zookeeper"));
		assertThatExceptionOfType(InvalidLockConfigurationException.class).isThrownBy(
				() -> new ApplicationBackendConfiguration().distributedLockBackend(properties, this.nodes, resources))
			.withMessage("Invalid configuration property 'distributed-lock.%s' with value '%s': quorlock-zookeeper, or "
					+ "its ZooKeeper client, is not on the class path", property, value);
	}

	/** Finds the application in its jar before the one in the directory of the tests. */
	private static final class ChildFirst extends URLClassLoader {

		ChildFirst(URL jar) {
			super(new URL[] { jar }, BackendSelectionTests.class.getClassLoader());
		}

		@Override
		protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
			Class<?> loaded = findLoadedClass(name);
			if (loaded != null) {
				return loaded;
			}
			return name.equals(PackagedApplication.class.getName()) ? findClass(name) : super.loadClass(name, resolve);
		}

	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	public static class PackagedApplication {

	}

}
