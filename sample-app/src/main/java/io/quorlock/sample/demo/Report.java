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

package io.quorlock.sample.demo;

import java.io.PrintStream;
import java.time.Duration;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * Formats the output of the demo for the terminal.
 */
final class Report {

	private final PrintStream out;

	Report(PrintStream out) {
		this.out = out;
	}

	void title(String text) {
		this.out.printf("%n== %s%n%n", text);
	}

	void line(String format, @Nullable Object... arguments) {
		this.out.printf("   " + format + "%n", arguments);
	}

	/** The first column is aligned to the left, the others to the right. */
	void table(List<List<String>> rows) {
		int[] widths = new int[rows.get(0).size()];
		for (List<String> row : rows) {
			for (int i = 0; i < widths.length; i++) {
				widths[i] = Math.max(widths[i], row.get(i).length());
			}
		}
		for (List<String> row : rows) {
			StringBuilder line = new StringBuilder("   ");
			for (int i = 0; i < widths.length; i++) {
				line.append(String.format((i == 0) ? "%-" + widths[i] + "s" : "  %" + widths[i] + "s", row.get(i)));
			}
			this.out.println(line.toString().stripTrailing());
		}
	}

	static String millis(Duration duration) {
		return duration.toMillis() + " ms";
	}

	static String seconds(Duration duration) {
		return String.format("%.1f s", duration.toMillis() / 1000.0);
	}

}
