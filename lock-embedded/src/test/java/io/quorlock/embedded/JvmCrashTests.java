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

import java.io.BufferedReader;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * The servers end with the JVM that started them, however that ends.
 */
class JvmCrashTests {

	@ParameterizedTest
	@ValueSource(strings = { "killed", "killed with a paused server", "killed after signals", "exits" })
	void serversAndFilesAreGoneAfterTheJvm(String how) throws Exception {
		Process jvm = start(how);
		try (BufferedReader output = jvm.inputReader()) {
			int port = Integer.parseInt(output.readLine());
			long pid = Long.parseLong(output.readLine());
			Path directory = Path.of(output.readLine());
			assertThat(isRunning(pid)).isTrue();
			assertThat(directory).exists();
			if (how.contains("signals")) {
				signal(jvm, "INT");
				signal(jvm, "TERM");
				signal(jvm, "HUP");
			}
			if (how.equals("exits")) {
				jvm.outputWriter().close();
			}
			else {
				jvm.destroyForcibly();
			}
			await().atMost(Duration.ofSeconds(10)).until(() -> !isRunning(pid) && Files.notExists(directory));
			assertThatExceptionOfType(EmbeddedServerException.class).isThrownBy(() -> RespConnection.to(port))
				.withStackTraceContaining("Connection refused");
		}
		finally {
			jvm.destroyForcibly();
		}
	}

	/** To whom the JVM has given a shell: a terminal signals all processes of a job. */
	private static void signal(Process jvm, String signal) throws Exception {
		List<ProcessHandle> shells = jvm.children()
			.filter((child) -> child.info().command().orElse("").matches(".*/(ba|da)?sh"))
			.toList();
		assertThat(shells).hasSize(1);
		new ProcessBuilder("/bin/sh", "-c", "kill -" + signal + " " + shells.get(0).pid()).start().waitFor();
	}

	/** Its process id may belong to another process by then. */
	@Test
	void serverThatHasEndedIsForgotten() throws Exception {
		Process stranger = new ProcessBuilder("sleep", "600").start();
		Process jvm = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-cp",
				System.getProperty("java.class.path"), Forgetful.class.getName(), Long.toString(stranger.pid()))
			.redirectError(ProcessBuilder.Redirect.INHERIT)
			.start();
		try (BufferedReader output = jvm.inputReader()) {
			Path directory = Path.of(output.readLine());
			jvm.waitFor();
			await().atMost(Duration.ofSeconds(10)).until(() -> Files.notExists(directory));
			assertThat(stranger.isAlive()).isTrue();
		}
		finally {
			stranger.destroyForcibly();
			jvm.destroyForcibly();
		}
	}

	@Test
	void serversAreStillThereForTheShutdownHooksOfTheApplication() throws Exception {
		Process jvm = start("terminated");
		try (BufferedReader output = jvm.inputReader()) {
			output.readLine();
			long pid = Long.parseLong(output.readLine());
			output.readLine();
			jvm.toHandle().destroy();
			assertThat(output.readLine()).isEqualTo("PONG in the hook");
			await().atMost(Duration.ofSeconds(10)).until(() -> !isRunning(pid));
		}
		finally {
			jvm.destroyForcibly();
		}
	}

	private static Process start(String how) throws Exception {
		return new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-cp",
				System.getProperty("java.class.path"), Child.class.getName(), how)
			.redirectError(ProcessBuilder.Redirect.INHERIT)
			.start();
	}

	/** Not so for a process that has ended but was not yet reaped by its new parent. */
	private static boolean isRunning(long pid) throws Exception {
		Path status = Path.of("/proc", Long.toString(pid), "status");
		if (Files.exists(status)) {
			return Files.readAllLines(status).stream().noneMatch((line) -> line.matches("State:\\s+Z.*"));
		}
		return Files.notExists(Path.of("/proc/self")) && ProcessHandle.of(pid).isPresent();
	}

	/** Starts a server and lives until its standard input ends. */
	static final class Child {

		public static void main(String[] args) throws Exception {
			EmbeddedRedisNode node = EmbeddedRedisNode.start();
			Object directory = ((List<?>) Objects.requireNonNull(node.execute("CONFIG", "GET", "dir"))).get(1);
			if (args[0].contains("paused")) {
				node.pause();
			}
			Runtime.getRuntime().addShutdownHook(new Thread(() -> {
				// Time for another hook to end the server, if there were one.
				LockSupport.parkNanos(Duration.ofMillis(500).toNanos());
				System.out.println(node.execute("PING") + " in the hook");
			}));
			System.out.println(node.port() + "\n" + node.pid() + "\n" + Path.of(String.valueOf(directory)).getParent());
			System.in.read();
		}

	}

	/** Starts a server that has ended when the id of its process is known. */
	static final class Forgetful {

		public static void main(String[] args) throws Exception {
			ServerReaper.get().watch(new Ended(Long.parseLong(args[0])));
			System.out.println(ServerReaper.get().newDirectory("x").getParent());
		}

	}

	private static final class Ended extends Process {

		private final long pid;

		Ended(long pid) {
			this.pid = pid;
		}

		@Override
		public long pid() {
			return this.pid;
		}

		@Override
		public CompletableFuture<Process> onExit() {
			return CompletableFuture.completedFuture(this);
		}

		@Override
		public OutputStream getOutputStream() {
			return OutputStream.nullOutputStream();
		}

		@Override
		public InputStream getInputStream() {
			return InputStream.nullInputStream();
		}

		@Override
		public InputStream getErrorStream() {
			return InputStream.nullInputStream();
		}

		@Override
		public int waitFor() {
			return 0;
		}

		@Override
		public int exitValue() {
			return 0;
		}

		@Override
		public void destroy() {
		}

	}

}
