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

import java.util.HashSet;
import java.util.Set;
import java.util.stream.Stream;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that the tables of properties are those of the metadata. With
 * {@code -Dproperties.write} the pages are written first.
 */
class PropertiesPageTests {

	@ParameterizedTest
	@MethodSource("pages")
	void tableIsThatOfTheMetadata(PropertiesPage page) {
		if (System.getProperty("properties.write") != null) {
			page.write();
		}
		assertThat(Documentation.read(page.file())).as("run .ci/write-properties").isEqualTo(page.expected());
	}

	@ParameterizedTest
	@MethodSource("pages")
	void textsAreThoseOfPropertiesThatExist(PropertiesPage page) {
		Set<String> texts = new HashSet<>();
		page.texts().stringPropertyNames().forEach((name) -> texts.add(name.replace("!default", "")));
		assertThat(PropertiesPage.keys()).containsAll(texts);
	}

	@ParameterizedTest
	@MethodSource("chinese")
	void noTranslationIsMissing(PropertiesPage page) {
		assertThat(page.texts().stringPropertyNames()).containsAll(PropertiesPage.keys());
	}

	static Stream<PropertiesPage> pages() {
		return Stream.of(PropertiesPage.english(), PropertiesPage.chinese());
	}

	static Stream<PropertiesPage> chinese() {
		return Stream.of(PropertiesPage.chinese());
	}

}
