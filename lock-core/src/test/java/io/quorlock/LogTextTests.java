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
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link LogText}.
 */
class LogTextTests {

	private static final String TAG = Character.toString(0xE0001);

	private static final String LOCK = Character.toString(0x1F512);

	@Test
	void plainTextIsTheSame() {
		String text = "order:42 h\u00e4lt " + LOCK;
		assertThat(LogText.escape(text)).isSameAs(text);
	}

	@Test
	void lineBreaksAndDirectionsAreEscaped() {
		assertThat(LogText.escape("a\r\nWARN b\u202e\u2028\u2029"))
			.isEqualTo("a\\u000d\\u000aWARN b\\u202e\\u2028\\u2029");
	}

	@Test
	void charactersOfTwoUnitsAreEscapedAsAWhole() {
		assertThat(LogText.escape("a" + TAG + LOCK)).isEqualTo("a\\udb40\\udc01" + LOCK);
		assertThat(new LockKeyException("a" + TAG + LOCK)).hasMessage("a\\udb40\\udc01" + LOCK);
	}

	@Test
	void halvesOfCharactersAreEscaped() {
		assertThat(LogText.escape("a\ud83d")).isEqualTo("a\\ud83d");
		assertThat(LogText.escape("\udd12a")).isEqualTo("\\udd12a");
	}

	@Test
	void longTextIsCutBetweenCharacters() {
		String text = "x".repeat(499) + LOCK + "y";
		assertThat(LogText.bounded(text)).isEqualTo("x".repeat(499) + "...");
		assertThat(LogText.bounded("x".repeat(500))).isEqualTo("x".repeat(500));
	}

	@Test
	void ofManyNamesTheFirstAreShown() {
		List<String> names = IntStream.range(0, 1_005).mapToObj((i) -> "n" + i).toList();
		assertThat(LogText.join(names)).isEqualTo("n0,n1,n2,n3,n4 and 1,000 more");
		assertThat(LogText.names(List.of("a\n", "b"))).isEqualTo("a\\u000a,b");
	}

}
