package io.quorlock.simulation;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Whether the mutants still fit the sources, which takes no time; {@link MutantTests}
 * hunts them.
 */
class MutantSourceTests {

	@Test
	void everyMutantChangesItsSource() {
		assertThat(Mutants.ALL).isNotEmpty()
			.allSatisfy((mutant) -> assertThat(mutant.mutate(MutantLoader::read)).isNotEmpty());
	}

	@Test
	void everyTestThatCatchesAMutantExists() {
		assertThat(Mutants.ALL).extracting(Mutant::test).allSatisfy((test) -> {
			if (test != null) {
				String[] parts = test.split("#");
				Class<?> type = Class.forName("io.quorlock." + parts[0], false, getClass().getClassLoader());
				assertThat(type.getDeclaredMethod(parts[1]).isAnnotationPresent(Test.class)).as(test).isTrue();
			}
		});
	}

	@Test
	void documentationSaysHowManyMutantsThereAre() throws IOException {
		int mutants = Mutants.ALL.size();
		assertThat(text("safety.md")).contains("breaks the engine on purpose, with %d defects".formatted(mutants));
		assertThat(text("simulation.md")).contains("`Mutants` lists %d deliberate defects".formatted(mutants));
	}

	private static String text(String page) throws IOException {
		return Files.readString(Path.of("..", "docs", page)).replaceAll("\\s+", " ");
	}

	@Test
	void everyMutantHasANameOfItsOwn() {
		List<String> names = Mutants.ALL.stream().map(Mutant::toString).toList();
		assertThat(names).doesNotHaveDuplicates();
	}

}
