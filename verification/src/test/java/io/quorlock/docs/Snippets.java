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
import java.io.IOException;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.StandardLocation;
import javax.tools.ToolProvider;

/**
 * Compiles what documentation shows of Java. A snippet is a type, some members, some
 * statements or some annotations; what it takes for granted is in
 * {@link SnippetSurroundings}.
 */
final class Snippets {

	private static final String IMPORTS = List
		.of("io.quorlock.*", "io.quorlock.annotation.*", "io.quorlock.autoconfigure.*", "io.quorlock.engine.*",
				"io.quorlock.engine.event.*", "io.quorlock.engine.inspect.*", "io.quorlock.quorum.node.*",
				"io.quorlock.fencing.*", "io.quorlock.leader.*", "io.quorlock.metrics.*", "io.quorlock.reactive.*",
				"io.quorlock.test.*", "java.lang.annotation.*", "java.nio.file.Path", "java.time.Duration",
				"java.util.*", "java.util.concurrent.*", "java.util.concurrent.locks.Lock",
				"com.redis.testcontainers.RedisContainer", "io.micrometer.common.KeyValues",
				"org.junit.jupiter.api.Test", "org.springframework.beans.factory.annotation.Autowired",
				"org.springframework.boot.test.context.SpringBootTest",
				"org.springframework.boot.testcontainers.service.connection.ServiceConnection",
				"org.springframework.cache.annotation.*", "org.springframework.context.annotation.*",
				"org.springframework.context.event.EventListener", "org.springframework.core.Ordered",
				"org.springframework.core.annotation.AliasFor", "org.springframework.core.annotation.Order",
				"org.springframework.http.HttpMethod", "org.springframework.scheduling.annotation.*",
				"org.springframework.stereotype.Service", "org.springframework.security.config.Customizer",
				"org.springframework.security.config.annotation.web.builders.HttpSecurity",
				"org.springframework.security.config.http.SessionCreationPolicy",
				"org.springframework.security.web.SecurityFilterChain",
				"org.springframework.transaction.annotation.Transactional",
				"org.testcontainers.junit.jupiter.Container", "org.testcontainers.junit.jupiter.Testcontainers",
				"reactor.core.publisher.*", "redis.clients.jedis.DefaultRedisCredentials",
				"redis.clients.jedis.RedisCredentialsProvider",
				"static io.quorlock.test.LockAssertions.assertThatLocks", "static org.assertj.core.api.Assertions.*")
		.stream()
		.map((name) -> "import " + name + ";")
		.collect(Collectors.joining("\n", "package io.quorlock.docs;\n", "\n"));

	private final Path output;

	Snippets(Path output) {
		this.output = output;
	}

	/**
	 * Compiles a snippet.
	 * @return why it is no Java in any form, or an empty string
	 */
	String compile(String snippet) {
		StringBuilder errors = new StringBuilder();
		for (Form form : Form.values()) {
			String problems = compileUnit(IMPORTS + form.wrap(snippet));
			if (problems.isEmpty()) {
				return "";
			}
			errors.append("As ").append(form.name().toLowerCase(Locale.ROOT)).append(":\n").append(problems);
		}
		return errors.toString();
	}

	private String compileUnit(String source) {
		JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
		DiagnosticCollector<JavaFileObject> diagnostics = new DiagnosticCollector<>();
		try (StandardJavaFileManager files = compiler.getStandardFileManager(diagnostics, Locale.ROOT, null)) {
			files.setLocationFromPaths(StandardLocation.CLASS_OUTPUT, List.of(this.output));
			String classPath = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
			List<String> options = List.of("-proc:none", "-parameters", "-classpath",
					classPath + File.pathSeparator + this.output);
			compiler.getTask(new StringWriter(), files, diagnostics, options, null, List.of(new Source(source))).call();
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
		List<String> problems = new ArrayList<>();
		for (Diagnostic<? extends JavaFileObject> diagnostic : diagnostics.getDiagnostics()) {
			if (diagnostic.getKind() == Diagnostic.Kind.ERROR) {
				problems.add("  " + diagnostic.getMessage(Locale.ROOT).replace("\n", "\n  ") + "\n");
			}
		}
		return String.join("", problems);
	}

	/** What a snippet may be. */
	private enum Form {

		TYPE {

			@Override
			String wrap(String snippet) {
				return snippet.replace("public @interface", "@interface").replace("public class", "class");
			}

		},

		MEMBERS {

			@Override
			String wrap(String snippet) {
				return "abstract class Snippet extends SnippetSurroundings {\n" + snippet + "\n}";
			}

		},

		STATEMENTS {

			@Override
			String wrap(String snippet) {
				return MEMBERS.wrap("void run() throws Exception {\n" + snippet + "\n}");
			}

		},

		ANNOTATIONS {

			@Override
			String wrap(String snippet) {
				List<String> lines = snippet.lines().toList();
				StringBuilder methods = new StringBuilder();
				for (int i = 0; i < lines.size(); i++) {
					methods.append(lines.get(i)).append("\nvoid method").append(i).append("() {\n}\n");
				}
				return MEMBERS.wrap(methods.toString());
			}

		};

		abstract String wrap(String snippet);

	}

	private static final class Source extends SimpleJavaFileObject {

		private final String text;

		Source(String text) {
			super(URI.create("string:///Snippet.java"), Kind.SOURCE);
			this.text = text;
		}

		@Override
		public CharSequence getCharContent(boolean ignoreEncodingErrors) {
			return this.text;
		}

	}

}
