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

package io.quorlock.quorum;

import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import io.quorlock.quorum.node.InMemoryLockNode;
import io.quorlock.quorum.node.OtherList;
import io.quorlock.time.SystemClock;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Voters.KnownLists}: joint majorities (R10).
 */
class KnownListsTests {

	private static final int SERVERS = 6;

	@Test
	void majorityOfEachListIsNeededWhileBothAreInUse() {
		Voters voters = voters(0b1011);
		assertThat(voters.isMajority(slots(0b1011, 0b1001))).isTrue();
		report(voters, 0b1011, 0b0111, 100);
		assertThat(voters.isMajority(slots(0b1011, 0b1001))).isFalse();
		assertThat(voters.isMajority(slots(0b1011, 0b0011))).isTrue();
		voters.lists.report(0, List.of(), 50);
		assertThat(voters.isMajority(slots(0b1011, 0b1001))).isTrue();
	}

	@Test
	void listThatIsNotSeenAgainIsForgottenNoSoonerThanItMay() {
		Voters voters = voters(0b1011);
		report(voters, 0b1011, 0b0111, 100);
		voters.lists.report(1, List.of(), 99);
		assertThat(voters.isMajority(slots(0b1011, 0b1001))).isFalse();
		voters.lists.report(1, List.of(), 100);
		assertThat(voters.isMajority(slots(0b1011, 0b1001))).isTrue();
	}

	@Test
	void listOfWhichNoMajorityCanBeHadIsNamedWithItsUser() {
		Voters voters = voters(0b0011);
		report(voters, 0b0011, 0b1101, 100);
		assertThat(voters.isMajority(0b11)).isFalse();
		assertThat(voters.lists.describe("shop@b:2", 0b11)).contains("shop@b:2 uses n0:1,n1:1",
				"shop@a:1 uses n0:1,n2:1,n3:1, of which 2 of 3 nodes are needed and 1 votes");
		assertThat(voters(0b0011).lists.describe("shop@b:2", 0b11)).isEmpty();
	}

	/**
	 * The first instance knows nothing of the second, for ever: whatever majority it has,
	 * no joint majority of the second goes without one of its nodes.
	 */
	@Test
	void everyJointMajorityMeetsEveryMajorityOfTheOtherList() {
		for (int first = 1; first < 1 << SERVERS; first++) {
			for (int second = 1; second < 1 << SERVERS; second++) {
				if ((first & second) != 0 && Integer.bitCount(first) <= 5 && Integer.bitCount(second) <= 5) {
					check(first, second);
				}
			}
		}
	}

	private static void check(int first, int second) {
		Voters voters = voters(second);
		report(voters, second, first, 100);
		for (int held = first; held > 0; held = (held - 1) & first) {
			if (Integer.bitCount(held) > Integer.bitCount(first) / 2) {
				assertThat(voters.isMajority(slots(second, second & ~held))).as("%s, %s", first, second).isFalse();
			}
		}
	}

	private static Voters voters(int list) {
		return new Voters(names(list).stream().map((name) -> new InMemoryLockNode(name, new SystemClock())).toList());
	}

	private static void report(Voters voters, int own, int other, long untilNanos) {
		List<String> names = names(other);
		voters.lists.report(0, List.of(new OtherList(String.join(",", names), names.size(),
				() -> Set.copyOf(names(own & other)), "shop@a:1", untilNanos)), 0);
	}

	private static List<String> names(int list) {
		return IntStream.range(0, SERVERS).filter((i) -> (list & 1 << i) != 0).mapToObj((i) -> "n" + i + ":1").toList();
	}

	/** Servers as the places that they have in a list. */
	private static long slots(int list, int servers) {
		List<String> names = names(list);
		return names(servers & list).stream().mapToLong((name) -> Voters.bit(names.indexOf(name))).sum();
	}

}
