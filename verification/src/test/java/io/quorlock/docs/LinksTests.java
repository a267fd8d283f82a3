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

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import io.quorlock.docs.Documentation.Block;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that the links between the pages, and to their headings, lead somewhere.
 */
class LinksTests {

	private static final Pattern LINK = Pattern.compile("]\\(([^)\\s]+)\\)");

	static List<Path> pages() {
		return Documentation.pages();
	}

	@ParameterizedTest
	@MethodSource("pages")
	void linksLeadSomewhere(Path page) {
		List<String> broken = new ArrayList<>();
		for (Matcher matcher = LINK.matcher(withoutBlocks(page)); matcher.find();) {
			String link = matcher.group(1);
			if (!link.contains("://") && !leadsSomewhere(page, link)) {
				broken.add(link);
			}
		}
		assertThat(broken).isEmpty();
	}

	private static boolean leadsSomewhere(Path page, String link) {
		String[] parts = link.split("#", 2);
		Path target = parts[0].isEmpty() ? page : page.resolveSibling(parts[0]).normalize();
		return Files.exists(target) && (parts.length == 1 || anchors(target).contains(parts[1]));
	}

	/** As GitHub makes them of headings. */
	private static Set<String> anchors(Path page) {
		Set<String> anchors = new LinkedHashSet<>();
		withoutBlocks(page).lines()
			.filter((line) -> line.startsWith("#"))
			.map((line) -> line.replaceFirst("#+ ", "").toLowerCase(Locale.ROOT))
			.map((heading) -> heading.replaceAll("[^\\p{IsAlphabetic}\\p{IsDigit} _-]", "").replace(' ', '-'))
			.forEach(anchors::add);
		return anchors;
	}

	private static String withoutBlocks(Path page) {
		String text = Documentation.read(page);
		for (Block block : Documentation.blocks(page)) {
			text = text.replace(block.text(), "");
		}
		return text;
	}

}
