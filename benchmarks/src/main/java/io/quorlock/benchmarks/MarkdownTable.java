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
import java.util.Collections;
import java.util.Locale;

/**
 * A table in Markdown: text in the first column, numbers in the others.
 */
final class MarkdownTable {

	private final StringBuilder text = new StringBuilder();

	MarkdownTable(String... columns) {
		row(columns);
		this.text.append("|---|")
			.append(String.join("", Collections.nCopies(columns.length - 1, "---:|")))
			.append('\n');
	}

	MarkdownTable row(String... cells) {
		this.text.append("| ").append(String.join(" | ", cells)).append(" |\n");
		return this;
	}

	MarkdownTable row(String title, double... values) {
		return row(java.util.stream.Stream
			.concat(java.util.stream.Stream.of(title), Arrays.stream(values).mapToObj(MarkdownTable::number))
			.toArray(String[]::new));
	}

	static String number(double value) {
		if (Double.isNaN(value)) {
			return "–";
		}
		String format = (Math.abs(value) >= 100) ? "%,.0f" : (Math.abs(value) >= 10) ? "%.1f" : "%.2f";
		return String.format(Locale.ROOT, format, value);
	}

	@Override
	public String toString() {
		return this.text.toString();
	}

}
