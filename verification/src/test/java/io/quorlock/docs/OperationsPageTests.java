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

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * docs/operations.md has a row for each line of WARN and above in the log, and a section
 * for each alert.
 */
class OperationsPageTests {

	private static final Pattern CALL = Pattern.compile("logger\\s*\\.(?:warn|error)\\((.*?)\\);", Pattern.DOTALL);

	/**
	 * What a call passes that has no text in it: the text stands elsewhere in the file.
	 */
	private static final Pattern VARIABLE = Pattern.compile("[a-zA-Z.]+(?:\\(\\))?(?:, \\w+)?");

	private static final Pattern LITERAL = Pattern.compile("\"((?:[^\"\\\\]|\\\\.)*)\"");

	private static final Pattern ROW = Pattern.compile("(?m)^\\| `([^`]+)` \\| (?:INFO|WARN|ERROR) \\|");

	private static final Pattern ALERT = Pattern.compile("- alert: (\\w+)");

	private final String page = Documentation.read(Documentation.ROOT.resolve("docs/operations.md"));

	@Test
	void everyWarningAndErrorHasARow() throws IOException {
		List<List<String>> rows = ROW.matcher(this.page).results().map((row) -> parts(row.group(1))).toList();
		assertThat(rows).hasSizeGreaterThan(20);
		List<String> missing = new ArrayList<>();
		for (Path source : sources()) {
			String code = Files.readString(source);
			for (Matcher call = CALL.matcher(code); call.find();) {
				String text = VARIABLE.matcher(call.group(1)).matches() ? text(code) : text(call.group(1));
				if (rows.stream().noneMatch((row) -> row.stream().allMatch(text::contains))) {
					missing.add(source.getFileName() + ": " + text);
				}
			}
		}
		assertThat(missing).as("lines of the log without a row in docs/operations.md").isEmpty();
	}

	@Test
	void everyAlertHasASectionAndLeadsToIt() throws IOException {
		String alerts = Files.readString(Documentation.ROOT.resolve("docs/grafana/alerts.yml"));
		List<String> names = ALERT.matcher(alerts).results().map((alert) -> alert.group(1)).toList();
		assertThat(names).hasSizeGreaterThan(5).allSatisfy((name) -> {
			assertThat(this.page).contains("\n### " + name + "\n");
			assertThat(alerts).contains("runbook: docs/operations.md#" + name.toLowerCase(Locale.ROOT) + "\n");
		});
	}

	private static List<Path> sources() {
		return Documentation.files(Documentation.MODULES, "src/main/java")
			.stream()
			.filter((file) -> file.toString().endsWith(".java") && !file.toString().contains("/lock-embedded/"))
			.toList();
	}

	/** The literals of an expression, with a blank for what stands between them. */
	private static String text(String expression) {
		return LITERAL.matcher(expression)
			.results()
			.map((literal) -> literal.group(1).replaceAll("%[,.0-9]*[a-z]", " "))
			.collect(Collectors.joining(""));
	}

	private static List<String> parts(String row) {
		return Stream.of(row.split("…", -1)).map(String::strip).filter((part) -> !part.isEmpty()).toList();
	}

}
