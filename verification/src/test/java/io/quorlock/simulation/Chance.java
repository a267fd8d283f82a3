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

/**
 * All that is left to chance in a schedule comes from here, so a seed replays it exactly.
 */
final class Chance {

	private long state;

	Chance(long seed) {
		this.state = seed * 0x9E3779B97F4A7C15L;
	}

	/** SplitMix64. */
	long nextLong() {
		this.state += 0x9E3779B97F4A7C15L;
		long z = this.state;
		z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
		z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
		return z ^ (z >>> 31);
	}

	long below(long bound) {
		return (nextLong() >>> 1) % bound;
	}

	/** From low (inclusive) to high (exclusive). */
	long between(long low, long high) {
		return low + below(high - low);
	}

	/** True once in so many times; never for 0. */
	boolean onceIn(int times) {
		return times > 0 && below(times) == 0;
	}

	boolean even() {
		return nextLong() < 0;
	}

	long oneOf(long... values) {
		return values[(int) below(values.length)];
	}

}
