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

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * Draws the charts of {@code docs/performance} from the tables of
 * {@code docs/performance.md}, so that the two always agree.
 */
final class Charts {

	private static final String HAND_OVER = "Quorlock's threads hand the lock to each other inside the JVM: "
			+ "most of its lead is that.";

	private Charts() {
	}

	/**
	 * The main program.
	 * @param args the directory of the documentation
	 * @throws IOException if a file cannot be read or written
	 */
	public static void main(String[] args) throws IOException {
		Path docs = Path.of(args[0]);
		List<String> page = Files.readAllLines(docs.resolve("performance.md"));
		for (Chart chart : Chart.values()) {
			String file = "performance/" + chart.name().toLowerCase(Locale.ROOT).replace('_', '-') + ".svg";
			Files.writeString(docs.resolve(file), chart.draw(tableAfter(page, file)));
		}
	}

	/** The cells of the first table that follows an image. */
	private static List<String[]> tableAfter(List<String> page, String image) {
		return page.stream()
			.dropWhile((line) -> !line.contains("(" + image + ")"))
			.dropWhile((line) -> !line.startsWith("|"))
			.takeWhile((line) -> line.startsWith("|"))
			.map((line) -> Arrays.stream(line.substring(1).split("\\|")).map(String::strip).toArray(String[]::new))
			.toList();
	}

	private enum Chart {

		UNCONTENDED_1("lock + unlock per second, own keys, 1 thread", "1 thread"),

		UNCONTENDED_64("lock + unlock per second, own keys, 64 threads", "64 threads"),

		HOT_KEY("lock + unlock per second, one key, 8 threads in one JVM", "cycles/s", HAND_OVER,
				"\"no hand-over\" is the same without it."),

		DISTANCE("acquire at 2 ms distance, in round trips, one node black-holed and one 50 ms slower",
				"black-holed-and-slow");

		private final String title;

		private final String series;

		private final String[] notes;

		Chart(String title, String series, String... notes) {
			this.title = title;
			this.series = series;
			this.notes = notes;
		}

		String draw(List<String[]> table) {
			BarChart chart = new BarChart(this.title, this.notes);
			String[] head = table.get(0);
			int column = Arrays.asList(head).indexOf(this.series);
			if (column > 0) {
				rows(table).forEach((row) -> add(chart, row[0], row[column]));
			}
			else {
				String[] row = rows(table).filter((each) -> each[0].equals(this.series)).findFirst().orElseThrow();
				for (int i = 1; i < row.length; i++) {
					add(chart, head[i], row[i]);
				}
			}
			return chart.svg();
		}

		private static Stream<String[]> rows(List<String[]> table) {
			return table.stream().skip(2);
		}

		/** A cell holds one figure, or a median and a percentile. */
		private static void add(BarChart chart, String label, String cell) {
			String figure = cell.split(" / ")[0].replace(",", "");
			if (!figure.equals("–")) {
				chart.add(label, Double.parseDouble(figure), BarChart.Kind.of(label));
			}
		}

	}

}
