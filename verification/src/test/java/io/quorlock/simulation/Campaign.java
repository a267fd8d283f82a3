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

package io.quorlock.simulation;

import java.lang.management.ManagementFactory;
import java.util.function.LongSupplier;

import org.jspecify.annotations.Nullable;

/**
 * Many schedules, one seed after another.
 */
final class Campaign {

	/**
	 * What came out of it.
	 *
	 * @param schedules how many were run
	 * @param steps how many events there were in all of them
	 * @param nanos how long it took
	 * @param failedSeed the seed of the first violation
	 * @param violation the first violation, or {@code null}
	 */
	record Result(long schedules, long steps, long nanos, long failedSeed, @Nullable Violation violation) {

		double schedulesPerSecond() {
			return this.schedules * 1e9 / this.nanos;
		}

	}

	private Campaign() {
	}

	/** Runs until a violation, or so many schedules, or so long. */
	static Result run(long firstSeed, long schedules, long nanos) {
		return run(firstSeed, schedules, nanos, System::nanoTime);
	}

	private static Result run(long firstSeed, long schedules, long nanos, LongSupplier time) {
		long begin = time.getAsLong();
		long steps = 0;
		long seed = firstSeed;
		for (; seed < firstSeed + schedules && time.getAsLong() - begin < nanos; seed++) {
			World world = new World(seed, false);
			try {
				world.run();
			}
			catch (Violation ex) {
				return new Result(seed - firstSeed + 1, steps, time.getAsLong() - begin, seed, ex);
			}
			steps += world.steps();
		}
		return new Result(seed - firstSeed, steps, time.getAsLong() - begin, 0, null);
	}

	/**
	 * For a mutant, which lives in another class loader. The time is that of the CPU,
	 * since a busy machine hunts no less.
	 * @return the invariant that was violated, or an empty string, and the schedules run
	 */
	public static String[] hunt(long firstSeed, long schedules, long nanos) {
		Result result = run(firstSeed, schedules, nanos, ManagementFactory.getThreadMXBean()::getCurrentThreadCpuTime);
		Violation violation = result.violation();
		return new String[] { (violation != null) ? violation.invariant().name() : "",
				String.valueOf(result.schedules()), (violation != null) ? String.valueOf(violation.getMessage()) : "" };
	}

}
