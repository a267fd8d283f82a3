package io.quorlock.system;

import java.time.Duration;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import io.quorlock.LockRequest;
import io.quorlock.LockUnavailableException;
import io.quorlock.embedded.EmbeddedRedis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Servers that are stopped (SIGSTOP) while a command is sent to them that no socket's
 * buffer takes.
 */
class HungNodesTests {

	@Test
	void waitEndsInTimeWhateverTheSizeOfTheCommand() {
		LockRequest request = LockRequest
			.ofAll(IntStream.range(0, 40_000).mapToObj((i) -> "item:" + i).toArray(String[]::new));
		// A node that hangs is given up after twenty operation timeouts, 40 s.
		try (EmbeddedRedis redis = EmbeddedRedis.start(3);
				RealEngine engine = RealEngine.start(
						RealEngine.settings("app@host:1", Duration.ofSeconds(30), Duration.ofSeconds(2)),
						redis.uris())) {
			redis.node(0).pause();
			redis.node(1).pause();
			long start = System.nanoTime();
			assertThatExceptionOfType(LockUnavailableException.class)
				.isThrownBy(() -> engine.template.acquire(request.waitTime(Duration.ofMillis(300))));
			// 300 ms and one operation timeout, if the machine has nothing else to do
			assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(15));
			redis.node(0).resume();
			redis.node(1).resume();
		}
	}

}
