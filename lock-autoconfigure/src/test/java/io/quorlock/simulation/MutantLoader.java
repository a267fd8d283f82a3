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

	private static final List<Path> SOURCES = List.of(Path.of("src/main/java/io/quorlock/engine"),
			Path.of("src/main/java/io/quorlock/quorum"), Path.of("src/main/java/io/quorlock/quorum/node"),
			Path.of("src/main/java/io/quorlock/quorum/membership"), Path.of("src/main/java/io/quorlock/groups"),
			Path.of("src/main/java/io/quorlock/redis"), Path.of("src/test/java/io/quorlock/simulation"));

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
		if (isScript(type)) {
			return Path.of("src/main/resources", SCRIPTS, type);
		}
		return SOURCES.stream()
			.map((directory) -> directory.resolve(type + ".java"))
			.filter(Files::exists)
			.findFirst()
			.orElseThrow(() -> new IllegalStateException("No source of " + type));
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
