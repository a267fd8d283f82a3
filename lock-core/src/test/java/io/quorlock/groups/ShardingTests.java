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

package io.quorlock.groups;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link Sharding} (R23). The vectors stand in docs/groups.md: clients in other
 * languages can check theirs against them.
 */
class ShardingTests {

	private final Sharding three = new Sharding(List.of("c", "a", "b"), Sharding.By.NAME);

	@ParameterizedTest
	@CsvSource({ "order, b57840f0338a071a, 9279f03ef0eba799, 9be429da03ea23c4, a",
			"order:42, ba0ffce3ed47efe1, 1e739c3cecb088da, 350b9446b270c494, a",
			"nightly-report, 40d0751823201e7b, 07e2a1ab8638346a, de7f61bfd9848938, c",
			"\u8ba2\u5355:42, 5d92b22a873098d1, 6247a4e7ec6523e9, 6d73d57c02d20231, c" })
	void weightsAreThoseOfTheDocumentation(String name, String a, String b, String c, String group) {
		assertThat(Sharding.weight("a", name)).isEqualTo(Long.parseUnsignedLong(a, 16));
		assertThat(Sharding.weight("b", name)).isEqualTo(Long.parseUnsignedLong(b, 16));
		assertThat(Sharding.weight("c", name)).isEqualTo(Long.parseUnsignedLong(c, 16));
		assertThat(this.three.groupOf(name)).isEqualTo(group);
	}

	@Test
	void newGroupTakesNamesAndNoOtherNameMoves() {
		Sharding two = new Sharding(List.of("a", "b"), Sharding.By.NAME);
		Map<String, Integer> counts = new HashMap<>();
		for (int i = 0; i < 30_000; i++) {
			String name = "order:" + i;
			String group = this.three.groupOf(name);
			counts.merge(group, 1, Integer::sum);
			assertThat(group).isIn(two.groupOf(name), "c");
		}
		assertThat(counts.values()).allSatisfy((count) -> assertThat(count).isBetween(9_500, 10_500));
	}

	@Test
	void keysOfOneNameStayTogetherByPrefix() {
		Sharding prefix = new Sharding(List.of("a", "b", "c"), Sharding.By.PREFIX);
		for (int i = 0; i < 100; i++) {
			assertThat(prefix.groupOf("order:" + i)).isEqualTo(prefix.groupOf("order"));
		}
		assertThat(prefix.groupOf("nightly-report")).isEqualTo(this.three.groupOf("nightly-report"));
	}

	@Test
	void prefixOfANameThatBeginsWithAColonIsEmpty() {
		Sharding prefix = new Sharding(List.of("a", "b", "c"), Sharding.By.PREFIX);
		for (int i = 0; i < 100; i++) {
			assertThat(prefix.groupOf(":" + i)).isEqualTo(this.three.groupOf(""));
		}
	}

	@Test
	void layoutIsTheSameForEveryOrderOfTheGroups() {
		assertThat(new Sharding(List.of("b", "a"), Sharding.By.PREFIX).layoutOf("a"))
			.isEqualTo("group a of a,b by prefix");
	}

	@Test
	void atLeastOneGroupIsNeeded() {
		assertThatIllegalArgumentException().isThrownBy(() -> new Sharding(List.of(), Sharding.By.NAME));
	}

}
