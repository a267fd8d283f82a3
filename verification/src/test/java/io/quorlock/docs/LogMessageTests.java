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

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Each WARN and ERROR says what to do, to those who read them at night without a manual.
 */
class LogMessageTests {

	private static final Pattern CALL = Pattern.compile("\\b(?:logger|LOGGER)\\.(?:warn|error)\\(");

	/** What may hold a parenthesis that is none, first. */
	private static final Pattern TOKEN = Pattern.compile("\"(?:[^\"\\\\]|\\\\.)*\"|'(?:[^'\\\\]|\\\\.)'|[()]");

	private static final Pattern LITERAL = Pattern.compile("\"((?:[^\"\\\\]|\\\\.)*)\"");

	/** An imperative at the beginning of a clause, or behind a condition. */
	private static final Pattern REMEDY = Pattern.compile("(?:^|[.;:,?] |, and |, or )(?:then )?(?i:ask|check|deploy"
			+ "|give|grant|let|lower|make|mend|pass|raise|remove|repair|report|restart|see|set|start|synchronize|use"
			+ "|wrap) ");

	@Test
	void eachWarningAndErrorSaysWhatToDo() {
		List<Call> calls = Documentation.files(Documentation.MODULES, "src/main/java")
			.stream()
			.flatMap((file) -> calls(file.getFileName().toString(), Documentation.read(file)))
			.toList();
		assertThat(calls).hasSizeGreaterThan(40);
		assertThat(calls).filteredOn((call) -> !REMEDY.matcher(call.message()).find()).isEmpty();
	}

	@Test
	void messageWithoutARemedyIsSeen() {
		assertThat(REMEDY.matcher("Lock node %s is down").find()).isFalse();
		assertThat(REMEDY.matcher("Lock node %s is down; start it").find()).isTrue();
	}

	private static Stream<Call> calls(String file, String source) {
		return CALL.matcher(source)
			.results()
			.map((call) -> literals(statement(source, call.start())))
			// What is logged as it was passed was written in the same file.
			.map((message) -> new Call(file, message.isEmpty() ? literals(source) : message));
	}

	/** The call up to the parenthesis that closes it. */
	private static String statement(String source, int start) {
		Matcher token = TOKEN.matcher(source).region(source.indexOf('(', start), source.length());
		int depth = 0;
		while (token.find()) {
			depth += switch (token.group()) {
				case "(" -> 1;
				case ")" -> -1;
				default -> 0;
			};
			if (depth == 0) {
				return source.substring(start, token.end());
			}
		}
		throw new IllegalArgumentException("Call without an end: " + source.substring(start));
	}

	private static String literals(String source) {
		return LITERAL.matcher(source).results().map((literal) -> literal.group(1)).collect(Collectors.joining());
	}

	private record Call(String file, String message) {

	}

}
