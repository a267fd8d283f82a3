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

import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Collectors;

/**
 * What the code of a {@link CountingLoader} did since the last look.
 */
public final class CostCounter {

	/** How many methods are named. */
	private static final int MAX = Integer.getInteger("cost.methods", 20);

	private static final Map<String, LongAdder> entries = new ConcurrentHashMap<>();

	private static final Map<String, LongAdder> objects = new ConcurrentHashMap<>();

	private CostCounter() {
	}

	/** Called where a method begins. */
	public static void entered(String method) {
		entries.computeIfAbsent(method, (key) -> new LongAdder()).increment();
	}

	/** Called where an object is made. */
	public static void made(String method) {
		objects.computeIfAbsent(method, (key) -> new LongAdder()).increment();
	}

	static void reset() {
		entries.clear();
		objects.clear();
	}

	static Cost take() {
		Cost cost = new Cost(counts(entries), counts(objects));
		reset();
		return cost;
	}

	private static Map<String, Long> counts(Map<String, LongAdder> counts) {
		return counts.entrySet()
			.stream()
			.collect(Collectors.toMap(Map.Entry::getKey, (entry) -> entry.getValue().sum()));
	}

	/**
	 * What something costs.
	 *
	 * @param entries how often methods were entered, by method
	 * @param objects how many objects were made, by the method that made them
	 */
	record Cost(Map<String, Long> entries, Map<String, Long> objects) {

		static Cost min(List<Cost> costs) {
			return Collections.min(costs, Comparator.comparingLong(Cost::methodEntries));
		}

		long methodEntries() {
			return sum(this.entries);
		}

		long objectsMade() {
			return sum(this.objects);
		}

		private static long sum(Map<String, Long> counts) {
			return counts.values().stream().mapToLong(Long::longValue).sum();
		}

		@Override
		public String toString() {
			return "%d method entries, %d objects; most entries: %s; most objects: %s".formatted(methodEntries(),
					objectsMade(), greatest(this.entries), greatest(this.objects));
		}

		private static String greatest(Map<String, Long> counts) {
			return counts.entrySet()
				.stream()
				.sorted(Map.Entry.<String, Long>comparingByValue().reversed())
				.limit(MAX)
				.map((entry) -> entry.getKey() + " " + entry.getValue())
				.collect(Collectors.joining(", "));
		}

	}

}
