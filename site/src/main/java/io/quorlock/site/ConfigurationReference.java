package io.quorlock.site;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

import org.springframework.boot.json.JsonParserFactory;

/**
 * The page of all configuration properties, written from the metadata that the annotation
 * processor generates for IDEs.
 */
final class ConfigurationReference {

	/** Where the page would be if it were a file of the repository. */
	static final Path PATH = Path.of("docs/configuration.md");

	private ConfigurationReference() {
	}

	@SuppressWarnings("unchecked")
	static Source from(Path metadata) throws IOException {
		List<Object> properties = (List<Object>) JsonParserFactory.getJsonParser()
			.parseMap(Files.readString(metadata))
			.getOrDefault("properties", List.of());
		StringBuilder page = new StringBuilder("""
				# Configuration properties

				All properties, generated from the metadata of the library. The [README](../README.md#configuration)
				explains the most important ones.

				| property | type | default | description |
				|---|---|---|---|
				""");
		properties.stream()
			.map((property) -> (Map<String, Object>) property)
			.sorted(Comparator.comparing((property) -> text(property, "name")))
			.forEach((property) -> page.append(row(property)));
		return new Source(PATH, page.toString());
	}

	private static String row(Map<String, Object> property) {
		return "| %s | %s | %s | %s |\n".formatted(code(text(property, "name")), code(simple(text(property, "type"))),
				code(text(property, "defaultValue")), text(property, "description").replace("|", "\\|"));
	}

	private static String text(Map<String, Object> property, String key) {
		Object value = property.get(key);
		if (value instanceof List<?> values) {
			return String.join(", ", values.stream().map(String::valueOf).toList());
		}
		return (value != null) ? value.toString().replaceAll("\\s+", " ") : "";
	}

	private static String code(String text) {
		return text.isEmpty() ? "" : "`" + text + "`";
	}

	private static String simple(String type) {
		return type.replaceAll("([a-z]+\\.)+", "").replace('$', '.');
	}

}
