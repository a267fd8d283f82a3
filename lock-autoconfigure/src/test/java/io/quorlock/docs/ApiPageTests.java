package io.quorlock.docs;

import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.quorlock.LockContext;
import io.quorlock.LockHandle;
import io.quorlock.LockRequest;
import io.quorlock.LockTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that {@code docs/api.md} names types that exist, and all of the packages that are
 * for applications.
 */
class ApiPageTests {

	private static final Pattern CODE = Pattern.compile("`((?:[a-z]+\\.)*)(\\w+)`");

	private static final List<String> FOR_APPLICATIONS = List.of("io.quorlock", "io.quorlock.annotation",
			"io.quorlock.fencing", "io.quorlock.test", "io.quorlock.embedded");

	/** What the engine and the advice ask of each other. */
	private static final Set<String> INTERNAL = Set.of("isGrantedBy", "methodOf", "toString");

	@Test
	void everyTypeThatIsNamedIsPublic() throws ClassNotFoundException {
		Set<String> named = named();
		assertThat(named).isNotEmpty();
		for (String name : named) {
			assertThat(Modifier.isPublic(Class.forName(name).getModifiers())).as(name).isTrue();
		}
	}

	@Test
	void everyPublicTypeForApplicationsIsNamed() throws Exception {
		List<String> types = new ArrayList<>();
		for (String module : List.of("lock-autoconfigure", "lock-embedded")) {
			for (String packageName : FOR_APPLICATIONS) {
				types.addAll(publicTypes(Documentation.ROOT.resolve(module).resolve("src/main/java"), packageName));
			}
		}
		types.remove("io.quorlock.test.TestLocksAutoConfiguration");
		assertThat(named()).containsAll(types);
	}

	@ParameterizedTest
	@ValueSource(classes = { LockTemplate.class, LockRequest.class, LockHandle.class, LockContext.class })
	void everyMethodIsNamed(Class<?> type) {
		String page = Documentation.read(Documentation.ROOT.resolve("docs/api.md"));
		for (Method method : type.getDeclaredMethods()) {
			boolean part = Modifier.isPublic(method.getModifiers()) && !method.isSynthetic();
			boolean internal = INTERNAL.contains(method.getName());
			// What a request was built with can be read: one method for each that builds.
			boolean reads = type == LockRequest.class && method.getReturnType() != LockRequest.class;
			if (part && !internal && !reads) {
				assertThat(page).as("%s of %s", method.getName(), type)
					.containsPattern("`" + method.getName() + "[`(]");
			}
		}
	}

	private static List<String> publicTypes(Path sources, String packageName)
			throws IOException, ClassNotFoundException {
		Path directory = sources.resolve(packageName.replace('.', '/'));
		List<String> types = new ArrayList<>();
		if (Files.exists(directory)) {
			try (Stream<Path> files = Files.list(directory)) {
				for (Path file : files.filter((path) -> path.toString().matches(".*/[A-Z]\\w+\\.java")).toList()) {
					String name = packageName + "." + file.getFileName().toString().replace(".java", "");
					if (Modifier.isPublic(Class.forName(name).getModifiers())) {
						types.add(name);
					}
				}
			}
		}
		return types;
	}

	/** A name without a package is of the package that was named before it in its row. */
	private static Set<String> named() {
		Set<String> named = new TreeSet<>();
		Documentation.read(Documentation.ROOT.resolve("docs/api.md"))
			.lines()
			.filter((line) -> line.startsWith("| `io.quorlock"))
			.forEach((line) -> {
				String packageName = "";
				for (MatchResult code : CODE.matcher(line).results().toList()) {
					String name = code.group(2);
					if (Character.isLowerCase(name.charAt(0))) {
						packageName = code.group(1) + name + ".";
						continue;
					}
					packageName = code.group(1).isEmpty() ? packageName : code.group(1);
					named.add(packageName + name);
				}
			});
		return named;
	}

}
