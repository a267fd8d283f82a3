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

package io.quorlock.simulation;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

import org.jspecify.annotations.Nullable;

/**
 * Classes of this project with some of them compiled from a mutant's sources, beside the
 * real ones and unknown to them.
 */
final class MutantLoader extends ClassLoader {

	/** Of which the mutants are, in whatever module they stand. */
	private static final List<String> PACKAGES = List.of("", "time", "engine", "quorum", "quorum/node",
			"quorum/membership", "groups", "memory", "redis", "redis/client", "redis/spring", "zookeeper",
			"transaction", "actuate", "leader", "metrics", "autoconfigure", "autoconfigure/redis", "simulation");

	private static final String SCRIPTS = "io/quorlock/redis/";

	private final Map<String, byte[]> mutated;

	MutantLoader(Mutant mutant) throws IOException {
		super(MutantLoader.class.getClassLoader());
		this.mutated = compile(mutant);
	}

	private static Map<String, byte[]> compile(Mutant mutant) throws IOException {
		List<MutatedSource> sources = new ArrayList<>();
		Map<String, byte[]> bytes = new HashMap<>();
		mutant.mutate(MutantLoader::read).forEach((type, source) -> {
			if (isScript(type)) {
				bytes.put(SCRIPTS + type, source.getBytes(StandardCharsets.UTF_8));
			}
			else {
				sources.add(new MutatedSource(file(type), source));
			}
		});
		JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
		Map<String, ByteArrayOutputStream> classes = new HashMap<>();
		try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
			List<String> options = List.of("-proc:none", "-nowarn", "-parameters", "-cp",
					System.getProperty("java.class.path"));
			boolean compiled = sources.isEmpty()
					|| compiler.getTask(null, new ClassesInMemory(files, classes), null, options, null, sources).call();
			if (!compiled) {
				throw new IllegalStateException("Mutant '" + mutant + "' does not compile");
			}
		}
		classes.forEach((name, output) -> bytes.put(name, output.toByteArray()));
		return bytes;
	}

	private static boolean isScript(String type) {
		return type.endsWith(".lua");
	}

	private static Path file(String type) {
		try (Stream<Path> modules = Files.list(Path.of(".."))) {
			return modules.sorted()
				.flatMap((module) -> isScript(type) ? Stream.of(module.resolve("src/main/resources/" + SCRIPTS + type))
						: sources(module).map((directory) -> directory.resolve(type + ".java")))
				.filter(Files::exists)
				.findFirst()
				.orElseThrow(() -> new IllegalStateException("No source of " + type));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static Stream<Path> sources(Path module) {
		return Stream.of("main", "test")
			.flatMap((kind) -> PACKAGES.stream()
				.map((name) -> module.resolve("src/" + kind + "/java/io/quorlock/" + name)));
	}

	/** Return the source of a class or a script of this project. */
	static String read(String type) {
		try {
			return Files.readString(file(type));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	@Override
	protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
		if (!name.startsWith("io.quorlock.")) {
			return super.loadClass(name, resolve);
		}
		synchronized (getClassLoadingLock(name)) {
			Class<?> loaded = findLoadedClass(name);
			return (loaded != null) ? loaded : findClass(name);
		}
	}

	/** Scripts are read through the class beside which they stand. */
	@Override
	public @Nullable InputStream getResourceAsStream(String name) {
		byte[] script = this.mutated.get(name);
		return (script != null) ? new ByteArrayInputStream(script) : super.getResourceAsStream(name);
	}

	@Override
	protected Class<?> findClass(String name) throws ClassNotFoundException {
		byte[] bytes = this.mutated.get(name);
		if (bytes == null) {
			bytes = original(name);
		}
		return defineClass(name, bytes, 0, bytes.length);
	}

	private byte[] original(String name) throws ClassNotFoundException {
		try (InputStream in = getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
			if (in == null) {
				throw new ClassNotFoundException(name);
			}
			return in.readAllBytes();
		}
		catch (IOException ex) {
			throw new ClassNotFoundException(name, ex);
		}
	}

	private static final class MutatedSource extends SimpleJavaFileObject {

		private final String source;

		private MutatedSource(Path file, String source) {
			super(file.toUri(), Kind.SOURCE);
			this.source = source;
		}

		@Override
		public CharSequence getCharContent(boolean ignoreEncodingErrors) {
			return this.source;
		}

	}

	private static final class ClassesInMemory extends ForwardingJavaFileManager<JavaFileManager> {

		private final Map<String, ByteArrayOutputStream> classes;

		private ClassesInMemory(JavaFileManager files, Map<String, ByteArrayOutputStream> classes) {
			super(files);
			this.classes = classes;
		}

		@Override
		public JavaFileObject getJavaFileForOutput(Location location, String className, JavaFileObject.Kind kind,
				@Nullable FileObject sibling) {
			return new SimpleJavaFileObject(URI.create("memory:///" + className.replace('.', '/')), kind) {

				@Override
				public OutputStream openOutputStream() {
					return ClassesInMemory.this.classes.computeIfAbsent(className,
							(name) -> new ByteArrayOutputStream());
				}

			};
		}

	}

}
