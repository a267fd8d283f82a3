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

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.Jedis;

import io.quorlock.embedded.EmbeddedRedis;
import io.quorlock.embedded.EmbeddedRedisNode;
import io.quorlock.system.CostCounter.Cost;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What an exclusive lock costs of which nothing special is asked: counts, which do not
 * depend on the machine. Lower the bounds when it gets cheaper.
 */
@Tag("long")
class PlainPathCostTests {

	/** How much more than the present cost is an error. */
	private static final double TOLERANCE = 1.1;

	private static final int ACQUIRE_BYTES = 254;

	private static final int RELEASE_BYTES = 206;

	/** Of five nodes in memory, on the thread of the caller. */
	private static final int ACQUIRE_ENTRIES = 482;

	private static final int RELEASE_ENTRIES = 198;

	private static final int ACQUIRE_OBJECTS = 41;

	private static final int RELEASE_OBJECTS = 16;

	/** Of a cycle over one server, on all threads. */
	private static final int CYCLE_ENTRIES = 760;

	private static final int CYCLE_OBJECTS = 88;

	private static final int CYCLES = 2_000;

	private static EmbeddedRedis redis;

	@BeforeAll
	static void start() {
		redis = EmbeddedRedis.start(1);
	}

	@AfterAll
	static void stop() {
		redis.close();
	}

	@Test
	void acquireEntersFewMethodsAndMakesFewObjects() throws Exception {
		try (Workload workload = Workload.inMemory(5)) {
			Cost acquire = workload.acquire();
			assertThat(acquire.methodEntries()).as(acquire.toString()).isLessThan(bound(ACQUIRE_ENTRIES));
			assertThat(acquire.objectsMade()).as(acquire.toString()).isLessThan(bound(ACQUIRE_OBJECTS));
		}
	}

	@Test
	void releaseEntersFewMethodsAndMakesFewObjects() throws Exception {
		try (Workload workload = Workload.inMemory(5)) {
			Cost release = workload.release();
			assertThat(release.methodEntries()).as(release.toString()).isLessThan(bound(RELEASE_ENTRIES));
			assertThat(release.objectsMade()).as(release.toString()).isLessThan(bound(RELEASE_OBJECTS));
		}
	}

	@Test
	void cycleOverServerEntersFewMethodsAndMakesFewObjects() throws Exception {
		EmbeddedRedisNode node = redis.nodes().get(0);
		try (Workload workload = Workload.over(List.of(node.uri()));
				Jedis jedis = new Jedis("127.0.0.1", node.port())) {
			double micros = scriptMicros(jedis);
			Cost cycles = workload.cycles(CYCLES);
			// Not checked, since it depends on the machine.
			System.out.printf("The scripts of a cycle take the server %.1f µs%n",
					(scriptMicros(jedis) - micros) / CYCLES);
			assertThat(cycles.methodEntries() / CYCLES).as(cycles.toString()).isLessThan(bound(CYCLE_ENTRIES));
			assertThat(cycles.objectsMade() / CYCLES).as(cycles.toString()).isLessThan(bound(CYCLE_OBJECTS));
		}
	}

	@Test
	void acquireAndReleaseAreOneShortCommandEach() throws Exception {
		try (CommandTap tap = new CommandTap(redis.nodes().get(0));
				PlainPathWorkload workload = PlainPathWorkload.over(List.of(tap.uri()))) {
			AutoCloseable handle = workload.call();
			List<byte[]> acquire = tap.commands("order:4711");
			handle.close();
			List<byte[]> both = tap.commands("order:4711");
			assertThat(acquire).hasSize(1);
			assertThat(acquire.get(0)).hasSizeLessThan(bound(ACQUIRE_BYTES));
			assertThat(both).hasSize(2);
			assertThat(both.get(1)).hasSizeLessThan(bound(RELEASE_BYTES));
		}
	}

	private static int bound(int present) {
		return (int) Math.round(present * TOLERANCE);
	}

	private static double scriptMicros(Jedis jedis) {
		Matcher found = Pattern.compile("cmdstat_(?:evalsha|eval|fcall):calls=\\d+,usec=(\\d+)")
			.matcher(jedis.info("commandstats"));
		double micros = 0;
		while (found.find()) {
			micros += Double.parseDouble(found.group(1));
		}
		return micros;
	}

	/** A workload whose code is counted. */
	private record Workload(Callable<AutoCloseable> locks) implements AutoCloseable {

		/** Until classes are loaded and caches are full. */
		private static final int WARM_UP = 20;

		private static final int REPETITIONS = 10;

		static Workload inMemory(int nodes) throws Exception {
			return warm("inMemory", int.class, nodes);
		}

		static Workload over(List<String> uris) throws Exception {
			return warm("over", List.class, uris);
		}

		@SuppressWarnings("unchecked")
		private static Workload warm(String factory, Class<?> type, Object argument) throws Exception {
			Class<?> loaded = new CountingLoader().loadClass(PlainPathWorkload.class.getName());
			Workload workload = new Workload(
					(Callable<AutoCloseable>) loaded.getMethod(factory, type).invoke(null, argument));
			workload.cycles(WARM_UP);
			return workload;
		}

		/** Return the cost without what takes place from time to time only. */
		Cost acquire() throws Exception {
			List<Cost> costs = new ArrayList<>();
			for (int i = 0; i < REPETITIONS; i++) {
				CostCounter.reset();
				AutoCloseable handle = this.locks.call();
				costs.add(CostCounter.take());
				handle.close();
			}
			return Cost.min(costs);
		}

		Cost release() throws Exception {
			List<Cost> costs = new ArrayList<>();
			for (int i = 0; i < REPETITIONS; i++) {
				AutoCloseable handle = this.locks.call();
				CostCounter.reset();
				handle.close();
				costs.add(CostCounter.take());
			}
			return Cost.min(costs);
		}

		Cost cycles(int count) throws Exception {
			CostCounter.reset();
			for (int i = 0; i < count; i++) {
				this.locks.call().close();
			}
			return CostCounter.take();
		}

		@Override
		public void close() throws Exception {
			((AutoCloseable) this.locks).close();
		}

	}

}
