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

package io.quorlock.site;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.springframework.boot.json.JsonWriter;

import io.quorlock.site.Page.Section;

/**
 * What the search looks through: one entry for each section of each page. It is a script
 * and not a JSON file, so that the site can also be read from a disk.
 */
final class SearchIndex {

	private static final JsonWriter<List<Map<String, String>>> WRITER = JsonWriter.standard();

	private SearchIndex() {
	}

	static String of(Collection<Page> pages) {
		List<Map<String, String>> entries = pages.stream()
			.flatMap((page) -> page.sections().stream().map((section) -> entry(page, section)))
			.toList();
		return "window.searchIndex = " + WRITER.writeToString(entries) + ";\n";
	}

	private static Map<String, String> entry(Page page, Section section) {
		Map<String, String> entry = new LinkedHashMap<>();
		entry.put("url", page.source().target().toString().replace('\\', '/') + "#" + section.anchor());
		entry.put("language", page.source().language());
		entry.put("page", page.title());
		entry.put("section", section.title());
		entry.put("text", section.text());
		entry.put("annotations", section.annotations());
		return entry;
	}

}
