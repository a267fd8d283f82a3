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

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that the tables of properties are those of the metadata. With
 * {@code -Dproperties.write} the page is written first.
 */
class PropertiesPageTests {

	private final PropertiesPage page = new PropertiesPage();

	@Test
	void tableIsThatOfTheMetadata() {
		if (System.getProperty("properties.write") != null) {
			this.page.write();
		}
		assertThat(Documentation.read(this.page.file())).as("run .ci/write-properties").isEqualTo(this.page.expected());
	}

	@Test
	void textsAreThoseOfPropertiesThatExist() {
		Set<String> texts = new HashSet<>();
		this.page.texts().stringPropertyNames().forEach((name) -> texts.add(name.replace("!default", "")));
		assertThat(PropertiesPage.keys()).containsAll(texts);
	}

}
