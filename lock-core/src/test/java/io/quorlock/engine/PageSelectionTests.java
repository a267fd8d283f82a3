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

package io.quorlock.engine;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link PageSelection}.
 */
class PageSelectionTests {

	@ParameterizedTest
	@ValueSource(longs = { 0, Long.MAX_VALUE - 20, Long.MIN_VALUE, -10 })
	void pagesOfAnySizeAddUpToEverythingInOrder(long origin) {
		Random random = new Random(1);
		for (int run = 0; run < 200; run++) {
			List<Integer> times = new ArrayList<>(
					IntStream.range(0, random.nextInt(30)).map((i) -> random.nextInt(20)).boxed().toList());
			int limit = 1 + random.nextInt(8);
			List<Integer> paged = new ArrayList<>();
			Long after = null;
			boolean more = true;
			while (more) {
				Collections.shuffle(times, random);
				LockPage<Integer> page = page(times, origin, limit, after);
				assertThat(page.total()).isEqualTo(times.size());
				assertThat(page.entries().isEmpty()).isEqualTo(times.isEmpty());
				paged.addAll(page.entries());
				after = page.position();
				more = page.more();
			}
			Collections.sort(times);
			assertThat(paged).isEqualTo(times);
		}
	}

	@Test
	void pageIsLongerOnlyWhereSeveralBeganAtTheSameTime() {
		assertThat(page(List.of(4, 1, 2, 3, 1), 0, 2, null).entries()).containsExactly(1, 1);
		assertThat(page(List.of(4, 1, 2, 2, 3), 0, 2, null).entries()).containsExactly(1, 2, 2);
		assertThat(page(List.of(4, 1, 2, 2, 3), 0, 2, 2L).entries()).containsExactly(3, 4);
		assertThat(page(List.of(4, 1, 2, 2, 3), 0, 2, 4L).position()).isEqualTo(4);
	}

	@Test
	void emptyPagesAreRefused() {
		assertThatIllegalArgumentException().isThrownBy(() -> new LockPageRequest(null, 0, (baseName, names) -> true))
			.withMessage("A page has at least 1 entry, not 0");
	}

	private static LockPage<Integer> page(List<Integer> times, long origin, int limit, @Nullable Long after) {
		PageSelection<Integer> selection = new PageSelection<>(
				new LockPageRequest(after, limit, (baseName, names) -> true), origin + 10);
		times.forEach((time) -> selection.add(origin + time, () -> time));
		return selection.page();
	}

}
