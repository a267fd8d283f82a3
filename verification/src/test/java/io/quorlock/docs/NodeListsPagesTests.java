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

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The pages say alike what happens with node lists that differ (R10).
 */
class NodeListsPagesTests {

	@ParameterizedTest
	@ValueSource(strings = { "safety.md", "changes.md", "properties.md", "operations.md" })
	void lockNeedsAMajorityOfEachList(String page) {
		String text = Documentation.read(Documentation.ROOT.resolve("docs").resolve(page)).replaceAll("\\s+", " ");
		assertThat(text).containsPattern("majority of \\[?each")
			.contains("#node-lists-that-differ")
			.doesNotContain("being replaced", "added or removed", "do not vote for the instance that came second");
	}

}
