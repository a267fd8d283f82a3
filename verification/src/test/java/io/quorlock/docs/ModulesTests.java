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

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that docs/architecture.md shows the modules and packages that there are.
 */
class ModulesTests {

	private static final Pattern ROW = Pattern.compile("^\\| `([a-z-]+)`, `([a-z-]+)` \\|([^|]*)\\|",
			Pattern.MULTILINE);

	private static final Pattern MODULE = Pattern.compile("<module>([^<]+)</module>");

	private static final Pattern NAME = Pattern.compile("`([a-z.]+)`");

	private static final String ROOT = "io.quorlock";

	private final String page = Documentation.read(Documentation.ROOT.resolve("docs/architecture.md"));

	@Test
	void everyModuleOfTheBuildIsNamed() {
		String parent = Documentation.read(Documentation.ROOT.resolve("pom.xml"));
		List<String> modules = MODULE.matcher(parent).results().map((match) -> match.group(1)).toList();
		assertThat(modules).isNotEmpty().allSatisfy((module) -> assertThat(this.page).contains("`" + module + "`"));
	}

	@Test
	void tableHasThePublishedModules() {
		assertThat(rows()).extracting(Row::folder)
			.containsExactlyInAnyOrderElementsOf(
					Documentation.MODULES.stream().map((module) -> module.getFileName().toString()).toList());
	}

	@ParameterizedTest
	@MethodSource("rows")
	void artifactAndPackagesAreThoseOfTheFolder(Row row) {
		Path folder = Documentation.ROOT.resolve(row.folder());
		assertThat(Documentation.read(folder.resolve("pom.xml")))
			.contains("\n\t<artifactId>" + row.artifact() + "</artifactId>\n");
		assertThat(row.packages()).as(row.folder()).isEqualTo(packages(folder.resolve("src/main/java")));
	}

	static List<Row> rows() {
		String page = Documentation.read(Documentation.ROOT.resolve("docs/architecture.md"));
		List<Row> rows = new ArrayList<>();
		Matcher matcher = ROW.matcher(page);
		while (matcher.find()) {
			Set<String> packages = NAME.matcher(matcher.group(3))
				.results()
				.map((MatchResult name) -> name.group(1))
				.collect(Collectors.toCollection(TreeSet::new));
			rows.add(new Row(matcher.group(1), matcher.group(2), packages));
		}
		return rows;
	}

	/** Without those that lie in another one that is named. */
	private static Set<String> packages(Path sources) {
		Set<String> packages = new TreeSet<>();
		if (Files.exists(sources)) {
			for (Path file : Documentation.files(List.of(sources.getParent()), "java")) {
				String name = sources.relativize(file.getParent()).toString().replace(File.separatorChar, '.');
				packages.add(name.equals(ROOT) ? ROOT : name.substring(ROOT.length() + 1));
			}
		}
		Set<String> all = Set.copyOf(packages);
		packages.removeIf((name) -> name.contains(".") && all.contains(name.substring(0, name.lastIndexOf('.'))));
		return packages;
	}

	record Row(String folder, String artifact, Set<String> packages) {
	}

}
