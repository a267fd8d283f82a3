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
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

/**
 * Tests that the charts of docs/performance show the tables beside them, and that their
 * lengths compare as the figures do. {@code benchmarks/charts} draws them anew.
 */
class ChartsTests {

	private static final Pattern BAR = Pattern
		.compile("class=\"label\"[^>]*>([^<]+)</text><rect [^>]* width=\"([\\d.]+)\"[^>]*/><text [^>]*>([^<]+)<");

	@ParameterizedTest
	@CsvSource({ "uncontended-1, 1 thread", "uncontended-64, 64 threads", "hot-key, cycles/s",
			"distance, black-holed-and-slow" })
	void chartShowsTheFiguresOfItsTable(String chart, String series) {
		Map<String, String> drawn = new LinkedHashMap<>();
		bars(chart).forEach((bar) -> drawn.put(bar.group(1), bar.group(3)));
		Map<String, String> figures = figures(chart, series);
		assertThat(drawn.keySet()).containsExactlyElementsOf(figures.keySet());
		drawn.forEach((label, figure) -> assertThat(number(figure)).as(label).isEqualTo(number(figures.get(label))));
	}

	@ParameterizedTest
	@CsvSource({ "uncontended-1", "uncontended-64", "hot-key", "distance" })
	void lengthsAreInProportion(String chart) {
		List<Matcher> bars = bars(chart);
		double most = bars.stream().mapToDouble((bar) -> number(bar.group(3))).max().orElseThrow();
		double longest = bars.stream().mapToDouble((bar) -> Double.parseDouble(bar.group(2))).max().orElseThrow();
		for (Matcher bar : bars) {
			double expected = Math.max(1, longest * number(bar.group(3)) / most);
			assertThat(Double.parseDouble(bar.group(2))).as(bar.group(1)).isCloseTo(expected, within(1.0));
		}
	}

	private static List<Matcher> bars(String chart) {
		String svg = Documentation.read(Documentation.ROOT.resolve("docs/performance/" + chart + ".svg"));
		List<Matcher> bars = svg.lines().map(BAR::matcher).filter(Matcher::find).toList();
		assertThat(bars).hasSizeGreaterThan(4);
		return bars;
	}

	/** Of the first table after the chart: a column, or the row that has the name. */
	private static Map<String, String> figures(String chart, String series) {
		Path page = Documentation.ROOT.resolve("docs/performance.md");
		List<List<String>> rows = Documentation.read(page)
			.lines()
			.dropWhile((line) -> !line.contains("performance/" + chart + ".svg"))
			.dropWhile((line) -> !line.startsWith("|"))
			.takeWhile((line) -> line.startsWith("|"))
			.map((line) -> Arrays.stream(line.substring(1).split("\\|")).map(String::strip).toList())
			.toList();
		List<String> head = rows.get(0);
		Map<String, String> figures = new LinkedHashMap<>();
		for (List<String> row : rows.subList(2, rows.size())) {
			if (head.contains(series)) {
				figures.put(row.get(0), row.get(head.indexOf(series)));
			}
			else if (row.get(0).equals(series)) {
				head.subList(1, head.size()).forEach((label) -> figures.put(label, row.get(head.indexOf(label))));
			}
		}
		figures.values().removeIf((figure) -> figure.startsWith("–"));
		return figures;
	}

	private static double number(String figure) {
		return Double.parseDouble(figure.split(" / ")[0].replace(",", ""));
	}

}
