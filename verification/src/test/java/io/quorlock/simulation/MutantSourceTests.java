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

import java.lang.reflect.Method;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Whether the mutants still fit the sources, which takes no time; {@link MutantTests}
 * hunts them.
 */
class MutantSourceTests {

	/** Of Java or Lua. */
	private static final Pattern DECLARATION = Pattern.compile(
			"\\b(?:[A-Z]\\w*(?:<[^>;]*>)?|int|long|boolean|byte|double|local)(?:\\[])*\\s+([a-z]\\w*)\\b(?!\\s*\\()");

	@Test
	void everyMutantChangesItsSource() {
		assertThat(Mutants.ALL).isNotEmpty()
			.allSatisfy((mutant) -> assertThatCode(() -> assertThat(mutant.mutate(MutantLoader::read)).isNotEmpty())
				.doesNotThrowAnyException());
	}

	@Test
	@Tag("long")
	void renamedLocalVariablesAndOtherFormattingMoveNoMutant() {
		assertThat(Mutants.ALL).allSatisfy((mutant) -> assertThat(
				mutant.mutate((type) -> withOtherNames(MutantLoader.read(type).replace("\n", "\n\n"))))
			.isNotEmpty());
	}

	@Test
	void replacementFollowsTheNamesOfTheSource() {
		Mutant mutant = new Mutant("defect", "R1", "Type#method", "long now = now(); use(now);",
				"use(now + this.now + now());");
		String source = "\tvoid method() {\n\t\tlong time = now(); // why\n\t\tuse(time);\n\t}\n";
		assertThat(mutant.mutate((type) -> source)).containsEntry("Type",
				"\tvoid method() {\n\t\tuse(time + this.now + now());\n\t}\n");
	}

	@Test
	void otherCodeOfThePlaceIsNotTaken() {
		Mutant mutant = new Mutant("defect", "R1", "Type#method", "use(now, then)", "use(then)");
		assertThatIllegalStateException()
			.isThrownBy(() -> mutant.mutate((type) -> "\tvoid method() {\n\t\tuse(time, time);\n\t}\n"))
			.withMessageContaining("Type#method exactly once, not 0 times");
	}

	/** Names that are declared anywhere get others, wherever they are no members. */
	private static String withOtherNames(String source) {
		Matcher declarations = DECLARATION.matcher(source);
		Map<String, String> names = new HashMap<>();
		while (declarations.find()) {
			names.put(declarations.group(1), declarations.group(1) + "Renamed");
		}
		return CodePattern.of(source).renamed(names);
	}

	@Test
	void everyTestThatCatchesAMutantExists() {
		assertThat(Mutants.ALL).extracting(Mutant::test).allSatisfy((test) -> {
			if (test != null) {
				String[] parts = test.split("#");
				Class<?> type = Class.forName("io.quorlock." + parts[0], false, getClass().getClassLoader());
				assertThat(method(type, parts[1]).isAnnotationPresent(Test.class)).as(test).isTrue();
			}
		});
	}

	/** Perhaps that of a contract. */
	private static Method method(Class<?> type, String name) throws NoSuchMethodException {
		try {
			return type.getDeclaredMethod(name);
		}
		catch (NoSuchMethodException ex) {
			if (type.getSuperclass() == Object.class) {
				throw ex;
			}
			return method(type.getSuperclass(), name);
		}
	}

	@Test
	void everyMutantHasANameOfItsOwn() {
		List<String> names = Mutants.ALL.stream().map(Mutant::toString).toList();
		assertThat(names).doesNotHaveDuplicates();
	}

}
