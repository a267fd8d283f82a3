package io.quorlock.autoconfigure;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.SmartLifecycle;

import io.quorlock.LockHandle;
import io.quorlock.LockRequest;
import io.quorlock.LockTemplate;
import io.quorlock.embedded.EmbeddedRedis;
import io.quorlock.embedded.EmbeddedRedisNode;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for what a context leaves behind, and for the order in which it stops.
 */
class LockLifecycleTests {

	private static final int STARTS = 50;

	private static final EmbeddedRedis redis = EmbeddedRedis.start(3);

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(LockAutoConfiguration.class))
		.withPropertyValues("distributed-lock.restart-quarantine=0s",
				"distributed-lock.nodes=" + String.join(",", redis.uris()));

	@AfterAll
	static void stopRedis() {
		redis.close();
	}

	@Test
	void contextsLeaveNoThreadAndNoConnectionBehind() {
		useLocks(this.contextRunner);
		assertNothingIsLeft(this.contextRunner);
	}

	@Test
	void contextsOnTheApplicationsRedisLeaveNothingBehind() {
		for (String driver : List.of("lettuce", "jedis")) {
			ApplicationContextRunner runner = new ApplicationContextRunner()
				.withConfiguration(AutoConfigurations.of(DataRedisAutoConfiguration.class, LockAutoConfiguration.class))
				.withPropertyValues("distributed-lock.backend=redis", "spring.data.redis.client-type=" + driver,
						"spring.data.redis.url=" + redis.uris().get(0));
			useLocks(runner);
			assertNothingIsLeft(runner);
		}
	}

	private static void assertNothingIsLeft(ApplicationContextRunner runner) {
		Awaitility.await().until(() -> connections() == 3);
		Set<Thread> before = Thread.getAllStackTraces().keySet();
		for (int i = 0; i < STARTS; i++) {
			useLocks(runner);
		}
		Awaitility.await().atMost(Duration.ofSeconds(20)).untilAsserted(() -> {
			Set<String> left = Thread.getAllStackTraces()
				.keySet()
				.stream()
				.filter((thread) -> !before.contains(thread) && thread.getName().startsWith("quorlock"))
				.map(Thread::getName)
				.collect(Collectors.toSet());
			assertThat(left).isEmpty();
			// Only the one that asks is connected.
			assertThat(connections()).isEqualTo(3);
		});
	}

	private static void useLocks(ApplicationContextRunner runner) {
		runner.run((context) -> {
			LockTemplate template = context.getBean(LockTemplate.class);
			LockRequest request = LockRequest.of("order").waitTime(Duration.ofSeconds(20));
			try (LockHandle handle = template.acquire(request)) {
				assertThat(handle.isHeld()).isTrue();
				// Somebody waits, so that there is a subscription as well.
				template.tryAcquire(request.waitTime(Duration.ofMillis(20)));
			}
		});
	}

	private static long connections() {
		return redis.nodes()
			.stream()
			.map((EmbeddedRedisNode node) -> String.valueOf(node.execute("CLIENT", "LIST")))
			.flatMap(String::lines)
			.filter((line) -> !line.isBlank())
			.count();
	}

	@Test
	void beansThatUseLocksStopFirstAndHeldLocksAreReleased() {
		this.contextRunner.withBean(LastUser.class).run((context) -> {
			LockTemplate template = context.getBean(LockTemplate.class);
			LockHandle forgotten = template.acquire(LockRequest.of("forgotten").waitTime(Duration.ofSeconds(20)));
			LastUser user = context.getBean(LastUser.class);
			context.close();
			assertThat(user.lockedWhileStopping).isTrue();
			assertThat(forgotten.isHeld()).isFalse();
			assertThat(redis.nodes()).map((node) -> String.valueOf(node.execute("EXISTS", "lock:{forgotten}")))
				.containsOnly("0");
		});
	}

	/** Stops as late as a web server does. */
	static class LastUser implements SmartLifecycle {

		private final LockTemplate template;

		private volatile boolean running;

		private volatile boolean lockedWhileStopping;

		LastUser(LockTemplate template) {
			this.template = template;
		}

		@Override
		public void start() {
			this.running = true;
		}

		@Override
		public void stop() {
			this.running = false;
			this.lockedWhileStopping = this.template.tryExecute(LockRequest.of("last").waitTime(Duration.ofSeconds(20)),
					() -> {
					});
		}

		@Override
		public boolean isRunning() {
			return this.running;
		}

		@Override
		public int getPhase() {
			return SmartLifecycle.DEFAULT_PHASE - 2048;
		}

	}

}
