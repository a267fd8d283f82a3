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
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that the tables of properties are those of the metadata, and that pages say the
 * same as what they are about. With {@code -Dproperties.write} the page of properties is
 * written first.
 */
class PropertiesPageTests {

	private final PropertiesPage page = new PropertiesPage();

	private static final Pattern ALERT = Pattern.compile("- alert: (\\w+)");

	private final String operations = Documentation.read(Documentation.ROOT.resolve("docs/operations.md"));

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

	@Test
	void everyAlertHasASectionAndLeadsToIt() throws IOException {
		String alerts = Files.readString(Documentation.ROOT.resolve("docs/grafana/alerts.yml"));
		List<String> names = ALERT.matcher(alerts).results().map((alert) -> alert.group(1)).toList();
		assertThat(names).hasSizeGreaterThan(5).allSatisfy((name) -> {
			assertThat(this.operations).contains("\n### " + name + "\n");
			assertThat(alerts).contains("runbook: docs/operations.md#" + name.toLowerCase(Locale.ROOT) + "\n");
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "safety.md", "changes.md", "properties.md", "operations.md" })
	void lockNeedsAMajorityOfEachList(String operations) {
		String text = Documentation.read(Documentation.ROOT.resolve("docs").resolve(operations))
			.replaceAll("\\s+", " ");
		assertThat(text).containsPattern("majority of \\[?each")
			.contains("#node-lists-that-differ")
			.doesNotContain("being replaced", "added or removed", "do not vote for the instance that came second");
	}

}
