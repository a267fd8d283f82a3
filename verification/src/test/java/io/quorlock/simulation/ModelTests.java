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

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * Runs the explicit-state model of {@code docs/model} where its tools are installed.
 */
@Tag("long")
class ModelTests {

	/** Without the slow ones; the last four are those of {@code readers.pml}. */
	private static final List<String> RULES = List.of("exclusion", "exclusion-two-restarts", "renewal", "drift",
			"tokens", "tokens-restarts", "readers", "readers-leave", "downgrade", "readers-renewal");

	private static final List<String> BROKEN_RULES = List.of("no-quarantine", "short-quarantine", "quorum-of-reachable",
			"renewal-counts-quarantined", "no-drift-margin", "no-second-round", "raise-where-not-held",
			"tokens-no-quarantine", "clocks-too-far-apart", "marker-not-extended", "first-leaver-deletes",
			"writes-until-confirmed", "renewed-over-a-writer");

	private static final Path SCRIPT = Path.of("..", "docs", "model", "check.sh");

	@Test
	void aClockThatIsSlowNeedsTheMargin(@TempDir Path work) throws Exception {
		assertThat(check(work, "drift")).contains(" holds ");
		assertThat(check(work, "no-drift-margin")).contains(" fails ");
	}

	@Test
	@Tag("proof")
	void theRulesHoldAndEachBrokenRuleHasACounterexample(@TempDir Path work) throws Exception {
		String table = check(work);
		assertThat(variants(table, "holds")).containsExactlyInAnyOrderElementsOf(RULES);
		assertThat(variants(table, "fails")).containsExactlyInAnyOrderElementsOf(BROKEN_RULES);
	}

	/** Return the names of the variants with a result. */
	private static List<String> variants(String table, String result) {
		return table.lines()
			.map((line) -> line.split("\\s+"))
			.filter((row) -> row.length > 1 && row[1].equals(result))
			.map((row) -> row[0])
			.toList();
	}

	private static String check(Path work, String... arguments) throws Exception {
		assumeTrue(isOnPath("spin") && isOnPath("gcc"),
				"The model was not checked: it needs spin and gcc (apt-get install spin gcc)");
		Path output = work.resolve("check.out");
		Process process = new ProcessBuilder(command(arguments)).redirectErrorStream(true)
			.redirectOutput(output.toFile())
			.start();
		try {
			assertThat(process.waitFor(10, TimeUnit.MINUTES)).as("finished in time").isTrue();
		}
		finally {
			process.descendants().forEach(ProcessHandle::destroyForcibly);
			process.destroyForcibly();
		}
		String table = Files.readString(output);
		assertThat(process.exitValue()).as(table).isZero();
		return table;
	}

	private static List<String> command(String... arguments) {
		List<String> command = new ArrayList<>(List.of("sh", SCRIPT.toString()));
		command.addAll(List.of(arguments));
		return command;
	}

	private static boolean isOnPath(String command) {
		return Arrays.stream(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
			.anyMatch((directory) -> Files.isExecutable(Path.of(directory, command)));
	}

}
