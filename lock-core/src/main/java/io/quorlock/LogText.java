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

package io.quorlock;

import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Makes names of locks and texts of servers safe to log and to show: they may hold line
 * breaks and other control characters that would forge log lines.
 *
 * @since 0.1.0
 */
@Api(Api.Status.INTERNAL)
public final class LogText {

	/** Control, format and separator characters, and unpaired surrogates. */
	private static final Pattern UNSAFE = Pattern.compile("[\\p{Cc}\\p{Cf}\\p{Cs}\\p{Zl}\\p{Zp}]");

	private static final int MAX_NAMES = 5;

	private static final int MAX_LENGTH = 500;

	private LogText() {
	}

	/**
	 * Escape what breaks lines, moves a cursor or changes the direction of text, and
	 * halves of characters.
	 * @param text a lock name or another text from outside
	 * @return the text with a backslash, {@code u} and four hexadecimal digits for each
	 * UTF-16 unit of such a character
	 */
	public static String escape(String text) {
		return UNSAFE.matcher(text)
			.replaceAll(
					(unsafe) -> unsafe.group().chars().mapToObj("\\\\u%04x"::formatted).collect(Collectors.joining()));
	}

	/**
	 * Escape a text and bound its length.
	 * @param text what a server sent
	 * @return the text, escaped, of its first 500 characters at most
	 */
	public static String bounded(String text) {
		if (text.length() <= MAX_LENGTH) {
			return escape(text);
		}
		int end = Character.isHighSurrogate(text.charAt(MAX_LENGTH - 1)) ? MAX_LENGTH - 1 : MAX_LENGTH;
		return escape(text.substring(0, end)) + "...";
	}

	/**
	 * Join names as they are.
	 * @param names the names of locks
	 * @return the first of them, and how many more there are
	 */
	public static String join(List<String> names) {
		int more = names.size() - MAX_NAMES;
		return (more <= 0) ? String.join(",", names)
				: "%s and %,d more".formatted(String.join(",", names.subList(0, MAX_NAMES)), more);
	}

	/**
	 * Join remarks.
	 * @param remarks some of which may be empty
	 * @return those that are not, with a semicolon between them; empty if all are
	 */
	public static String remarks(String... remarks) {
		return Stream.of(remarks).filter((remark) -> !remark.isEmpty()).collect(Collectors.joining("; "));
	}

	/**
	 * Join names for a log.
	 * @param names the names of locks
	 * @return the first of them, escaped, and how many more there are
	 */
	public static String names(List<String> names) {
		return escape(join(names));
	}

}
