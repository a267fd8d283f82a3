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

package io.quorlock.docs;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that the tables of the pages are tables: what has more or fewer columns than its
 * header is shown as text.
 */
class TablesTests {

	@Test
	void rowsHaveAsManyColumnsAsTheirHeader() {
		List<String> wrong = new ArrayList<>();
		int tables = 0;
		for (Path page : Documentation.pages()) {
			List<String> lines = Documentation.read(page).lines().toList();
			int columns = 0;
			for (int i = 1; i < lines.size(); i++) {
				String line = lines.get(i);
				if (line.matches("\\|(\\s*:?-+:?\\s*\\|)+")) {
					columns = columns(line);
					tables++;
					compare(page, lines, i - 1, columns, wrong);
				}
				else if (!line.startsWith("|")) {
					columns = 0;
				}
				else if (columns > 0) {
					compare(page, lines, i, columns, wrong);
				}
			}
		}
		assertThat(wrong).isEmpty();
		assertThat(tables).isGreaterThan(50);
	}

	private static void compare(Path page, List<String> lines, int index, int columns, List<String> wrong) {
		String line = lines.get(index);
		if (columns(line) != columns) {
			wrong.add("%s:%d: %s".formatted(Documentation.ROOT.relativize(page), index + 1, line));
		}
	}

	/** A bar inside code, or behind a backslash, separates nothing. */
	private static int columns(String line) {
		return (int) line.replaceAll("`[^`]*`", "").replace("\\|", "").chars().filter((c) -> c == '|').count() - 1;
	}

}
