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

import java.nio.file.Path;

/**
 * A Markdown page of the repository.
 *
 * @param path the path of the page, relative to the root of the repository
 * @param markdown the text of the page
 */
record Source(Path path, String markdown) {

	/**
	 * Return the path of the HTML page, relative to the root of the site. A README is the
	 * index of its directory, as on GitHub.
	 */
	Path target() {
		return target(this.path);
	}

	static Path target(Path path) {
		String name = path.getFileName().toString();
		String html = name.equals("README.md") ? "index.html" : name.replaceFirst("\\.md$", ".html");
		return path.resolveSibling(html);
	}

	/** Whether this is the introduction, in one of the languages. */
	boolean isStart() {
		return this.path.getNameCount() == 1 && this.path.toString().startsWith("README.");
	}

	String language() {
		return (this.path.startsWith("docs/zh") || this.path.toString().contains(".zh-CN.")) ? "zh-CN" : "en";
	}

}
