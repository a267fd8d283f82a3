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

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import javax.xml.parsers.DocumentBuilderFactory;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.w3c.dom.Document;

import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.handler.NoUnboundElementsBindHandler;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.core.env.PropertySource;
import org.springframework.core.io.ByteArrayResource;

import io.quorlock.autoconfigure.LockProperties;
import io.quorlock.docs.Documentation.Block;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

/**
 * Tests for the pages of the documentation: their examples, links, tables and charts.
 */
class DocsTests {

	private static final Path README = Documentation.ROOT.resolve("README.md");

	private static final Path README_ZH = Documentation.ROOT.resolve("README.zh-CN.md");

	private static final Pattern TEST_CLASS = Pattern.compile("`(\\w+Tests)`");

	private static final Pattern GRADLE_DEPENDENCY = Pattern.compile("[('\" ]io\\.quorlock:([a-z-]+):([^'\"]+)");

	private static final Pattern PROFILE = Pattern.compile("mvn [^\\n`]*-P([\\w-]+)");

	/** One for all, so that a snippet can use what an earlier one declared. */
	@TempDir
	private static Path compiled;

	private static final Pattern LINK = Pattern.compile("]\\(([^)\\s]+)\\)");

	private static final Pattern BAR = Pattern
		.compile("class=\"label\"[^>]*>([^<]+)</text><rect [^>]* width=\"([\\d.]+)\"[^>]*/><text [^>]*>([^<]+)<");

	@ParameterizedTest
	@Tag("long")
	@MethodSource
	void javaCompiles(Block block) {
		assertThat(new Snippets(compiled).compile(block.text())).as(block.toString()).isEmpty();
	}

	static List<Block> javaCompiles() {
		return Documentation.blocks("java");
	}

	@ParameterizedTest
	@MethodSource
	void yamlBinds(Block block) throws IOException {
		List<PropertySource<?>> sources = new YamlPropertySourceLoader().load(block.toString(),
				new ByteArrayResource(block.text().getBytes(StandardCharsets.UTF_8)));
		BindHandler strict = new NoUnboundElementsBindHandler(BindHandler.DEFAULT);
		new Binder(ConfigurationPropertySources.from(sources)).bindOrCreate("distributed-lock",
				Bindable.of(LockProperties.class), strict);
	}

	static List<Block> yamlBinds() {
		return Documentation.blocks("yaml");
	}

	@ParameterizedTest
	@MethodSource
	void dependencyIsOneOfThisBuild(Block block) throws Exception {
		Document dependency = parse(block.text().getBytes(StandardCharsets.UTF_8));
		assertThat(element(dependency, "groupId")).isEqualTo("io.quorlock");
		assertThat(element(dependency, "version")).isEqualTo(versionOf(element(dependency, "artifactId")));
	}

	static List<Block> dependencyIsOneOfThisBuild() {
		return Documentation.blocks("xml")
			.stream()
			.filter((block) -> block.text().contains("<groupId>io.quorlock</groupId>"))
			.toList();
	}

	@ParameterizedTest
	@MethodSource
	void gradleDependencyIsOneOfThisBuild(Block block) throws Exception {
		List<MatchResult> dependencies = GRADLE_DEPENDENCY.matcher(block.text()).results().toList();
		assertThat(dependencies).hasSameSizeAs(block.text().lines().toList());
		for (MatchResult dependency : dependencies) {
			assertThat(dependency.group(2)).isEqualTo(versionOf(dependency.group(1)));
		}
	}

	static List<Block> gradleDependencyIsOneOfThisBuild() {
		return Stream.concat(Documentation.blocks("groovy").stream(), Documentation.blocks("kotlin gradle").stream())
			.toList();
	}

	@Test
	void kotlinIsCompiled() throws IOException {
		Path compiled = Documentation.ROOT
			.resolve("lock-autoconfigure/src/test/kotlin/io/quorlock/docs/KotlinSnippets.kt");
		assertThat(Documentation.blocks("kotlin")).isNotEmpty()
			.allSatisfy((block) -> assertThat(Files.readString(compiled)).contains(block.text()));
	}

	/** Folders and artifacts have different names. */
	private static String versionOf(String artifactId) throws Exception {
		for (Path module : Documentation.MODULES) {
			byte[] pom = Files.readAllBytes(module.resolve("pom.xml"));
			if (new String(pom, StandardCharsets.UTF_8).contains("\n\t<artifactId>" + artifactId + "</artifactId>\n")) {
				return element(parse(pom), "version");
			}
		}
		throw new AssertionError("No module has the artifact " + artifactId);
	}

	private static Document parse(byte[] xml) throws Exception {
		return DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(new ByteArrayInputStream(xml));
	}

	private static String element(Document document, String name) {
		return document.getElementsByTagName(name).item(0).getTextContent();
	}

	@ParameterizedTest
	@MethodSource("pages")
	void testsThatAreNamedExist(Path page) {
		Set<String> named = new LinkedHashSet<>();
		TEST_CLASS.matcher(Documentation.read(page)).results().forEach((match) -> named.add(match.group(1) + ".java"));
		Set<String> existing = new LinkedHashSet<>();
		Documentation.files(Documentation.ALL_MODULES, "src/test")
			.forEach((file) -> existing.add(file.getFileName().toString()));
		assertThat(existing).containsAll(named);
	}

	static List<Path> pages() {
		return Documentation.pages();
	}

	@Test
	void chineseReadmeShowsTheSameCode() {
		assertThat(code(README_ZH)).isEqualTo(code(README));
	}

	/** Comments and pictures are translated. */
	private static List<String> code(Path page) {
		return Documentation.blocks(page)
			.stream()
			.filter((block) -> !block.language().equals("mermaid"))
			.map((block) -> block.text().replaceAll("\\s*// .*", ""))
			.toList();
	}

	@Test
	void commandsOfTheReadmeAreThoseOfTheBuild() throws Exception {
		assertThat(Documentation.blocks(README).stream().filter((block) -> block.language().equals("console")))
			.extracting((block) -> block.text().strip())
			.contains("mvn spring-boot:run -pl sample-app -am -Dmaven.test.skip",
					"mvn install -pl lock-starter,lock-embedded -am -Dmaven.test.skip", "mvn verify");
		assertThat(Files.readString(Documentation.ROOT.resolve(".ci/run"))).contains("mvn -B verify");
		Document sample = parse(Files.readAllBytes(Documentation.ROOT.resolve("sample-app/pom.xml")));
		assertThat(element(sample, "spring-boot.run.skip")).isEqualTo("false");
		Document parent = parse(Files.readAllBytes(Documentation.ROOT.resolve("pom.xml")));
		assertThat(element(parent, "spring-boot.run.skip")).isEqualTo("true");
	}

	@ParameterizedTest
	@MethodSource("pages")
	void profilesThatAreNamedExist(Path page) throws IOException {
		String poms = "";
		for (String module : List.of(".", "lock-autoconfigure", "sample-app", "benchmarks")) {
			poms += Files.readString(Documentation.ROOT.resolve(module).resolve("pom.xml"));
		}
		List<String> named = PROFILE.matcher(Documentation.read(page))
			.results()
			.map((match) -> match.group(1))
			.toList();
		for (String profile : named) {
			assertThat(poms).as(profile).contains("<id>" + profile + "</id>");
		}
	}

	@Test
	void figuresOfTheReadmeAreThoseOfThePerformancePage() {
		String performance = Documentation.read(Documentation.ROOT.resolve("docs/performance.md"));
		Pattern figure = Pattern.compile("\\d+ µs");
		List<String> figures = figure.matcher(Documentation.read(README)).results().map(MatchResult::group).toList();
		assertThat(figures).hasSize(3).allSatisfy((value) -> assertThat(performance).contains(value));
		assertThat(figure.matcher(Documentation.read(README_ZH)).results().map(MatchResult::group).toList())
			.isEqualTo(figures);
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

	@Test
	void rowsHaveAsManyColumnsAsTheirHeader() {
		List<String> wrong = new ArrayList<>();
		int tables = 0;
		for (Path page : Documentation.pages()) {
			List<String> lines = Documentation.read(page).lines().toList();
			int columns = 0;
			for (int i = 1; i < lines.size(); i++) {
				String line = lines.get(i);
				if (line.matches("\\|(\\s*:?-+:?\\s*\\|)+")) {
					columns = columns(line);
					tables++;
					compare(page, lines, i - 1, columns, wrong);
				}
				else if (!line.startsWith("|")) {
					columns = 0;
				}
				else if (columns > 0) {
					compare(page, lines, i, columns, wrong);
				}
			}
		}
		assertThat(wrong).isEmpty();
		assertThat(tables).isGreaterThan(50);
	}

	private static void compare(Path page, List<String> lines, int index, int columns, List<String> wrong) {
		String line = lines.get(index);
		if (columns(line) != columns) {
			wrong.add("%s:%d: %s".formatted(Documentation.ROOT.relativize(page), index + 1, line));
		}
	}

	/** A bar inside code, or behind a backslash, separates nothing. */
	private static int columns(String line) {
		return (int) line.replaceAll("`[^`]*`", "").replace("\\|", "").chars().filter((c) -> c == '|').count() - 1;
	}

	@ParameterizedTest
	@CsvSource({ "uncontended-1, 1 thread", "uncontended-64, 64 threads", "hot-key, cycles/s",
			"distance, black-holed-and-slow" })
	void chartShowsTheFiguresOfItsTable(String chart, String series) {
		Map<String, String> drawn = new LinkedHashMap<>();
		bars(chart).forEach((bar) -> drawn.put(bar.group(1), bar.group(3)));
		Map<String, String> figures = figures(chart, series);
		assertThat(drawn.keySet()).containsExactlyElementsOf(figures.keySet());
		drawn.forEach((label, figure) -> assertThat(number(figure)).as(label).isEqualTo(number(figures.get(label))));
	}

	@ParameterizedTest
	@CsvSource({ "uncontended-1", "uncontended-64", "hot-key", "distance" })
	void lengthsAreInProportion(String chart) {
		List<Matcher> bars = bars(chart);
		double max = bars.stream().mapToDouble((bar) -> number(bar.group(3))).max().orElseThrow();
		double longest = bars.stream().mapToDouble((bar) -> Double.parseDouble(bar.group(2))).max().orElseThrow();
		for (Matcher bar : bars) {
			double expected = Math.max(1, longest * number(bar.group(3)) / max);
			assertThat(Double.parseDouble(bar.group(2))).as(bar.group(1)).isCloseTo(expected, within(1.0));
		}
	}

	private static List<Matcher> bars(String chart) {
		String svg = Documentation.read(Documentation.ROOT.resolve("docs/performance/" + chart + ".svg"));
		List<Matcher> bars = svg.lines().map(BAR::matcher).filter(Matcher::find).toList();
		assertThat(bars).hasSizeGreaterThan(4);
		return bars;
	}

	/** Of the first table after the chart: a column, or the row that has the name. */
	private static Map<String, String> figures(String chart, String series) {
		Path page = Documentation.ROOT.resolve("docs/performance.md");
		List<List<String>> rows = Documentation.read(page)
			.lines()
			.dropWhile((line) -> !line.contains("performance/" + chart + ".svg"))
			.dropWhile((line) -> !line.startsWith("|"))
			.takeWhile((line) -> line.startsWith("|"))
			.map((line) -> Arrays.stream(line.substring(1).split("\\|")).map(String::strip).toList())
			.toList();
		List<String> head = rows.get(0);
		Map<String, String> figures = new LinkedHashMap<>();
		for (List<String> row : rows.subList(2, rows.size())) {
			if (head.contains(series)) {
				figures.put(row.get(0), row.get(head.indexOf(series)));
			}
			else if (row.get(0).equals(series)) {
				head.subList(1, head.size()).forEach((label) -> figures.put(label, row.get(head.indexOf(label))));
			}
		}
		figures.values().removeIf((figure) -> figure.startsWith("–"));
		return figures;
	}

	private static double number(String figure) {
		return Double.parseDouble(figure.split(" / ")[0].replace(",", ""));
	}

}
