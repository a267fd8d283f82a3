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
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import io.quorlock.LockHandle;
import io.quorlock.LockRequest;
import io.quorlock.embedded.EmbeddedRedis;
import io.quorlock.embedded.EmbeddedRedisNode;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A thousand waiters on one name, from four engines.
 */
class ManyWaitersTests {

	private static final int ENGINES = 4;

	private static final int WAITERS = 250;

	/** Of an engine: two for each of five nodes, its timer, and one for all nodes. */
	private static final int THREADS = 2 * 5 + 2;

	@Test
	void allAreServedAndNothingIsLeft() throws Exception {
		try (EmbeddedRedis redis = EmbeddedRedis.start(5)) {
			List<RealEngine> engines = new ArrayList<>();
			Set<Thread> before = threads();
			try {
				for (int i = 0; i < ENGINES; i++) {
					engines.add(RealEngine.start(RealEngine.settings("waiters@test:" + i), redis.uris()));
				}
				serveAll(engines, redis);
				Awaitility.await()
					.atMost(Duration.ofSeconds(30))
					.untilAsserted(() -> redis.nodes().forEach(ManyWaitersTests::assertNoTicket));
				Set<Thread> threads = threads();
				threads.removeAll(before);
				assertThat(threads).hasSizeLessThanOrEqualTo(ENGINES * THREADS);
			}
			finally {
				engines.forEach(RealEngine::close);
			}
		}
	}

	private static void serveAll(List<RealEngine> engines, EmbeddedRedis redis) throws Exception {
		AtomicInteger inside = new AtomicInteger();
		AtomicInteger overlaps = new AtomicInteger();
		AtomicLong served = new AtomicLong();
		List<CompletableFuture<?>> waiters = new ArrayList<>();
		LockHandle first = engines.get(0).template.acquire(LockRequest.of("hot"));
		for (RealEngine engine : engines) {
			for (int i = 0; i < WAITERS; i++) {
				waiters.add(engine.template.acquireAsync(LockRequest.of("hot").waitTime(Duration.ofSeconds(120)))
					.thenAccept((lock) -> {
						if (inside.incrementAndGet() != 1) {
							overlaps.incrementAndGet();
						}
						served.incrementAndGet();
						inside.decrementAndGet();
						lock.closeAsync();
					})
					.toCompletableFuture());
			}
		}
		Awaitility.await()
			.atMost(Duration.ofSeconds(30))
			.until(() -> redis.nodes().stream().allMatch((node) -> subscribers(node) == ENGINES));
		redis.nodes().forEach((node) -> assertThat(connections(node)).isLessThanOrEqualTo(2 * ENGINES + 1));
		first.close();
		CompletableFuture.allOf(waiters.toArray(CompletableFuture[]::new)).get(120, TimeUnit.SECONDS);
		assertThat(served).hasValue(ENGINES * WAITERS);
		assertThat(overlaps).hasValue(0);
	}

	/**
	 * Without the subscriptions' readers, and the callback threads that idle in a pool.
	 */
	private static Set<Thread> threads() {
		return Thread.getAllStackTraces()
			.keySet()
			.stream()
			.filter((thread) -> thread.getName().startsWith("quorlock") && !thread.getName().contains("callback")
					&& !thread.getName().contains("subscri"))
			.collect(Collectors.toSet());
	}

	/** One channel for each instance, however many of its claims wait. */
	private static long subscribers(EmbeddedRedisNode node) {
		return ((List<?>) node.execute("PUBSUB", "CHANNELS", "lock:instance:*")).size();
	}

	private static void assertNoTicket(EmbeddedRedisNode node) {
		assertThat(node.execute("EXISTS", "lock:{hot}:line", "lock:{hot}:ends")).isEqualTo(0L);
	}

	private static long connections(EmbeddedRedisNode node) {
		return String.valueOf(node.execute("CLIENT", "LIST")).lines().filter((line) -> !line.isBlank()).count();
	}

}
