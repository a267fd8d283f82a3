package io.quorlock.docs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that sentences which readers misunderstood do not come back, in the pages and in
 * the messages.
 */
class ProseTests {

	@ParameterizedTest
	@ValueSource(strings = { "so that it may not exclude us", "as 1 nodes do", "is of no use", "mend the caller",
			"proof against paused", "metrics go by it", "required / aim", "对进程停顿的证明", "往前跳" })
	void phraseIsGone(String phrase) throws IOException {
		List<Path> found = new ArrayList<>();
		for (Path file : pagesAndSources()) {
			if (Files.readString(file).contains(phrase)) {
				found.add(Documentation.ROOT.relativize(file));
			}
		}
		assertThat(found).isEmpty();
	}

	private static List<Path> pagesAndSources() throws IOException {
		List<Path> files = new ArrayList<>(Documentation.pages());
		for (String module : List.of("lock-autoconfigure", "lock-embedded", "sample-app")) {
			try (Stream<Path> sources = Files.walk(Documentation.ROOT.resolve(module).resolve("src/main"))) {
				sources.filter((file) -> file.toString().matches(".*\\.(java|lua|js|html|yml)")).forEach(files::add);
			}
		}
		return files;
	}

}
