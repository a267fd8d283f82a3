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

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Renders README, the pages in {@code docs} and the Javadoc as a site that needs no
 * server.
 */
public final class SiteGenerator {

	private static final List<String> DIRECTORIES = List.of("docs", "deploy", "benchmarks");

	private static final List<String> MODULES_WITH_JAVADOC = List.of("lock-core", "lock-redis", "lock-zookeeper",
			"lock-autoconfigure", "lock-test", "lock-embedded");

	private final Path root;

	private final Path output;

	SiteGenerator(Path root, Path output) {
		this.root = root;
		this.output = output;
	}

	/**
	 * Generate the site.
	 * @param args the root of the repository, and the directory of the site
	 * @throws IOException if a file cannot be read or written
	 */
	public static void main(String... args) throws IOException {
		new SiteGenerator(Path.of(args[0]), Path.of(args[1])).generate();
	}

	void generate() throws IOException {
		Links links = new Links(this.root);
		MarkdownRenderer renderer = new MarkdownRenderer(links);
		Map<Path, Page> pages = new LinkedHashMap<>();
		for (Source source : sources()) {
			pages.put(source.path(), renderer.render(source));
		}
		List<String> broken = links.broken(pages);
		if (!broken.isEmpty()) {
			throw new IllegalStateException("Links that lead nowhere: " + broken);
		}
		Layout layout = new Layout(pages);
		for (Page page : pages.values()) {
			write(page.source().target(), layout.apply(page));
		}
		write(Path.of("assets/search-index.js"), SearchIndex.of(pages.values()));
		for (String asset : List.of("site.css", "search.js", "site.js", "logo.svg")) {
			write(Path.of("assets").resolve(asset), Layout.resource(asset));
		}
		for (Path file : links.files()) {
			copy(this.root.resolve(file), this.output.resolve(file));
		}
		for (String module : MODULES_WITH_JAVADOC) {
			copy(this.root.resolve(module).resolve("target/reports/apidocs"),
					this.output.resolve("javadoc").resolve(module));
		}
	}

	private List<Source> sources() throws IOException {
		List<Path> files = new ArrayList<>(pagesIn(this.root, 1));
		for (String directory : DIRECTORIES) {
			files.addAll(pagesIn(this.root.resolve(directory), Integer.MAX_VALUE));
		}
		List<Source> sources = new ArrayList<>();
		for (Path file : files) {
			sources.add(new Source(this.root.relativize(file), Files.readString(file)));
		}
		return sources;
	}

	private static List<Path> pagesIn(Path directory, int depth) throws IOException {
		if (!Files.exists(directory)) {
			return List.of();
		}
		try (Stream<Path> files = Files.walk(directory, depth)) {
			return files.filter((file) -> file.toString().endsWith(".md")).sorted().toList();
		}
	}

	private void write(Path target, String text) throws IOException {
		Path file = this.output.resolve(target);
		Files.createDirectories(file.getParent());
		Files.writeString(file, text);
	}

	private static void copy(Path from, Path to) throws IOException {
		if (!Files.exists(from)) {
			return;
		}
		try (Stream<Path> files = Files.walk(from)) {
			files.filter(Files::isRegularFile).forEach((file) -> {
				Path target = to.resolve(from.relativize(file).toString());
				try {
					Files.createDirectories(target.getParent());
					Files.copy(file, target, StandardCopyOption.REPLACE_EXISTING);
				}
				catch (IOException ex) {
					throw new UncheckedIOException(ex);
				}
			});
		}
	}

}
