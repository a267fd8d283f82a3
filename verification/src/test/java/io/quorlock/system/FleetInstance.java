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

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import io.quorlock.system.ChaosClient.Pace;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A {@link FleetProcess} as it is seen from outside.
 */
final class FleetInstance implements AutoCloseable {

	/** What a JVM replies when it was terminated. */
	private static final int TERMINATED = 128 + 15;

	private final ChildJvm process;

	private final Path log;

	private FleetInstance(ChildJvm process, Path log) {
		this.process = process;
		this.log = log;
	}

	/** Starts an instance and waits until it is available. */
	static FleetInstance start(Path log, int port, int threads, Pace pace, List<String> properties) throws IOException {
		List<String> arguments = new ArrayList<>(
				List.of(log.toString(), String.valueOf(port), String.valueOf(threads), pace.name()));
		arguments.addAll(properties);
		FleetInstance instance = new FleetInstance(ChildJvm.start(FleetProcess.class, "-Xmx96m", arguments), log);
		try {
			instance.process.awaitLine("READY");
			return instance;
		}
		catch (IllegalStateException ex) {
			instance.close();
			throw new IllegalStateException(instance.log(), ex);
		}
	}

	ChildJvm process() {
		return this.process;
	}

	/** What its health endpoint would say. */
	String health() throws IOException {
		return ask("health");
	}

	/** What became of a request for a lock. */
	String lock(String name) throws IOException {
		return ask(name);
	}

	private String ask(String command) throws IOException {
		this.process.send(command);
		return this.process.awaitLine(command + ": ");
	}

	String log() throws IOException {
		return Files.readString(this.log);
	}

	/** Its last lines. */
	String logEnd() {
		try {
			List<String> lines = Files.readAllLines(this.log);
			return String.join("\n", lines.subList(Math.max(0, lines.size() - 60), lines.size()));
		}
		catch (IOException ex) {
			return ex.toString();
		}
	}

	/** Of the file of its log, and its process. */
	String name() {
		return "instance %s, process %d".formatted(this.log.getFileName(), this.process.pid());
	}

	/** Stops it gracefully. */
	void stop() throws InterruptedException {
		this.process.terminate();
		assertThat(this.process.awaitEnd(Duration.ofSeconds(60))).isEqualTo(TERMINATED);
	}

	/** Stops it as a power cut does. */
	@Override
	public void close() {
		this.process.close();
	}

}
