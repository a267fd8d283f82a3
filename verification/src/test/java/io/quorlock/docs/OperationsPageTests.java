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
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * docs/operations.md has a section for each alert.
 */
class OperationsPageTests {

	private static final Pattern ALERT = Pattern.compile("- alert: (\\w+)");

	private final String page = Documentation.read(Documentation.ROOT.resolve("docs/operations.md"));

	@Test
	void everyAlertHasASectionAndLeadsToIt() throws IOException {
		String alerts = Files.readString(Documentation.ROOT.resolve("docs/grafana/alerts.yml"));
		List<String> names = ALERT.matcher(alerts).results().map((alert) -> alert.group(1)).toList();
		assertThat(names).hasSizeGreaterThan(5).allSatisfy((name) -> {
			assertThat(this.page).contains("\n### " + name + "\n");
			assertThat(alerts).contains("runbook: docs/operations.md#" + name.toLowerCase(Locale.ROOT) + "\n");
		});
	}

}
