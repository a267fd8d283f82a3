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

import java.util.Arrays;
import java.util.List;

import io.quorlock.benchmarks.GrantLog.Grant;

/**
 * The longest waits of a crowd.
 *
 * @param longestNanos the longest wait
 * @param maxPassed how often others got the lock during a wait, at most
 */
record CrowdWaits(long longestNanos, long maxPassed) {

	/**
	 * Evaluate the waits.
	 * @param ended those that ended with a grant, by instance; the end is the grant
	 * @param pending those that began and have not ended, by their begins
	 * @param begin waits that ended before do not count
	 * @param end waits that end later have not ended
	 */
	static CrowdWaits of(List<List<Grant>> ended, long[] pending, long begin, long end) {
		long[] grants = ended.stream()
			.flatMapToLong((waits) -> waits.stream().mapToLong(Grant::end))
			.sorted()
			.toArray();
		CrowdWaits longest = new CrowdWaits(0, 0);
		for (List<Grant> waits : ended) {
			for (Grant wait : waits) {
				if (isBetween(wait.end(), begin, end)) {
					longest = longest.or(grants, wait.begin(), wait.end());
				}
			}
		}
		for (long asked : pending) {
			longest = longest.or(grants, asked, end);
		}
		return longest;
	}

	static long[] counts(List<List<Grant>> ended, long begin, long end) {
		return ended.stream()
			.mapToLong((waits) -> waits.stream().filter((wait) -> isBetween(wait.end(), begin, end)).count())
			.toArray();
	}

	private static boolean isBetween(long nanos, long begin, long end) {
		return nanos >= begin && nanos <= end;
	}

	private CrowdWaits or(long[] grants, long from, long to) {
		long passed = before(grants, to) - before(grants, from);
		return new CrowdWaits(Math.max(this.longestNanos, to - from), Math.max(this.maxPassed, passed));
	}

	private static int before(long[] sorted, long nanos) {
		int found = Arrays.binarySearch(sorted, nanos);
		return (found < 0) ? -found - 1 : found;
	}

}
