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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import io.quorlock.LockNotAcquiredException;
import io.quorlock.LockRequest;
import io.quorlock.LockTemplate;
import io.quorlock.embedded.EmbeddedRedis;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Two locks that are taken in opposite order: a deadlock, which ends with the wait time,
 * and each exception names the holder in the way.
 */
class OppositeOrderTests {

	private static final Duration WAIT = Duration.ofSeconds(1);

	private static EmbeddedRedis redis;

	@BeforeAll
	static void startRedis() {
		redis = EmbeddedRedis.start(3);
	}

	@AfterAll
	static void stopRedis() {
		redis.close();
	}

	@Test
	void twoInstancesLearnOfEachOther() throws Exception {
		try (RealEngine first = RealEngine.start(RealEngine.settings("first@host:1"), redis.uris());
				RealEngine second = RealEngine.start(RealEngine.settings("second@host:2"), redis.uris())) {
			Deadlock deadlock = new Deadlock(first.template, second.template);
			assertEndsWithTheWait(deadlock.firstFailure(), "Lock 'b' was not acquired", "second@host:2 holds it");
			assertEndsWithTheWait(deadlock.secondFailure(), "Lock 'a' was not acquired", "first@host:1 holds it");
			assertThat(first.template.tryAcquire(LockRequest.ofAll("a", "b").waitTime(Duration.ofSeconds(20))))
				.isPresent();
		}
	}

	@Test
	void twoThreadsOfOneInstanceLearnOfEachOther() throws Exception {
		try (RealEngine engine = RealEngine.start(RealEngine.settings("only@host:1"), redis.uris())) {
			Deadlock deadlock = new Deadlock(engine.template, engine.template);
			assertEndsWithTheWait(deadlock.firstFailure(), "Lock 'b' was not acquired",
					"thread 'second' of this instance has held 'b'");
			assertEndsWithTheWait(deadlock.secondFailure(), "Lock 'a' was not acquired",
					"thread 'first' of this instance has held 'a'");
		}
	}

	private static void assertEndsWithTheWait(LockNotAcquiredException failure, String... messages) {
		assertThat(failure).hasMessageContainingAll(messages);
		assertThat(failure.getWaited()).isBetween(WAIT.minusMillis(500), WAIT.plusSeconds(5));
	}

	/** The first that fails lets the other one go on only after both have failed. */
	private static final class Deadlock {

		private final CyclicBarrier bothHoldOne = new CyclicBarrier(2);

		private final CyclicBarrier bothFailed = new CyclicBarrier(2);

		private final CompletableFuture<LockNotAcquiredException> first = new CompletableFuture<>();

		private final CompletableFuture<LockNotAcquiredException> second = new CompletableFuture<>();

		Deadlock(LockTemplate first, LockTemplate second) {
			new Thread(() -> run(first, "a", "b", this.first), "first").start();
			new Thread(() -> run(second, "b", "a", this.second), "second").start();
		}

		private void run(LockTemplate template, String outer, String inner,
				CompletableFuture<LockNotAcquiredException> result) {
			try {
				template.executeWithoutResult(LockRequest.of(outer).waitTime(Duration.ofSeconds(20)), () -> {
					this.bothHoldOne.await(30, TimeUnit.SECONDS);
					result.complete(failure(template, inner));
					this.bothFailed.await(30, TimeUnit.SECONDS);
				});
			}
			catch (Exception ex) {
				result.completeExceptionally(ex);
			}
		}

		private static @Nullable LockNotAcquiredException failure(LockTemplate template, String name) {
			try {
				template.acquire(LockRequest.of(name).waitTime(WAIT)).close();
				return null;
			}
			catch (LockNotAcquiredException ex) {
				return ex;
			}
		}

		LockNotAcquiredException firstFailure() throws Exception {
			return this.first.get(60, TimeUnit.SECONDS);
		}

		LockNotAcquiredException secondFailure() throws Exception {
			return this.second.get(60, TimeUnit.SECONDS);
		}

	}

}
