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

package io.quorlock.system;

import java.time.Duration;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Tag;
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
	@Tag("long")
	void waitEndsInTimeWhateverTheSizeOfTheCommands() {
		// A node that hangs is given up after twenty operation timeouts, 40 s.
		try (EmbeddedRedis redis = EmbeddedRedis.start(3);
				RealEngine engine = RealEngine.start(
						RealEngine.settings("app@host:1", Duration.ofSeconds(30), Duration.ofSeconds(2)),
						redis.uris())) {
			redis.node(0).pause();
			redis.node(1).pause();
			// Many of the largest requests that there are: 16 MB.
			for (int i = 0; i < 64; i++) {
				engine.template.acquireAsync(largest(i).waitTime(Duration.ofMillis(300)));
			}
			long start = System.nanoTime();
			assertThatExceptionOfType(LockUnavailableException.class)
				.isThrownBy(() -> engine.template.acquire(largest(64).waitTime(Duration.ofMillis(300))));
			// 300 ms and one operation timeout, if the machine has nothing else to do
			assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(15));
			redis.node(0).resume();
			redis.node(1).resume();
		}
	}

	private static LockRequest largest(int number) {
		return LockRequest.ofAll(IntStream.range(0, LockRequest.MAX_NAMES)
			.mapToObj((i) -> "item:%d:%d:".formatted(number, i) + "x".repeat(1_000))
			.toArray(String[]::new));
	}

}
