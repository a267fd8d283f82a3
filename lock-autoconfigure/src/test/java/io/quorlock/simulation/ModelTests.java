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
		assertThat(table.lines().filter((line) -> line.contains(" holds "))).hasSizeGreaterThanOrEqualTo(6);
		assertThat(table.lines().filter((line) -> line.contains(" fails "))).hasSizeGreaterThanOrEqualTo(9);
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
