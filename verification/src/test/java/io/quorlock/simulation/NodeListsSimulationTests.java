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

import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * All pairs of lists of up to five nodes over six servers that have a node in common
 * which both instances reach (R10). The first one reads the record of a node again after
 * ten seconds, which is after the end: it never knows the list of the second, unless that
 * was there before.
 */
@Tag("simulation")
@ExtendWith(QuietEngine.class)
class NodeListsSimulationTests {

	private static final List<String> NAMES = IntStream.range(0, PairOfLists.SERVERS)
		.mapToObj((i) -> "node" + i)
		.toList();

	private static final List<String> OTHER_NAMES = List.of("u", "v", "w", "x", "y", "z");

	private int pairs;

	private int pairsWithGrants;

	@Test
	@Tag("long")
	void listsThatShareANodeWhichBothReachNeverHaveTwoHolders() {
		checkAll((first, second) -> NAMES);
		assertThat(this.pairs).isEqualTo(3_242);
		assertThat(this.pairsWithGrants).isGreaterThan(1_500);
	}

	@Test
	@Tag("long")
	void listsThatShareAServerUnderOtherNamesNeverHaveTwoHolders() {
		checkAll((first, second) -> OTHER_NAMES);
		assertThat(this.pairs).isEqualTo(3_242);
		assertThat(this.pairsWithGrants).isGreaterThan(1_000);
	}

	/** One of the names is that of another server in the first list. */
	@Test
	@Tag("long")
	void nameThatPointsToAnotherServerNeverMakesTwoHolders() {
		checkAll((first, second) -> {
			List<String> names = new ArrayList<>(OTHER_NAMES);
			int place = nth(second, this.pairs % Integer.bitCount(second));
			List<Integer> named = IntStream.range(0, PairOfLists.SERVERS)
				.filter((server) -> server != place && (first & 1 << server) != 0)
				.boxed()
				.toList();
			if (!named.isEmpty()) {
				names.set(place, NAMES.get(named.get(this.pairs / 7 % named.size())));
			}
			return names;
		});
		assertThat(this.pairsWithGrants).isGreaterThan(1_000);
	}

	private static int nth(int list, int n) {
		return IntStream.range(0, PairOfLists.SERVERS)
			.filter((i) -> (list & 1 << i) != 0)
			.skip(n)
			.findFirst()
			.orElseThrow();
	}

	private void checkAll(BiFunction<Integer, Integer, List<String>> names) {
		for (int first = 1; first < 1 << PairOfLists.SERVERS; first++) {
			for (int second = 1; second < 1 << PairOfLists.SERVERS; second++) {
				if ((first & second) != 0 && isList(first) && isList(second)) {
					check(first, second, names.apply(first, second));
				}
			}
		}
	}

	private void check(int first, int second, List<String> names) {
		World world = new World(++this.pairs, false,
				new PairOfLists(first, second, Integer.numberOfTrailingZeros(first & second), names));
		try {
			world.run();
		}
		catch (Violation ex) {
			throw new AssertionError("Lists %s and %s, seed %d".formatted(Integer.toBinaryString(first),
					Integer.toBinaryString(second), this.pairs), ex);
		}
		this.pairsWithGrants += (world.grants() > 1) ? 1 : 0;
	}

	private static boolean isList(int servers) {
		return Integer.bitCount(servers) <= PairOfLists.LONGEST;
	}

}
