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

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Where the links of the pages lead. Other files of the repository that a page links to
 * become part of the site.
 */
final class Links {

	private final Path root;

	private final Set<Path> files = new LinkedHashSet<>();

	private final List<Link> links = new ArrayList<>();

	Links(Path root) {
		this.root = root;
	}

	/**
	 * Return the destination of a link on the site.
	 * @param source the page that contains the link
	 * @param destination the destination in Markdown
	 */
	String resolve(Source source, String destination) {
		if (destination.contains(":")) {
			return destination;
		}
		String[] parts = destination.split("#", 2);
		String fragment = (parts.length == 1) ? "" : "#" + parts[1];
		Path path = parts[0].isEmpty() ? source.path() : source.path().resolveSibling(parts[0]).normalize();
		this.links.add(new Link(source.path(), path, (parts.length == 1) ? "" : parts[1]));
		if (parts[0].isEmpty()) {
			return fragment;
		}
		if (path.toString().endsWith(".md")) {
			return relative(source.target(), Source.target(path)) + fragment;
		}
		this.files.add(path);
		return destination;
	}

	static String relative(Path from, Path to) {
		Path directory = from.getParent();
		Path relative = (directory != null) ? directory.relativize(to) : to;
		return relative.toString().replace('\\', '/');
	}

	/**
	 * Return the files other than pages that are linked.
	 */
	Set<Path> files() {
		return this.files;
	}

	/**
	 * Return the links that lead nowhere.
	 * @param pages all pages by their path
	 */
	List<String> broken(Map<Path, Page> pages) {
		return this.links.stream().filter((link) -> !leadsSomewhere(link, pages)).map(Link::toString).toList();
	}

	private boolean leadsSomewhere(Link link, Map<Path, Page> pages) {
		Page page = pages.get(link.to());
		if (page == null) {
			return !link.to().toString().endsWith(".md") && Files.exists(this.root.resolve(link.to()));
		}
		return link.anchor().isEmpty()
				|| page.sections().stream().anyMatch((section) -> section.anchor().equals(link.anchor()));
	}

	private record Link(Path from, Path to, String anchor) {

		@Override
		public String toString() {
			return this.from + ": " + this.to + (this.anchor.isEmpty() ? "" : "#" + this.anchor);
		}

	}

}
