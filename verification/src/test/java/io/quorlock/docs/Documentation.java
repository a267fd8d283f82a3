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
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The pages of the repository and the fenced blocks in them.
 */
final class Documentation {

	static final Path ROOT = root();

	/** The folders of what is published. */
	static final List<Path> MODULES = modules("lock-core", "lock-redis", "lock-zookeeper", "lock-autoconfigure",
			"lock-starter", "lock-test", "lock-embedded");

	/** With what else has sources. */
	static final List<Path> ALL_MODULES = Stream
		.concat(MODULES.stream(), modules("verification", "sample-app", "benchmarks").stream())
		.toList();

	private static final Pattern BLOCK = Pattern.compile("^```([^\\n]*)\\n(.*?)^```$",
			Pattern.MULTILINE | Pattern.DOTALL);

	private Documentation() {
	}

	/** Tests run in the directory of their module, or at the root. */
	private static Path root() {
		Path directory = Path.of("").toAbsolutePath();
		while (!Files.exists(directory.resolve("README.md"))) {
			directory = directory.getParent();
		}
		return directory;
	}

	private static List<Path> modules(String... folders) {
		return Stream.of(folders).map(ROOT::resolve).toList();
	}

	/**
	 * The files in a folder of these modules, such as {@code src/main}.
	 */
	static List<Path> files(List<Path> modules, String folder) {
		List<Path> found = new ArrayList<>();
		for (Path directory : modules.stream().map((module) -> module.resolve(folder)).filter(Files::exists).toList()) {
			try (Stream<Path> files = Files.walk(directory)) {
				files.filter(Files::isRegularFile).sorted().forEach(found::add);
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		}
		return found;
	}

	static List<Path> pages() {
		try (Stream<Path> top = Files.list(ROOT);
				Stream<Path> docs = Files.walk(ROOT.resolve("docs"));
				Stream<Path> deploy = Files.walk(ROOT.resolve("deploy"))) {
			return Stream.of(top, docs, deploy)
				.flatMap(Function.identity())
				.filter((path) -> path.toString().endsWith(".md"))
				.sorted()
				.toList();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	static String read(Path page) {
		try {
			return Files.readString(page);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** The blocks of one language, of all pages. */
	static List<Block> blocks(String language) {
		return pages().stream()
			.flatMap((page) -> blocks(page).stream())
			.filter((block) -> block.language().equals(language))
			.toList();
	}

	static List<Block> blocks(Path page) {
		String text = read(page);
		List<Block> blocks = new ArrayList<>();
		Matcher matcher = BLOCK.matcher(text);
		while (matcher.find()) {
			int line = (int) text.substring(0, matcher.start()).lines().count() + 1;
			blocks.add(new Block(page, line, matcher.group(1).strip(), matcher.group(2)));
		}
		return blocks;
	}

	/**
	 * A fenced block.
	 *
	 * @param page where it stands
	 * @param line the line on which it begins
	 * @param language what the fence says, such as {@code java}
	 * @param text what is in it
	 */
	record Block(Path page, int line, String language, String text) {

		@Override
		public String toString() {
			return ROOT.relativize(this.page) + ":" + this.line;
		}

	}

}
