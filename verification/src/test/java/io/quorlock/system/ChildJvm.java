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

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Another JVM with the class path of the tests. Its error output goes to this JVM's.
 */
final class ChildJvm implements AutoCloseable {

	private final Process process;

	private final BufferedReader output;

	private ChildJvm(Process process) {
		this.process = process;
		this.output = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
	}

	static ChildJvm start(Class<?> main, List<String> arguments) throws IOException {
		return start(main, "-Xmx256m", arguments);
	}

	static ChildJvm start(Class<?> main, String heap, List<String> arguments) throws IOException {
		return start(List.of(), main, heap, arguments);
	}

	/** Starts it by a program that becomes it, as {@code nice} does. */
	static ChildJvm start(List<String> launcher, Class<?> main, String heap, List<String> arguments)
			throws IOException {
		List<String> command = new ArrayList<>(launcher);
		command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
		command.addAll(List.of(heap, "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xshare:auto", "-cp",
				System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")), main.getName()));
		command.addAll(arguments);
		return new ChildJvm(new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start());
	}

	/** Reads lines until one begins with the text, and returns the rest of that line. */
	String awaitLine(String beginning) throws IOException {
		for (String line = this.output.readLine(); line != null; line = this.output.readLine()) {
			if (line.startsWith(beginning)) {
				return line.substring(beginning.length()).strip();
			}
		}
		throw new IllegalStateException("The process ended without a line '" + beginning + "'");
	}

	int awaitEnd(Duration timeout) throws InterruptedException {
		if (!this.process.waitFor(timeout.toMillis(), TimeUnit.MILLISECONDS)) {
			throw new IllegalStateException("The process still runs after " + timeout);
		}
		return this.process.exitValue();
	}

	/** Writes a line to what the process reads. */
	void send(String line) throws IOException {
		this.process.getOutputStream().write((line + "\n").getBytes(StandardCharsets.UTF_8));
		this.process.getOutputStream().flush();
	}

	/** Ends what the process reads. */
	void endInput() throws IOException {
		this.process.getOutputStream().close();
	}

	/** SIGTERM. */
	void terminate() {
		this.process.destroy();
	}

	/** SIGKILL. */
	void kill() {
		this.process.destroyForcibly();
	}

	/**
	 * SIGSTOP, and SIGCONT after the time, also if this JVM has ended by then. Returns
	 * when it goes on.
	 */
	void pause(Duration time) throws IOException, InterruptedException {
		new ProcessBuilder("/bin/sh", "-c", "kill -STOP $0; sleep $1; kill -CONT $0", String.valueOf(pid()),
				String.valueOf(time.toMillis() / 1e3))
			.inheritIO()
			.start()
			.waitFor();
	}

	long pid() {
		return this.process.pid();
	}

	@Override
	public void close() {
		this.process.destroyForcibly();
	}

}
