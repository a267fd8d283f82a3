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
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.json.JsonParserFactory;

/**
 * The tables of keys on the page of properties, written from the metadata that the
 * annotation processor generates. A file of texts adds what metadata cannot hold: links,
 * and defaults that are chosen at run time. The rest of the page is written by hand.
 */
final class PropertiesPage {

	private static final Path METADATA = Documentation.ROOT
		.resolve("lock-autoconfigure/target/classes/META-INF/spring-configuration-metadata.json");

	private static final String PREFIX = "distributed-lock.";

	private static final String BEGIN = "|---|---|---|\n";

	private final Path file = Documentation.ROOT.resolve("docs/properties.md");

	private final Properties texts = load(
			Documentation.ROOT.resolve("verification/src/test/resources/io/quorlock/docs/properties.properties"));

	Path file() {
		return this.file;
	}

	Properties texts() {
		return this.texts;
	}

	/**
	 * The page with its two tables as they have to be: our keys, and those of Actuator.
	 */
	String expected() {
		String page = Documentation.read(this.file);
		StringBuilder expected = new StringBuilder();
		int end = 0;
		for (boolean own : new boolean[] { true, false }) {
			int begin = page.indexOf(BEGIN, end) + BEGIN.length();
			expected.append(page, end, begin);
			properties().filter((property) -> name(property).startsWith(PREFIX) == own)
				.forEach((property) -> expected.append(row(property)));
			end = page.indexOf("\n\n", begin) + 1;
		}
		return expected.append(page.substring(end)).toString();
	}

	void write() {
		try {
			Files.writeString(this.file, expected());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** All keys, ours without the prefix. */
	static List<String> keys() {
		return properties().map(PropertiesPage::key).toList();
	}

	/** Those of a group behind those that are in none. */
	@SuppressWarnings("unchecked")
	private static Stream<Map<String, Object>> properties() {
		Map<String, Object> metadata = JsonParserFactory.getJsonParser().parseMap(Documentation.read(METADATA));
		return ((List<Map<String, Object>>) metadata.get("properties")).stream()
			.sorted(Comparator.comparing((Map<String, Object> property) -> key(property).contains("."))
				.thenComparing(PropertiesPage::key));
	}

	private static String key(Map<String, Object> property) {
		String name = name(property);
		return name.startsWith(PREFIX) ? name.substring(PREFIX.length()) : name;
	}

	private static String name(Map<String, Object> property) {
		return (String) property.get("name");
	}

	private String row(Map<String, Object> property) {
		String key = key(property);
		String text = this.texts.getProperty(key, "");
		String description = (property.get("description") + " " + text).strip();
		return "| `%s` |%s| %s |\n".formatted(key, defaultValue(key, property.get("defaultValue")),
				description.replace("|", "\\|"));
	}

	private String defaultValue(String key, @Nullable Object value) {
		if (value == null || value instanceof List<?>) {
			String chosen = this.texts.getProperty(key + "!default");
			return (chosen != null) ? " " + chosen + " " : " ";
		}
		return " `" + value + "` ";
	}

	private static Properties load(Path file) {
		Properties texts = new Properties();
		try (var reader = Files.newBufferedReader(file)) {
			texts.load(reader);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		return texts;
	}

}
