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

package io.quorlock.embedded;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

/**
 * Where no embedded server can run, one sentence says why and what to do.
 */
class UnsupportedSystemTests {

	@Test
	void serverThatIsGivenIsUsedAndMustBeThere(@TempDir Path directory) {
		System.setProperty(EmbeddedRedisNode.SERVER_PROPERTY, directory.resolve("redis-server").toString());
		try {
			assertThatExceptionOfType(EmbeddedServerException.class).isThrownBy(() -> RedisBinary.extractTo(directory))
				.withMessageContaining(EmbeddedRedisNode.SERVER_PROPERTY);
			Path given = Path.of("/bin/sh");
			System.setProperty(EmbeddedRedisNode.SERVER_PROPERTY, given.toString());
			assertThat(RedisBinary.extractTo(directory)).isEqualTo(given);
		}
		finally {
			System.clearProperty(EmbeddedRedisNode.SERVER_PROPERTY);
		}
	}

	@ParameterizedTest
	@CsvSource({ "Windows 11, amd64", "Linux, s390x", "Linux, riscv64", "SunOS, amd64" })
	void otherSystemsAreRefusedInOneSentence(String system, String processor) {
		assertThatExceptionOfType(EmbeddedServerException.class)
			.isThrownBy(() -> RedisBinary.requireSupported(system, processor))
			.withMessage("There is no embedded Redis server for " + system + " on " + processor
					+ ", only for Linux and macOS on x86-64 and arm64: use Redis servers that run elsewhere,"
					+ " in a container or in WSL for example, or name a redis-server with the system property "
					+ EmbeddedRedisNode.SERVER_PROPERTY);
	}

	@ParameterizedTest
	@CsvSource({ "Linux, amd64", "Linux, aarch64", "Mac OS X, x86_64", "Mac OS X, aarch64" })
	void systemsWithServersAreNot(String system, String processor) {
		assertThatNoException().isThrownBy(() -> RedisBinary.requireSupported(system, processor));
	}

	@Test
	void folderFromWhichNothingMayBeRunIsRefused(@TempDir Path folder) throws IOException {
		Path binary = Files.createFile(folder.resolve("redis-server"));
		assertThatExceptionOfType(EmbeddedServerException.class).isThrownBy(() -> RedisBinary.requireExecutable(binary))
			.withMessageContaining("no program may be run from there")
			.withMessageEndingWith("name another one with -Djava.io.tmpdir");
	}

	/** What a first attempt unpacked is not in the way of the next. */
	@Test
	void serverIsUnpackedAgainWhereTheFirstAttemptFailed(@TempDir Path folder) {
		Path first = RedisBinary.extractTo(folder);
		assertThat(RedisBinary.extractTo(folder)).isEqualTo(first).isExecutable();
	}

	@Test
	void folderThatIsGoneMeanwhileIsRefused(@TempDir Path folder) throws Exception {
		Process jvm = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
				"-Djava.io.tmpdir=" + folder, "-cp", System.getProperty("java.class.path"), Swept.class.getName())
			.start();
		List<String> lines = new String(jvm.getInputStream().readAllBytes(), StandardCharsets.UTF_8).lines().toList();
		assertThat(lines).hasSize(3).first(STRING).as("all that the servers keep there").matches("quorlock-\\d+");
		assertThat(lines.subList(1, 3))
			.allSatisfy((line) -> assertThat(line).startsWith("The temporary folder " + folder)
				.contains("since no file can be written there"));
	}

	@Test
	void folderThatIsNotThereIsRefusedEachTime(@TempDir Path folder) throws Exception {
		Process jvm = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
				"-Djava.io.tmpdir=" + folder.resolve("missing"), "-cp", System.getProperty("java.class.path"),
				Child.class.getName())
			.start();
		assertThat(new String(jvm.getInputStream().readAllBytes(), StandardCharsets.UTF_8).lines()).hasSize(2)
			.allSatisfy((line) -> assertThat(line).startsWith("The temporary folder " + folder)
				.contains("cannot be used by embedded servers, since no file can be written there")
				.endsWith("name another one with -Djava.io.tmpdir"));
	}

	/** Tries it twice. */
	static final class Child {

		public static void main(String[] args) {
			for (int i = 0; i < 2; i++) {
				try {
					EmbeddedRedisNode.start().close();
				}
				catch (EmbeddedServerException ex) {
					System.out.println(ex.getMessage());
				}
			}
		}

	}

	/** Some systems sweep what was not used for days. */
	static final class Swept {

		public static void main(String[] args) throws IOException {
			EmbeddedRedisNode node = EmbeddedRedisNode.start();
			try (Stream<Path> folders = Files.list(Path.of(System.getProperty("java.io.tmpdir")))) {
				List<Path> all = folders.toList();
				System.out
					.println(all.stream().map((f) -> f.getFileName().toString()).collect(Collectors.joining(", ")));
				all.forEach(TemporaryFiles::delete);
			}
			for (Runnable start : List.<Runnable>of(EmbeddedRedisNode::start, node::restartEmpty)) {
				try {
					start.run();
				}
				catch (EmbeddedServerException ex) {
					System.out.println(ex.getMessage());
				}
			}
		}

	}

}
