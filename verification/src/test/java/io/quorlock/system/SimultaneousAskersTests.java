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
import java.util.Optional;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import io.quorlock.LockException;
import io.quorlock.LockHandle;
import io.quorlock.LockRequest;
import io.quorlock.LockTemplate;
import io.quorlock.LockUnavailableException;
import io.quorlock.embedded.EmbeddedRedis;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Several that ask at one instant and do not wait, as scheduled jobs do: one of them gets
 * the lock, each time (R4). {@code -Dsimultaneous.rounds=10000} runs more rounds.
 */
class SimultaneousAskersTests {

	private static final int ROUNDS = Integer.getInteger("simultaneous.rounds", 150);

	/** A round takes some milliseconds, and many times that on a busy machine. */
	private static final Duration TIMEOUT = Duration.ofMinutes(2).plusMillis(500L * ROUNDS);

	private static EmbeddedRedis redis;

	private final List<AutoCloseable> opened = new ArrayList<>();

	@BeforeAll
	static void startRedis() {
		redis = EmbeddedRedis.start(3);
	}

	@AfterAll
	static void stopRedis() {
		redis.close();
	}

	@AfterEach
	void close() throws Exception {
		for (int i = this.opened.size() - 1; i >= 0; i--) {
			this.opened.get(i).close();
		}
	}

	@Test
	@Tag("long")
	void oneOfThreeZonesGetsTheLock() throws Exception {
		Zones zones = Zones.start(redis);
		this.opened.add(zones);
		zones.instances().forEach(SimultaneousAskersTests::awaitLock);
		assertOneWinnerEachTime("zone", zones.instances(), Duration.ofMillis(1));
	}

	@Test
	void oneOfEightInstancesGetsTheLock() throws Exception {
		List<LockTemplate> instances = new ArrayList<>();
		for (int i = 0; i < 8; i++) {
			instances.add(instance(i, redis.uris()));
		}
		assertOneWinnerEachTime("instance", instances, Duration.ofNanos(300_000));
	}

	@Test
	void oneOfFourThreadsGetsTheLock() throws Exception {
		LockTemplate template = instance(0, redis.uris());
		assertOneWinnerEachTime("thread", List.of(template, template, template, template), Duration.ZERO);
	}

	/**
	 * Until the instances have found out that they use the same servers under other
	 * names, a majority of each list is needed.
	 */
	private static void awaitLock(LockTemplate template) {
		Awaitility.await()
			.ignoreExceptionsInstanceOf(LockUnavailableException.class)
			.untilAsserted(() -> template.acquire(LockRequest.of("started")).close());
	}

	private LockTemplate instance(int number, List<String> uris) {
		RealEngine engine = RealEngine.start(Zones.settings("app@host:" + number), uris);
		this.opened.add(engine);
		return engine.template;
	}

	private void assertOneWinnerEachTime(String name, List<LockTemplate> askers, Duration spread) throws Exception {
		CyclicBarrier barrier = new CyclicBarrier(askers.size());
		ExecutorService threads = Executors.newFixedThreadPool(askers.size());
		this.opened.add(threads::shutdownNow);
		List<Future<int[]>> wins = new ArrayList<>();
		for (int i = 0; i < askers.size(); i++) {
			LockTemplate template = askers.get(i);
			long late = spread.toNanos() * i / askers.size();
			wins.add(threads.submit(() -> ask(template, name, barrier, late)));
		}
		int[] winners = new int[ROUNDS];
		for (Future<int[]> asker : wins) {
			int[] won = won(asker, wins);
			for (int round = 0; round < ROUNDS; round++) {
				winners[round] += won[round];
			}
		}
		assertThat(winners).containsOnly(1);
	}

	/** If one asker fails, the others wait for it in vain: the failure counts. */
	private static int[] won(Future<int[]> asker, List<Future<int[]>> all) throws Exception {
		try {
			return asker.get(TIMEOUT.toSeconds(), TimeUnit.SECONDS);
		}
		catch (ExecutionException ex) {
			for (Future<int[]> other : all) {
				try {
					other.get(10, TimeUnit.SECONDS);
				}
				catch (ExecutionException failure) {
					if (failure.getCause() instanceof LockException) {
						throw failure;
					}
				}
			}
			throw ex;
		}
	}

	/** The winner holds the lock until all have asked. */
	private static int[] ask(LockTemplate template, String name, CyclicBarrier barrier, long lateNanos)
			throws Exception {
		int[] won = new int[ROUNDS];
		for (int round = 0; round < ROUNDS; round++) {
			barrier.await(1, TimeUnit.MINUTES);
			LockSupport.parkNanos(lateNanos);
			Optional<LockHandle> lock = template.tryAcquire(LockRequest.of(name).key(round).waitTime(Duration.ZERO));
			barrier.await(1, TimeUnit.MINUTES);
			if (lock.isPresent()) {
				won[round] = 1;
				lock.get().close();
			}
		}
		return won;
	}

}
