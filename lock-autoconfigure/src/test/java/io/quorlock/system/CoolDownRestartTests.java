package io.quorlock.system;

import java.time.Duration;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import io.quorlock.LockNotAcquiredException;
import io.quorlock.LockRequest;
import io.quorlock.embedded.EmbeddedRedis;
import io.quorlock.embedded.EmbeddedRedisNode;
import io.quorlock.engine.TestSettings;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * A cool-down that is longer than the quarantine, while the nodes are restarted one by
 * one as docs/operations.md says (R10, R18).
 */
@Tag("long")
class CoolDownRestartTests {

	private static final LockRequest JOB = LockRequest.of("nightly").waitTime(Duration.ZERO);

	@Test
	void coolDownOutlivesTheRestartOfEveryNodeAndTheInstanceThatRan() {
		try (EmbeddedRedis redis = EmbeddedRedis.start(3);
				RealEngine skipping = RealEngine.start(settings("app@host:2"), redis.uris())) {
			try (RealEngine running = RealEngine.start(settings("app@host:1"), redis.uris())) {
				running.template.acquire(JOB.holdAtLeast(Duration.ofMinutes(10))).close();
			}
			assertCoolingDown(skipping);
			for (EmbeddedRedisNode node : redis.nodes()) {
				String runId = runId(skipping, node);
				node.restartEmpty();
				Awaitility.await()
					.atMost(Duration.ofSeconds(60))
					.until(() -> !runId.equals(runId(skipping, node)) && isVoting(skipping, node));
			}
			try (RealEngine later = RealEngine.start(settings("app@host:3"), redis.uris())) {
				assertCoolingDown(later);
			}
			assertCoolingDown(skipping);
		}
	}

	private static void assertCoolingDown(RealEngine instance) {
		assertThatExceptionOfType(LockNotAcquiredException.class).isThrownBy(() -> instance.template.acquire(JOB))
			.withMessageContaining("it cools down for another")
			.withMessageNotContaining("host:1");
	}

	/** The quarantine is as long as the longest lease. */
	private static TestSettings settings(String instance) {
		TestSettings defaults = TestSettings.defaults(instance);
		return new TestSettings(instance, defaults.waitTime(), Duration.ofMillis(1_500), Duration.ofMillis(1_500),
				defaults.maxHoldTime(), Duration.ofSeconds(1), defaults.retryMinDelay(), defaults.retryMaxDelay(),
				defaults.maxAttempts(), defaults.clockDriftFactor(), defaults.fencing(), defaults.fencingRetention(),
				defaults.handoverMax(), defaults.handoverMaxDuration());
	}

	private static boolean isVoting(RealEngine instance, EmbeddedRedisNode server) {
		return instance.nodes.stream()
			.anyMatch((node) -> node.name().endsWith(":" + server.port()) && node.status().isVoting());
	}

	private static String runId(RealEngine instance, EmbeddedRedisNode server) {
		return instance.nodes.stream()
			.filter((node) -> node.name().endsWith(":" + server.port()))
			.map((node) -> String.valueOf(node.status().runId()))
			.findFirst()
			.orElseThrow();
	}

}
