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
import java.nio.file.Files;
import java.nio.file.Path;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@link SiteGenerator}, with a repository of a few pages.
 */
class SiteGeneratorTests {

	@TempDir
	private Path repository;

	@BeforeEach
	void pages() throws IOException {
		page("README.md",
				"# Project\n\n[Safety](docs/safety.md#what-is-safe), [license](LICENSE)\n\n## Configuration\n");
		page("README.zh-CN.md", "# 项目\n\n[选择](docs/zh/faq.md#常见问题)\n");
		page("LICENSE", "license");
		page("docs/README.md",
				"# Pages\n\nIn [Chinese](zh/README.md).\n\n## Use\n\n- [Safety](safety.md)\n- [Questions](faq.md)\n\n## Index\n");
		page("docs/safety.md", "# Safety\n\n## What *is* safe?\n\n| a | b |\n|---|---|\n| x | `y` |\n");
		page("docs/faq.md", "# Questions\n");
		page("docs/properties.md", "# Properties\n");
		page("docs/zh/README.md", "# 目录\n\n- [常见问题](faq.md)\n");
		page("docs/zh/faq.md", "# 常见问题\n\n看门狗\n");
		page("lock-autoconfigure/target/reports/apidocs/index.html", "javadoc");
	}

	@Test
	void pagesLinkToEachOther() throws IOException {
		generate();
		assertThat(read("index.html")).contains("href=\"docs/safety.html#what-is-safe\"", "href=\"LICENSE\"");
		assertThat(read("docs/safety.html")).contains("<h2 id=\"what-is-safe\">", "<table>");
		assertThat(read("LICENSE")).isEqualTo("license");
		assertThat(read("javadoc/lock-autoconfigure/index.html")).isEqualTo("javadoc");
	}

	@Test
	void navigationIsTheIndexOfThePages() throws IOException {
		generate();
		assertThat(read("docs/safety.html")).contains("<a href=\"safety.html\" aria-current=\"page\">Safety</a>",
				"<a href=\"faq.html\">Questions</a>");
		assertThat(read("index.html")).contains("<h2>Use</h2>", "<a href=\"docs/faq.html\">Questions</a>")
			.doesNotContain("Chinese", "<h2>Index</h2>");
	}

	@Test
	void pageLeadsToItsTranslation() throws IOException {
		generate();
		assertThat(read("docs/faq.html")).contains("<html lang=\"en\"",
				"<a class=\"language\" href=\"zh/faq.html\" lang=\"zh-CN\">中文</a>");
		assertThat(read("docs/zh/faq.html")).contains("<html lang=\"zh-CN\"",
				"<a class=\"language\" href=\"../faq.html\" lang=\"en\">English</a>");
		assertThat(read("docs/safety.html"))
			.contains("<a class=\"language\" href=\"../README.zh-CN.html\" lang=\"zh-CN\">中文</a>");
	}

	@Test
	void searchFindsSectionsInBothLanguages() throws IOException {
		generate();
		assertThat(read("assets/search-index.js"))
			.contains("\"url\":\"docs/safety.html#what-is-safe\"", "\"section\":\"What is safe?\"")
			.contains("\"language\":\"zh-CN\"", "看门狗");
	}

	@Test
	void diagramIsDrawnAndItsTextIsNotSearched() throws IOException {
		page("docs/faq.md", """
				# Questions

				```mermaid
				sequenceDiagram
				    participant A as your method
				    participant B
				    A->>B: acquire <order>
				    Note over A,B: the validity begins
				    par all at once
				        B->>A: same
				    end
				    B-->>A: granted
				```
				""");
		generate();
		assertThat(read("docs/faq.html"))
			.contains("<svg", "your method", "acquire &lt;order&gt;", "the validity", "all at once",
					"class=\"message reply\"")
			.doesNotContain("sequenceDiagram", "participant", "-&gt;&gt;");
		assertThat(read("assets/search-index.js")).doesNotContain("sequenceDiagram", "participant", "granted");
	}

	@ParameterizedTest
	@ValueSource(strings = { "flowchart LR", "sequenceDiagram\nloop ever\nend", "sequenceDiagram\nA->>B: unknown" })
	void diagramThatCannotBeDrawnFails(String diagram) throws IOException {
		page("docs/faq.md", "# Questions\n\n```mermaid\n" + diagram + "\n```\n");
		assertThatIllegalArgumentException().isThrownBy(this::generate);
	}

	@Test
	void nameOfTheProjectIsInATitleOnce() throws IOException {
		page("README.md", "# Quorlock\n\n[Safety](docs/safety.md)\n");
		generate();
		assertThat(read("index.html")).contains("<title>Quorlock · Distributed locks for Spring Boot</title>");
		assertThat(read("docs/faq.html")).contains("<title>Questions · Quorlock</title>");
	}

	@Test
	void pagesLoadNothingFromElsewhere() throws IOException {
		generate();
		assertThat(read("index.html")).doesNotContain("src=\"http", "href=\"http");
	}

	@Test
	void linkThatLeadsNowhereFails() throws IOException {
		page("docs/faq.md", "# Questions\n\n[gone](safety.md#gone)\n");
		assertThatIllegalStateException().isThrownBy(this::generate).withMessageContaining("docs/safety.md#gone");
	}

	private void generate() throws IOException {
		new SiteGenerator(this.repository, this.repository.resolve("site")).generate();
	}

	private void page(String path, String text) throws IOException {
		Path file = this.repository.resolve(path);
		Files.createDirectories(file.getParent());
		Files.writeString(file, text);
	}

	private String read(String path) throws IOException {
		return Files.readString(this.repository.resolve("site").resolve(path));
	}

}
