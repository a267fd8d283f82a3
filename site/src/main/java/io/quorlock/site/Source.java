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

	String language() {
		return (this.path.startsWith("docs/zh") || this.path.toString().contains(".zh-CN.")) ? "zh-CN" : "en";
	}

}
