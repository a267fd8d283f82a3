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
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import io.quorlock.LockHandle;
import io.quorlock.LockRequest;
import io.quorlock.embedded.EmbeddedRedis;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * R24: leases that an instance keeps although it does not use them, on real nodes.
 */
@Timeout(120)
class RetainedLeaseTests {

	private static final Duration HOUR = Duration.ofHours(1);

	private static EmbeddedRedis redis;

	private static RealEngine keeper;

	private static RealEngine asker;

	@BeforeAll
	static void start() {
		redis = EmbeddedRedis.start(3);
		keeper = RealEngine.start(RealEngine.settings("app@host:1"), redis.uris());
		asker = RealEngine.start(RealEngine.settings("app@host:2"), redis.uris());
	}

	@AfterAll
	static void stop() {
		keeper.close();
		asker.close();
		redis.close();
	}

	@Test
	void requestWithoutAWaitGetsAnUnusedLease() {
		long last = 0;
		for (int i = 0; i < 20; i++) {
			RealEngine next = (i % 2 == 0) ? keeper : asker;
			Optional<LockHandle> lock = next.template.tryAcquire(LockRequest.of("idle").retainTime(HOUR));
			assertThat(lock).as("turn %d", i).isPresent();
			assertThat(lock.get().fencingToken()).isGreaterThan(last);
			last = lock.get().fencingToken();
			lock.get().close();
		}
	}

	@Test
	void requestThatWaitsGetsItLongBeforeItWouldHaveBeenGivenUp() {
		keeper.template.acquire(LockRequest.of("wanted").retainTime(HOUR)).close();
		long start = System.nanoTime();
		asker.template.acquire(LockRequest.of("wanted").waitTime(Duration.ofSeconds(20))).close();
		assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(5));
	}

	@Test
	void allGetItInTurnWhereAllWantToKeepIt() throws Exception {
		LockRequest request = LockRequest.of("crowd").retainTime(HOUR).waitTime(Duration.ofSeconds(20));
		AtomicBoolean held = new AtomicBoolean();
		AtomicLong last = new AtomicLong();
		AtomicLong until = new AtomicLong(System.nanoTime() + TimeUnit.SECONDS.toNanos(2));
		List<AtomicInteger> turns = IntStream.range(0, 6).mapToObj((i) -> new AtomicInteger()).toList();
		CompletableFuture<?>[] users = IntStream.range(0, 6).mapToObj((i) -> CompletableFuture.runAsync(() -> {
			RealEngine engine = (i % 2 == 0) ? keeper : asker;
			while (System.nanoTime() < until.get()) {
				try (LockHandle lock = engine.template.acquire(request)) {
					assertThat(held.compareAndSet(false, true)).isTrue();
					assertThat(last.getAndSet(lock.fencingToken())).isLessThan(lock.fencingToken());
					turns.get(i).incrementAndGet();
					held.set(false);
				}
			}
		}, (task) -> new Thread(task, "user-" + i).start())).toArray(CompletableFuture[]::new);
		CompletableFuture.allOf(users).get(60, TimeUnit.SECONDS);
		assertThat(turns).allSatisfy((count) -> assertThat(count.get()).isPositive());
	}

	/**
	 * A request that queues up just as the last holder leaves must not wait for the
	 * timer.
	 */
	@Test
	void noRequestWaitsBehindAnUnusedLease() throws Exception {
		LockRequest kept = LockRequest.of("handed").retainTime(HOUR).waitTime(Duration.ofSeconds(20));
		LockRequest plain = LockRequest.of("handed").leaseTime(Duration.ofSeconds(10)).waitTime(Duration.ofSeconds(20));
		LockRequest several = LockRequest.ofAll("handed", "other").waitTime(Duration.ofSeconds(20));
		CompletableFuture<?>[] users = Stream.of(kept, kept, plain, several, kept)
			.map((request) -> CompletableFuture.runAsync(() -> {
				for (int i = 0; i < 300; i++) {
					keeper.template.acquire(request).close();
				}
			}, (task) -> new Thread(task).start()))
			.toArray(CompletableFuture[]::new);
		CompletableFuture.allOf(users).get(60, TimeUnit.SECONDS);
	}

}
