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

package io.quorlock.system;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import io.quorlock.embedded.EmbeddedRedis;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * R19: two JVMs with six threads each read and write two files on five real nodes.
 */
@Tag("long")
class ReadersAndWritersTests {

	private static final int WRITES = 500;

	@Test
	void readersOfTwoProcessesSeeNoWriterAtWork(@TempDir Path directory) throws Exception {
		Files.writeString(directory.resolve("one"), "0");
		Files.writeString(directory.resolve("two"), "0");
		List<ChildJvm> processes = new ArrayList<>();
		try (EmbeddedRedis redis = EmbeddedRedis.start(5)) {
			for (int i = 1; i <= 2; i++) {
				List<String> arguments = new ArrayList<>(
						List.of("pair@test:" + i, directory.toString(), "6", String.valueOf(WRITES / 2)));
				arguments.addAll(redis.uris());
				processes.add(ChildJvm.start(ReaderWriterProcess.class, arguments));
			}
			for (ChildJvm process : processes) {
				assertThat(process.awaitEnd(Duration.ofSeconds(180))).isZero();
			}
		}
		finally {
			processes.forEach(ChildJvm::close);
		}
		assertThat(Files.readString(directory.resolve("one"))).isEqualTo(String.valueOf(WRITES));
		assertThat(Files.readString(directory.resolve("two"))).isEqualTo(String.valueOf(WRITES));
	}

}
