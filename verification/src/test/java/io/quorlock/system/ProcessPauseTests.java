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
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import io.quorlock.LockHandle;
import io.quorlock.LockRequest;
import io.quorlock.LockUnavailableException;
import io.quorlock.embedded.EmbeddedRedis;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What the holder of a lock says that was stopped for longer than its lease (R7).
 */
@Tag("long")
class ProcessPauseTests {

	private static final Duration LEASE = Duration.ofSeconds(5);

	private static final Duration PAUSE = Duration.ofSeconds(8);

	@Test
	void firstLookAfterAPauseSaysLostBeforeAnyTimerRan() throws Exception {
		try (EmbeddedRedis redis = EmbeddedRedis.start(3);
				RealEngine engine = RealEngine.start(RealEngine.settings("waiter@test:1"), redis.uris())) {
			List<String> arguments = new ArrayList<>(List.of(String.valueOf(LEASE.toMillis())));
			arguments.addAll(redis.uris());
			try (ChildJvm holder = ChildJvm.start(PausedHolderProcess.class, arguments)) {
				long token = Long.parseLong(holder.awaitLine("HELD"));
				CompletableFuture<LockHandle> next = engine.template
					.acquireAsync(LockRequest.of("order:42").waitTime(Duration.ofSeconds(30)))
					.toCompletableFuture();
				holder.pause(PAUSE);
				String[] lost = holder.awaitLine("LOST").split(" ");
				assertThat(Long.parseLong(lost[0])).as("ms since it was held").isGreaterThanOrEqualTo(PAUSE.toMillis());
				assertThat(lost[1]).isEqualTo("LockLostException");
				assertThat(lost[2]).as("no timer ran").isEqualTo("true");
				try (LockHandle lock = next.join()) {
					assertThat(lock.fencingToken()).isGreaterThan(token);
				}
			}
		}
	}

	/** The nodes are not blamed for it. */
	@Test
	void requestThatIsUnderWayInAPauseSaysWhoWasLate() throws Exception {
		try (EmbeddedRedis redis = EmbeddedRedis.start(3);
				ChildJvm asking = ChildJvm.start(AskingProcess.class, redis.uris())) {
			asking.awaitLine("ASKING");
			asking.pause(Duration.ofSeconds(1));
			assertThat(asking.awaitLine("LATE")).containsPattern("this process itself was \\d+ ms late");
		}
	}

	/** Asks for a lock over and over, until it is unavailable because of a pause. */
	static final class AskingProcess {

		private AskingProcess() {
		}

		/** Arguments: node URIs. */
		public static void main(String[] uris) {
			try (RealEngine engine = RealEngine
				.start(RealEngine.settings("asking@test:1", LEASE, Duration.ofMillis(100)), List.of(uris))) {
				engine.template.acquire(LockRequest.of("order:42")).close();
				System.out.println("ASKING");
				String failure = "";
				while (!failure.contains("late")) {
					try {
						engine.template.tryAcquire(LockRequest.of("order:42")).ifPresent(LockHandle::close);
					}
					catch (LockUnavailableException ex) {
						failure = String.valueOf(ex.getMessage());
					}
				}
				System.out.println("LATE " + failure);
			}
		}

	}

}
