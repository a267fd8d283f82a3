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

package io.quorlock.benchmarks;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;

import io.quorlock.benchmarks.subject.CrowdVariant;

/**
 * What a crowd did in a slice of time.
 *
 * @param seconds how long it took
 * @param grants grants for each instance
 * @param waits the longest wait
 * @param stallNanos for how long a thread of this JVM that wanted to run did not at most
 * @param failures how many calls failed since the crowd began, by type of exception
 * @param overlaps how often more than one had the lock
 * @param commands what the nodes executed
 * @param requests what the ZooKeeper server received
 */
record CrowdSlice(double seconds, long[] grants, CrowdWaits waits, long stallNanos, Map<String, Long> failures,
		long overlaps, NodeCommands commands, long requests) {

	static final String GRANTS = "grants/s";

	static final String COMMANDS = "commands/node/grant";

	/** In cycles of all instances. */
	static final String TURNS = "longest wait turns";

	/**
	 * The same, less the longest time for which this machine did not let a thread run.
	 */
	static final String UNSTALLED = "longest wait less stall turns";

	/** In grants to all instances. */
	static final String PASSED = "others served meanwhile turns";

	/** As many as a wait may take. */
	private static final int MIN_TURNS = 5;

	static final String UNAVAILABLE = "LockUnavailableException";

	static final String[] METRICS = { GRANTS, COMMANDS, "scripts/node/grant", "published/node/grant", "longest wait ms",
			TURNS, UNSTALLED, PASSED, "longest stall ms", "least grants", "most grants", UNAVAILABLE, "other failures",
			"overlaps" };

	List<Measurement> measured(ForkTask task, CrowdVariant variant, String condition) {
		long all = LongStream.of(this.grants).sum();
		double perSecond = all / this.seconds;
		long unavailable = this.failures.getOrDefault(UNAVAILABLE, 0L);
		long failures = this.failures.values().stream().mapToLong(Long::longValue).sum();
		double[] values = { perSecond, perNodeAndGrant(variant, this.commands.all() + this.requests),
				perNodeAndGrant(variant, this.commands.scripts()), perNodeAndGrant(variant, this.commands.published()),
				this.waits.longestNanos() / 1e6, turns(this.waits.longestNanos(), perSecond),
				turns(this.waits.longestNanos() - this.stallNanos, perSecond),
				(double) this.waits.maxPassed() / this.grants.length, this.stallNanos / 1e6,
				LongStream.of(this.grants).min().orElse(0), LongStream.of(this.grants).max().orElse(0), unavailable,
				failures - unavailable, this.overlaps };
		List<Measurement> measured = new ArrayList<>();
		for (int i = 0; i < METRICS.length; i++) {
			// In so short a time no instance can have waited for too long.
			double value = (METRICS[i].endsWith("turns") && all < MIN_TURNS * this.grants.length)
					? Double.POSITIVE_INFINITY : values[i];
			measured.add(task.measured(variant.id(), condition, 0, METRICS[i], value));
		}
		this.failures
			.forEach((type, count) -> System.out.printf("%s, %s: %d x %s%n", variant.id(), condition, count, type));
		return measured;
	}

	private double turns(long nanos, double grantsPerSecond) {
		return Math.max(0, nanos) / 1e9 * grantsPerSecond / this.grants.length;
	}

	private double perNodeAndGrant(CrowdVariant variant, long count) {
		return (double) count / Math.max(1, variant.nodes()) / Math.max(1, LongStream.of(this.grants).sum());
	}

}
