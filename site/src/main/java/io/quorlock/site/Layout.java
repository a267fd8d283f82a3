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
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.quorlock.site.Page.Section;

/**
 * What surrounds the body of each page: navigation, search, languages.
 */
final class Layout {

	private static final Pattern NAVIGATION_LINK = Pattern.compile("(?m)^## (.+)$|^- \\[([^]]+)]\\(([^)]+)\\)");

	private static final String NAME = "Quorlock";

	private final Map<Path, Page> pages;

	private final String template;

	Layout(Map<Path, Page> pages) throws IOException {
		this.pages = pages;
		this.template = resource("layout.html");
	}

	static String resource(String name) throws IOException {
		try (InputStream resource = Layout.class.getResourceAsStream(name)) {
			if (resource == null) {
				throw new IllegalStateException("No resource '" + name + "'");
			}
			return new String(resource.readAllBytes(), StandardCharsets.UTF_8);
		}
	}

	String apply(Page page) {
		Source source = page.source();
		boolean chinese = source.language().equals("zh-CN");
		Path translation = translation(source);
		Map<String, String> values = new HashMap<>();
		values.put("language", source.language());
		values.put("kind", source.isStart() ? "start" : "page");
		values.put("title", escape(title(page, chinese)));
		values.put("root", root(source.target()));
		values.put("navigation", navigation(source));
		values.put("contents", contents(page));
		values.put("contentsName", chinese ? "本页内容" : "On this page");
		values.put("body", page.html());
		values.put("translation", Links.relative(source.target(), Source.target(translation)));
		values.put("translationName", chinese ? "English" : "中文");
		values.put("translationLanguage", chinese ? "en" : "zh-CN");
		values.put("search", chinese ? "搜索" : "Search");
		values.put("menu", chinese ? "目录" : "Menu");
		values.put("nothing", chinese ? "没有找到" : "Nothing found");
		values.put("home", Links.relative(source.target(), Path.of(chinese ? "README.zh-CN.html" : "index.html")));
		return Pattern.compile("\\$\\{(\\w+)}")
			.matcher(this.template)
			.replaceAll((match) -> Matcher.quoteReplacement(values.get(match.group(1))));
	}

	/** The start page is called as the project is: its name is not said twice. */
	private static String title(Page page, boolean chinese) {
		if (!page.source().isStart()) {
			return page.title() + " · " + NAME;
		}
		return NAME + (chinese ? " · Spring Boot 分布式锁" : " · Distributed locks for Spring Boot");
	}

	private static String root(Path target) {
		return "../".repeat(target.getNameCount() - 1);
	}

	/** The same page in the other language, or else its start page. */
	private Path translation(Source source) {
		Path name = source.path().getFileName();
		if (source.language().equals("en")) {
			Path chinese = Path.of("docs/zh").resolve(name);
			boolean translated = source.path().startsWith("docs") && this.pages.containsKey(chinese);
			return translated ? chinese : Path.of("README.zh-CN.md");
		}
		Path english = Path.of("docs").resolve(name);
		boolean translated = source.path().startsWith("docs") && this.pages.containsKey(english);
		return translated ? english : Path.of("README.md");
	}

	/** The lists of the index of all pages, which GitHub shows for the directory. */
	private String navigation(Source source) {
		Path index = Path.of(source.language().equals("en") ? "docs/README.md" : "docs/zh/README.md");
		StringBuilder html = new StringBuilder();
		Page page = this.pages.get(index);
		if (page == null) {
			return "";
		}
		String heading = "";
		Matcher matcher = NAVIGATION_LINK.matcher(page.source().markdown());
		while (matcher.find()) {
			if (matcher.group(1) != null) {
				heading = "<h2>" + escape(matcher.group(1)) + "</h2>\n";
			}
			else {
				html.append(heading);
				heading = "";
				html.append(link(source, index, matcher.group(2), matcher.group(3)));
			}
		}
		return html.toString();
	}

	private static String link(Source source, Path index, String text, String destination) {
		Path path = index.resolveSibling(destination).normalize();
		String current = path.equals(source.path()) ? " aria-current=\"page\"" : "";
		String href = destination.contains(":") ? destination : Links.relative(source.target(), Source.target(path));
		return "<a href=\"%s\"%s>%s</a>\n".formatted(href, current, escape(text));
	}

	private static String contents(Page page) {
		List<Section> sections = page.sections().subList(1, page.sections().size());
		StringBuilder html = new StringBuilder();
		for (Section section : sections) {
			html.append("<a href=\"#%s\">%s</a>\n".formatted(section.anchor(), escape(section.title())));
		}
		return html.toString();
	}

	private static String escape(String text) {
		return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("\"", "&quot;");
	}

}
