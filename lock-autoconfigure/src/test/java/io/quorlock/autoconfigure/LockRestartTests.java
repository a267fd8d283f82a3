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

import java.io.File;
import java.net.MalformedURLException;
import java.net.URL;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.devtools.restart.classloader.RestartClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ConfigurableApplicationContext;

import io.quorlock.LockHandle;
import io.quorlock.LockRequest;
import io.quorlock.LockTemplate;
import io.quorlock.LockUnavailableException;
import io.quorlock.embedded.EmbeddedRedis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for applications that pause and go on: a context that is stopped and started, as
 * around a checkpoint of the JVM, or paused, and one that DevTools replaces.
 */
class LockRestartTests {

	private static final EmbeddedRedis redis = EmbeddedRedis.start(3);

	@AfterAll
	static void stopRedis() {
		redis.close();
	}

	@BeforeEach
	void awaitNoConnection() {
		awaitConnections(0);
	}

	@ParameterizedTest
	@ValueSource(strings = { "redlock", "lettuce", "jedis" })
	void stoppedContextHasNoConnectionAndLocksAgainWhenStarted(String nodes) {
		runner(nodes).run((context) -> {
			ConfigurableApplicationContext source = context
				.getSourceApplicationContext(ConfigurableApplicationContext.class);
			assertLocksOnlyWhileRunning(context.getBean(LockTemplate.class), source::stop, source::start);
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "redlock", "lettuce", "jedis" })
	void pausedContextHasNoConnectionAndLocksAgainWhenRestarted(String nodes) {
		runner(nodes).run((context) -> {
			ConfigurableApplicationContext source = context
				.getSourceApplicationContext(ConfigurableApplicationContext.class);
			assertLocksOnlyWhileRunning(context.getBean(LockTemplate.class), source::pause, source::restart);
		});
	}

	private static ApplicationContextRunner runner(String nodes) {
		ApplicationContextRunner runner = new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(DataRedisAutoConfiguration.class, LockAutoConfiguration.class))
			.withPropertyValues("distributed-lock.restart-quarantine=0s",
					"distributed-lock.connection.operation-timeout=2s");
		return nodes.equals("redlock")
				? runner.withPropertyValues("distributed-lock.nodes=" + String.join(",", redis.uris()))
				: runner.withPropertyValues("distributed-lock.backend=redis", "spring.data.redis.client-type=" + nodes,
						"spring.data.redis.url=" + redis.uris().get(0));
	}

	private static void assertLocksOnlyWhileRunning(LockTemplate template, Runnable stop, Runnable start) {
		LockHandle held = template.acquire(LockRequest.of("order").waitTime(Duration.ofSeconds(20)));
		String owner = owner();
		stop.run();
		assertThat(held.isHeld()).isFalse();
		awaitConnections(0);
		assertThat(redis.nodes()).allSatisfy((node) -> assertThat(node.execute("GET", "lock:{order}")).isNull());
		assertThatExceptionOfType(LockUnavailableException.class)
			.isThrownBy(() -> template.acquire(LockRequest.of("order")));
		start.run();
		try (LockHandle again = template.acquire(LockRequest.of("order").waitTime(Duration.ofSeconds(20)))) {
			assertThat(again.isHeld()).isTrue();
			// Two copies of one checkpoint must not take each other for themselves.
			assertThat(owner()).isNotEqualTo(owner);
		}
	}

	/**
	 * The value of the lock, on any node that granted it, less the number of the attempt.
	 */
	private static String owner() {
		return redis.nodes()
			.stream()
			.map((node) -> node.execute("GET", "lock:{order}"))
			.filter(Objects::nonNull)
			.map((value) -> value.toString().substring(0, value.toString().lastIndexOf(':')))
			.findFirst()
			.orElseThrow();
	}

	@Test
	@Tag("long")
	void applicationsOfRestartedClassLoadersLeaveNothingBehind() throws Exception {
		for (int i = 0; i < 3; i++) {
			try (RestartClassLoader classLoader = new RestartClassLoader(getClass().getClassLoader(), directories())) {
				runApplication(classLoader);
				awaitConnections(0);
				Awaitility.await()
					.atMost(Duration.ofSeconds(20))
					.untilAsserted(() -> assertThat(Thread.getAllStackTraces().keySet())
						.filteredOn((thread) -> belongsTo(classLoader, thread))
						.isEmpty());
			}
		}
	}

	@SuppressWarnings("unchecked")
	private static void runApplication(ClassLoader classLoader) throws Exception {
		Thread thread = Thread.currentThread();
		ClassLoader previous = thread.getContextClassLoader();
		thread.setContextClassLoader(classLoader);
		try {
			Object application = classLoader.loadClass(Application.class.getName())
				.getDeclaredConstructor()
				.newInstance();
			assertThat(application.getClass()).isNotSameAs(Application.class);
			assertThat(((Function<List<String>, ClassLoader>) application).apply(redis.uris())).isSameAs(classLoader);
		}
		finally {
			thread.setContextClassLoader(previous);
		}
	}

	private static boolean belongsTo(ClassLoader classLoader, Thread thread) {
		return thread.getContextClassLoader() == classLoader || thread.getClass().getClassLoader() == classLoader;
	}

	/**
	 * What DevTools restarts: the classes of the project, not its libraries. Modules of
	 * this build are jars once they are packaged.
	 */
	private static URL[] directories() {
		return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
			.map(File::new)
			.filter((file) -> file.isDirectory() || file.getName().startsWith("quorlock-"))
			.map(LockRestartTests::url)
			.toArray(URL[]::new);
	}

	private static URL url(File file) {
		try {
			return file.toURI().toURL();
		}
		catch (MalformedURLException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/** Of the servers, not counting the one that asks. */
	private static void awaitConnections(int count) {
		Awaitility.await()
			.atMost(Duration.ofSeconds(20))
			.untilAsserted(() -> assertThat(redis.nodes())
				.allSatisfy((node) -> assertThat(String.valueOf(node.execute("CLIENT", "LIST")).strip().lines())
					.hasSize(count + 1)));
	}

	/**
	 * Runs in the class loader of a restart.
	 */
	public static class Application implements Function<List<String>, ClassLoader> {

		@Override
		public ClassLoader apply(List<String> uris) {
			new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(LockAutoConfiguration.class))
				.withPropertyValues("distributed-lock.restart-quarantine=0s",
						"distributed-lock.connection.operation-timeout=2s",
						"distributed-lock.nodes=" + String.join(",", uris))
				.run((context) -> {
					LockTemplate template = context.getBean(LockTemplate.class);
					LockRequest request = LockRequest.of("order").waitTime(Duration.ofSeconds(20));
					template.acquireAsync(request).thenAccept(LockHandle::close).toCompletableFuture().join();
					template.executeWithoutResult(request,
							() -> assertThat(template.asLock("other").tryLock()).isTrue());
				});
			return LockTemplate.class.getClassLoader();
		}

	}

}
