package io.quorlock.simulation;

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
		assertThat(Mutants.ALL).hasSizeGreaterThan(80)
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
	void everyMutantHasANameOfItsOwn() {
		List<String> names = Mutants.ALL.stream().map(Mutant::toString).toList();
		assertThat(names).doesNotHaveDuplicates();
	}

}
