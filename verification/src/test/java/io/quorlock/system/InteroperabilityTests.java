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

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import io.quorlock.LockRequest;
import io.quorlock.embedded.EmbeddedRedis;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A Redlock client of another project, npm's {@code redlock}, and this one exclude each
 * other on the same nodes and keys. Skipped where Node.js is absent or the client cannot
 * be installed.
 */
@Tag("long")
class InteroperabilityTests {

	private static final int INCREMENTS = 500;

	@TempDir
	private Path directory;

	@Test
	void anotherRedlockClientAndThisOneCountToAnExactTotal() throws Exception {
		Path counter = Files.writeString(this.directory.resolve("counter"), "0");
		installClient();
		try (EmbeddedRedis redis = EmbeddedRedis.start(5);
				RealEngine engine = RealEngine.start(RealEngine.settings("interop@test:1"), redis.uris())) {
			Process client = start(command(counter, redis));
			try {
				for (int i = 0; i < INCREMENTS; i++) {
					engine.template.executeWithoutResult(LockRequest.of("counter").waitTime(Duration.ofSeconds(60)),
							() -> Files.writeString(counter,
									String.valueOf(Integer.parseInt(Files.readString(counter)) + 1)));
				}
				assertThat(client.waitFor(120, TimeUnit.SECONDS)).isTrue();
				assertThat(client.exitValue()).isZero();
			}
			finally {
				client.destroyForcibly();
			}
		}
		assertThat(Files.readString(counter)).isEqualTo(String.valueOf(2 * INCREMENTS));
	}

	@Test
	void anotherRedlockClientWritesBesideReadersOfThisOne() throws Exception {
		Path counter = Files.writeString(this.directory.resolve("counter"), "0");
		installClient();
		try (EmbeddedRedis redis = EmbeddedRedis.start(5);
				RealEngine engine = RealEngine.start(RealEngine.settings("interop@test:1"), redis.uris())) {
			Process client = start(command(counter, redis));
			try {
				int reads = 0;
				LockRequest reading = LockRequest.of("counter").shared().waitTime(Duration.ofSeconds(60));
				while (client.isAlive()) {
					engine.template.executeWithoutResult(reading, () -> {
						String before = Files.readString(counter);
						Thread.sleep(2);
						assertThat(Files.readString(counter)).isEqualTo(before).isNotEmpty();
					});
					reads++;
					// It does not look for tickets, and asks again after a while only.
					Thread.sleep(20);
				}
				assertThat(client.exitValue()).isZero();
				// Its releases are offered to nobody, so that a reader asks after a
				// pause.
				assertThat(reads).isGreaterThan(2);
			}
			finally {
				client.destroyForcibly();
			}
		}
		assertThat(Files.readString(counter)).isEqualTo(String.valueOf(INCREMENTS));
	}

	private static List<String> command(Path counter, EmbeddedRedis redis) {
		List<String> command = new ArrayList<>(
				List.of("node", "counter.js", counter.toString(), String.valueOf(INCREMENTS)));
		redis.uris().forEach((uri) -> command.add(uri.substring("redis://".length())));
		return command;
	}

	private void installClient() throws Exception {
		for (String file : List.of("package.json", "counter.js")) {
			try (InputStream source = Objects.requireNonNull(getClass().getResourceAsStream("node-redlock/" + file))) {
				Files.copy(source, this.directory.resolve(file));
			}
		}
		boolean installed;
		try {
			Process install = start(List.of("npm", "install", "--no-audit", "--no-fund", "--no-package-lock"));
			installed = install.waitFor(120, TimeUnit.SECONDS) && install.exitValue() == 0;
			install.destroyForcibly();
		}
		catch (IOException ex) {
			installed = false;
		}
		Assumptions.assumeTrue(installed, "Node.js is absent, or npm could not install the redlock client");
	}

	private Process start(List<String> command) throws IOException {
		return new ProcessBuilder(command).directory(this.directory.toFile())
			.redirectErrorStream(true)
			.redirectOutput(new File(this.directory.toFile(), command.get(0) + ".log"))
			.start();
	}

}
