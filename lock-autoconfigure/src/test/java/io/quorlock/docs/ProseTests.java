package io.quorlock.docs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that sentences which readers misunderstood do not come back, in the pages and in
 * the messages.
 */
class ProseTests {

	@ParameterizedTest
	@ValueSource(strings = { "so that it may not exclude us", "as 1 nodes do", "of no use", "mend the caller",
			"proof against paused", "metrics go by it", "required / aim", "between two chairs", "must stick to it",
			"Fails who waits", "tells how", "tells the steps", "to let go", "Guardian", "wireForm", "ByGroup(",
			"对进程停顿的证明", "往前跳" })
	void phraseIsGone(String phrase) throws IOException {
		assertThat(matches(pagesAndSources("src"), Pattern.compile(Pattern.quote(phrase)))).isEmpty();
	}

	/** What acts is a holder, a claim, an instance or a thread. */
	@Test
	void holdersAndClaimsAreNoPersons() throws IOException {
		Pattern persons = Pattern.compile("\\b(nobody|somebody|whoever|anybody|everybody)\\b",
				Pattern.CASE_INSENSITIVE);
		assertThat(matches(pagesAndSources("src/main"), persons)).isEmpty();
	}

	private static List<Path> matches(List<Path> files, Pattern pattern) throws IOException {
		List<Path> found = new ArrayList<>();
		for (Path file : files) {
			if (pattern.matcher(Files.readString(file)).find()) {
				found.add(Documentation.ROOT.relativize(file));
			}
		}
		return found;
	}

	private static List<Path> pagesAndSources(String folder) throws IOException {
		List<Path> files = new ArrayList<>(Documentation.pages());
		for (String module : List.of("lock-autoconfigure", "lock-embedded", "sample-app", "benchmarks")) {
			try (Stream<Path> sources = Files.walk(Documentation.ROOT.resolve(module).resolve(folder))) {
				sources.filter((file) -> file.toString().matches(".*\\.(java|kt|lua|js|html|yml)"))
					.filter((file) -> !file.endsWith("ProseTests.java"))
					.forEach(files::add);
			}
		}
		return files;
	}

}
