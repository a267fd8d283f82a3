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
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import io.quorlock.LockHandle;
import io.quorlock.LockRequest;
import io.quorlock.embedded.EmbeddedRedis;
import io.quorlock.embedded.EmbeddedRedisNode;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The watchdog with many locks (R6).
 */
@Tag("long")
class RenewalLoadTests {

	private static final int LOCKS = 10_000;

	private static final Duration LEASE = Duration.ofSeconds(12);

	@Test
	void tenThousandLocksOutliveThreeRenewalsWithOneCommandPerNodeEach() {
		try (EmbeddedRedis redis = EmbeddedRedis.start(5);
				RealEngine engine = RealEngine.start(RealEngine.settings("many@test:1", LEASE, Duration.ofSeconds(5)),
						redis.uris())) {
			for (int i = 0; i < 1_000; i++) {
				engine.template.acquire(LockRequest.of("cycle").key(i % 7)).close();
			}
			List<LockHandle> locks = acquireAll(engine);
			long start = System.nanoTime();
			List<Long> before = redis.nodes().stream().map(RenewalLoadTests::renewals).toList();
			// Three thirds, and the last one's answer.
			Duration observed = LEASE.plusMillis(500);
			// On a machine that has much else to do the last renewals come a little
			// later.
			Awaitility.await()
				.atMost(observed.plusSeconds(10))
				.until(() -> System.nanoTime() - start >= observed.toNanos()
						&& minRenewals(redis, before) >= 3L * LOCKS * 9 / 10);
			double thirds = (System.nanoTime() - start) / (LEASE.toNanos() / 3.0);
			assertThat(locks).allMatch(LockHandle::isHeld);
			for (int i = 0; i < redis.nodes().size(); i++) {
				long renewals = renewals(redis.node(i)) - before.get(i);
				assertThat(renewals).isLessThanOrEqualTo((long) (thirds * LOCKS * 1.1));
			}
			CompletableFuture
				.allOf(locks.stream()
					.map((lock) -> lock.closeAsync().toCompletableFuture())
					.toArray(CompletableFuture[]::new))
				.join();
			redis.nodes()
				.forEach((node) -> Awaitility.await()
					.atMost(Duration.ofSeconds(20))
					.until(() -> node.execute("EVAL", "return #redis.call('KEYS', 'lock:{many:*}')", "0").equals(0L)));
		}
	}

	private static List<LockHandle> acquireAll(RealEngine engine) {
		List<LockHandle> locks = new ArrayList<>();
		for (int from = 0; from < LOCKS; from += 500) {
			List<CompletableFuture<LockHandle>> batch = new ArrayList<>();
			for (int i = from; i < from + 500; i++) {
				batch.add(engine.template.acquireAsync(LockRequest.of("many").key(i)).toCompletableFuture());
			}
			batch.forEach((lock) -> locks.add(lock.join()));
		}
		return locks;
	}

	private static long minRenewals(EmbeddedRedis redis, List<Long> before) {
		return IntStream.range(0, before.size())
			.mapToLong((i) -> renewals(redis.node(i)) - before.get(i))
			.min()
			.orElse(0);
	}

	/** A renewal is the only command that sets an expiry. */
	private static long renewals(EmbeddedRedisNode node) {
		Matcher calls = Pattern.compile("cmdstat_pexpire:calls=(\\d+)")
			.matcher(String.valueOf(node.execute("INFO", "commandstats")));
		return calls.find() ? Long.parseLong(calls.group(1)) : 0;
	}

}
