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

package io.quorlock.autoconfigure.zookeeper;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import org.apache.zookeeper.ZooKeeper;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.health.autoconfigure.contributor.HealthContributorAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.data.redis.connection.RedisConnectionFactory;

import io.quorlock.LockHandle;
import io.quorlock.LockMode;
import io.quorlock.LockNotAcquiredException;
import io.quorlock.LockRequest;
import io.quorlock.LockTemplate;
import io.quorlock.LockUnavailableException;
import io.quorlock.actuate.LockDescriptor;
import io.quorlock.actuate.LocksEndpoint;
import io.quorlock.autoconfigure.InvalidLockConfigurationException;
import io.quorlock.autoconfigure.LockAutoConfiguration;
import io.quorlock.autoconfigure.LockBackend;
import io.quorlock.autoconfigure.LockProperties;
import io.quorlock.autoconfigure.LockZooKeeperConnectionDetails;
import io.quorlock.autoconfigure.TestProperties;
import io.quorlock.autoconfigure.actuate.LocksEndpointAutoConfiguration;
import io.quorlock.autoconfigure.health.LockHealthContributorAutoConfiguration;
import io.quorlock.embedded.EmbeddedRedis;
import io.quorlock.embedded.EmbeddedZooKeeper;
import io.quorlock.embedded.EmbeddedZooKeeperEnsemble;
import io.quorlock.engine.EngineSettings;
import io.quorlock.health.LockHealthIndicator;
import io.quorlock.store.ReplyOutcome;
import io.quorlock.store.StoreObserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.mockito.Mockito.mock;

/**
 * The zookeeper backend in an application.
 */
@ExtendWith(OutputCaptureExtension.class)
class ZooKeeperBackendTests {

	private static EmbeddedZooKeeper server;

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(LockAutoConfiguration.class));

	@BeforeAll
	static void startServer() {
		server = EmbeddedZooKeeper.start();
	}

	@AfterAll
	static void stopServer() {
		server.close();
	}

	@Test
	void locksOnZooKeeperWhenItsServersAreConfigured() {
		withServer().run((context) -> {
			assertThat(context.getBean(LockBackend.class).name()).isEqualTo("zookeeper");
			LockTemplate template = context.getBean(LockTemplate.class);
			try (LockHandle lock = template.acquire(LockRequest.of("order:42"))) {
				assertThat(lock.isHeld()).isTrue();
				assertThat(lock.fencingToken()).isPositive();
				withServer().run((other) -> {
					assertThat(other.getBean(LockTemplate.class).tryAcquire(LockRequest.of("order:42"))).isEmpty();
					assertThatExceptionOfType(LockNotAcquiredException.class)
						.isThrownBy(() -> other.getBean(LockTemplate.class)
							.acquire(LockRequest.of("order:42").waitTime(Duration.ofMillis(200))));
				});
			}
			assertThat(template.tryAcquire(LockRequest.of("order:42"))).hasValueSatisfying(LockHandle::close);
			assertThat(template.<String, RuntimeException>execute("order:42", () -> "done")).isEqualTo("done");
		});
	}

	@Test
	void downgradesAWriterToAReader() {
		withServer().run((context) -> {
			LockTemplate template = context.getBean(LockTemplate.class);
			try (LockHandle lock = template.acquire(LockRequest.of("order:42"))) {
				long token = lock.fencingToken();
				lock.downgrade();
				assertThat(lock.mode()).isEqualTo(LockMode.SHARED);
				assertThat(lock.isHeld()).isTrue();
				assertThat(lock.fencingToken()).isEqualTo(token);
				withServer().run((other) -> {
					LockTemplate others = other.getBean(LockTemplate.class);
					assertThat(others.tryAcquire(LockRequest.of("order:42"))).isEmpty();
					assertThat(others.tryAcquire(LockRequest.of("order:42").shared()))
						.hasValueSatisfying(LockHandle::close);
				});
			}
			assertThat(template.tryAcquire(LockRequest.of("order:42"))).hasValueSatisfying(LockHandle::close);
		});
	}

	@Test
	void handsALockFromThreadToThread() {
		withServer().run((context) -> {
			LockTemplate template = context.getBean(LockTemplate.class);
			int[] count = new int[1];
			List<Thread> threads = IntStream.range(0, 8).mapToObj((i) -> new Thread(() -> {
				for (int n = 0; n < 50; n++) {
					template.executeWithoutResult("counter", () -> count[0]++);
				}
			})).toList();
			threads.forEach(Thread::start);
			for (Thread thread : threads) {
				thread.join();
			}
			assertThat(count[0]).isEqualTo(400);
		});
	}

	@Test
	void locksAgainAfterTheContextWasStoppedAndStarted() {
		withServer().run((context) -> {
			LockTemplate template = context.getBean(LockTemplate.class);
			template.acquire(LockRequest.of("order:42"));
			context.stop();
			context.start();
			template.acquire(LockRequest.of("order:42")).close();
		});
	}

	@Test
	void observerThatFailsIsNamedAndHidesNoReplyFromTheOthers(CapturedOutput output) {
		AtomicInteger replies = new AtomicInteger();
		StoreObserver failing = new StoreObserver() {

			@Override
			public void onReply(String node, String operation, ReplyOutcome outcome, @Nullable String error,
					long nanos) {
				throw new IllegalStateException("test");
			}

			@Override
			public String toString() {
				return "Failing";
			}

		};
		StoreObserver counting = (node, operation, outcome, error, nanos) -> replies.incrementAndGet();
		withServer().withBean("failing", StoreObserver.class, () -> failing)
			.withBean("counting", StoreObserver.class, () -> counting)
			.run((context) -> context.getBean(LockTemplate.class).acquire(LockRequest.of("order:42")).close());
		assertThat(replies).hasPositiveValue();
		assertThat(output).contains("Observer Failing of lock nodes failed");
	}

	@Test
	void takesTheServersOfConnectionDetails() {
		this.contextRunner.withBean(LockZooKeeperConnectionDetails.class, () -> () -> server.connectString())
			.run((context) -> {
				assertThat(context.getBean(LockBackend.class).name()).isEqualTo("zookeeper");
				context.getBean(LockTemplate.class).acquire(LockRequest.of("details")).close();
			});
	}

	@Test
	void takesTheServersOfSpringCloudWhenItIsAskedFor() {
		this.contextRunner
			.withPropertyValues("spring.cloud.zookeeper.connect-string=" + server.connectString(),
					"distributed-lock.backend=zookeeper", "distributed-lock.zookeeper.connect-string=")
			.run((context) -> context.getBean(LockTemplate.class).acquire(LockRequest.of("cloud")).close());
	}

	@Test
	void sessionHasToBeAcceptedWithinTheConnectionTimeout() {
		LockProperties properties = TestProperties.bind("zookeeper.connection-timeout", "3s");
		assertThat(
				new ZooKeeperBackend(properties, List.of(() -> "a:2181"), () -> "app").settings().connectionTimeout())
			.isEqualTo(Duration.ofSeconds(3));
	}

	/**
	 * Whoever shares the answer to another thread's question waits no shorter than that
	 * thread.
	 */
	@Test
	void requestWithoutAWaitLastsAsLongAsTheServersMayTake() {
		withServer().run((context) -> assertThat(context.getBean(EngineSettings.class).immediateLimit())
			.isEqualTo(Duration.ofSeconds(2)));
		withServer().withPropertyValues("distributed-lock.connection.operation-timeout=3s")
			.run((context) -> assertThat(context.getBean(EngineSettings.class).immediateLimit())
				.isEqualTo(Duration.ofSeconds(6)));
	}

	@Test
	void asksForTheBackendWhenThereIsARedisToo() {
		withServer().withBean(RedisConnectionFactory.class, () -> mock(RedisConnectionFactory.class))
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContaining("distributed-lock.backend")
				.hasMessageContaining("RedisConnectionFactory"));
	}

	@Test
	void namesThePropertyThatIsWrong() {
		fails("connect-string", "distributed-lock.backend=zookeeper");
		fails("root", connectString(), "distributed-lock.zookeeper.root=locks/");
		fails("session-timeout", connectString(), "distributed-lock.zookeeper.session-timeout=0s");
		fails("connection-timeout", connectString(), "distributed-lock.zookeeper.connection-timeout=0s");
		fails("auth", connectString(), "distributed-lock.zookeeper.auth=secret");
		fails("auth", connectString(), "distributed-lock.zookeeper.auth=:secret");
		fails("retain-time", connectString(), "distributed-lock.retain-time=15s");
		fails("acl", connectString(), "distributed-lock.zookeeper.acl=auth::xyz");
		fails("local-handover.max", connectString(), "distributed-lock.local-handover.max=65");
		fails("lease-time", connectString(), "distributed-lock.lease-time=0s");
	}

	private void fails(String property, String... values) {
		this.contextRunner.withPropertyValues(values)
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.isInstanceOf(InvalidLockConfigurationException.class)
				.hasMessageContaining(property));
	}

	@Test
	void saysWhichDependencyIsMissing() {
		withServer().withClassLoader(new FilteredClassLoader(ZooKeeper.class))
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.isInstanceOf(InvalidLockConfigurationException.class)
				.hasMessageContaining("ZooKeeper client"));
	}

	@Test
	void keepsStrangersOutOfItsNodes() {
		ApplicationContextRunner guarded = withServer().withPropertyValues("distributed-lock.zookeeper.root=/guarded",
				"distributed-lock.zookeeper.acl=auth::cdrwa");
		guarded.withPropertyValues("distributed-lock.zookeeper.auth=digest:locks:sec,ret:x,y").run((context) -> {
			context.getBean(LockTemplate.class).acquire(LockRequest.of("order:42")).close();
			guarded.withPropertyValues("distributed-lock.zookeeper.auth=digest:stranger:guess")
				.run((stranger) -> assertThatExceptionOfType(LockUnavailableException.class)
					.isThrownBy(() -> stranger.getBean(LockTemplate.class)
						.acquire(LockRequest.of("order:42").waitTime(Duration.ofSeconds(2))))
					.withMessageContaining("NOAUTH"));
		});
	}

	@Test
	void startsServersInsideTheApplication(CapturedOutput output) {
		this.contextRunner
			.withConfiguration(AutoConfigurations.of(LockHealthContributorAutoConfiguration.class,
					HealthContributorAutoConfiguration.class))
			.withPropertyValues("distributed-lock.embedded.zookeeper=3")
			.run((context) -> {
				assertThat(context).hasSingleBean(EmbeddedZooKeeperEnsemble.class).doesNotHaveBean(EmbeddedRedis.class);
				EmbeddedZooKeeperEnsemble ensemble = context.getBean(EmbeddedZooKeeperEnsemble.class);
				assertThat(ensemble.servers()).hasSize(3);
				context.getBean(LockTemplate.class).acquire(LockRequest.of("embedded")).close();
				assertThat(output)
					.contains("backend zookeeper, servers [" + ensemble.connectString() + "], lease 30s, fencing on");
				assertThat(context.getBean(LockHealthIndicator.class).health().toString()).contains("state=connected")
					.containsPattern(
							"note=session 0x[0-9a-f]+ with a timeout of 15000 ms, connected to (localhost|127.0.0.1):")
					.containsPattern("is proven to be alive for another [0-9]+ ms")
					.contains("scope=this instance only");
			});
	}

	@Test
	void startsOneServerForAnExplicitEmbeddedBackend() {
		this.contextRunner
			.withPropertyValues("distributed-lock.embedded.zookeeper=1", "distributed-lock.backend=embedded")
			.run((context) -> {
				assertThat(context.getBean(LockBackend.class).name()).isEqualTo("zookeeper");
				context.getBean(LockTemplate.class).acquire(LockRequest.of("embedded")).close();
			});
	}

	@Test
	void refusesEmbeddedServersBesideOthers() {
		fails("embedded.zookeeper", "distributed-lock.embedded.zookeeper=0");
		fails("embedded.zookeeper", "distributed-lock.embedded.zookeeper=1", connectString());
		fails("embedded.zookeeper", "distributed-lock.embedded.zookeeper=1", "distributed-lock.nodes=redis://redis-1");
		this.contextRunner.withPropertyValues("distributed-lock.embedded.zookeeper=3")
			.withClassLoader(new FilteredClassLoader(EmbeddedZooKeeperEnsemble.class))
			.run((context) -> assertThat(context).getFailure().rootCause().hasMessageContaining("quorlock-embedded"));
	}

	@Test
	void refusesWhatNeedsAMessageToTheHolder() {
		withEndpoint().run((context) -> {
			LockTemplate template = context.getBean(LockTemplate.class);
			LocksEndpoint endpoint = context.getBean(LocksEndpoint.class);
			String reason = "Requests to release a lock are not passed on by the backend 'zookeeper'";
			try (LockHandle lock = template.acquire(LockRequest.of("report"))) {
				assertThatExceptionOfType(UnsupportedOperationException.class)
					.isThrownBy(() -> lock.onReleaseRequested((request) -> lock.close()))
					.withMessageContaining(reason);
				assertThatExceptionOfType(UnsupportedOperationException.class)
					.isThrownBy(() -> template.requestRelease("report", Duration.ofSeconds(1)))
					.withMessageContaining(reason);
				assertThatExceptionOfType(InvalidEndpointRequestException.class)
					.isThrownBy(() -> endpoint.requestRelease(null, "report"))
					.withMessageContaining(reason);
				assertThat(lock.isHeld()).isTrue();
			}
			assertThatIllegalArgumentException()
				.isThrownBy(() -> template.acquire(LockRequest.of("report").retainTime(Duration.ofSeconds(10))))
				.withMessageContaining("ZooKeeper cannot retain a lease");
			template.acquire(LockRequest.of("report").retainTime(Duration.ZERO)).close();
		});
	}

	@Test
	void listsTheQueueOfANameInOrder() {
		withEndpoint().run((context) -> {
			LockTemplate template = context.getBean(LockTemplate.class);
			try (LockHandle lock = template.acquire(LockRequest.of("queued"))) {
				withServer().withPropertyValues("distributed-lock.instance-id=second").run((second) -> {
					second.getBean(LockTemplate.class)
						.acquireAsync(LockRequest.of("queued").waitTime(Duration.ofMinutes(1)));
					LocksEndpoint endpoint = context.getBean(LocksEndpoint.class);
					Awaitility.await().until(() -> endpoint.lock("queued").nodes().get(0).queue() != null);
					LockDescriptor described = endpoint.lock("queued");
					assertThat(described.state()).isEqualTo("held");
					assertThat(described.nodes().get(0).fenceReservedUpTo())
						.isGreaterThanOrEqualTo(lock.fencingToken());
					assertThat(described.nodes().get(0).queue()).singleElement()
						.satisfies((waiter) -> assertThat(waiter.owner()).startsWith("second"))
						.satisfies((waiter) -> assertThat(waiter.mode()).isEqualTo("exclusive"));
				});
			}
		});
	}

	private ApplicationContextRunner withEndpoint() {
		return withServer().withConfiguration(AutoConfigurations.of(LocksEndpointAutoConfiguration.class))
			.withPropertyValues("management.endpoints.web.exposure.include=locks");
	}

	private ApplicationContextRunner withServer() {
		return this.contextRunner.withPropertyValues(connectString());
	}

	private static String connectString() {
		return "distributed-lock.zookeeper.connect-string=" + server.connectString();
	}

}
