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
import java.io.IOException;
import java.io.Writer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;

/**
 * One run of a redis-server, from its start to its end. A run that has ended is never
 * revived.
 */
final class RedisProcess {

	/**
	 * The shell becomes the server (same process id), but not before the reaper has this
	 * id. A session of its own, where the system has {@code setsid}, keeps Ctrl-C away
	 * from the servers: the application gets it, and may need them while it shuts down.
	 */
	private static final String LAUNCH = """
			read -r go || exit 1
			if command -v setsid >/dev/null; then exec setsid "$0" "$@" </dev/null; fi
			exec "$0" "$@" </dev/null
			""";

	/** In the words of glibc, macOS and musl. */
	private static final Pattern PORT_TAKEN = Pattern.compile("bind: Address (already )?in use");

	private static final int START_TIMEOUT_SECONDS = 20;

	private static final int STOP_TIMEOUT_SECONDS = 2;

	private static final int LOG_LINES = 20;

	private final Process process;

	private final CompletableFuture<Boolean> ready = new CompletableFuture<>();

	private final Deque<String> log = new ArrayDeque<>();

	private RedisProcess(Process process) {
		this.process = process;
	}

	/** Start a server; {@link #awaitReady()} returns whether it came up. */
	static RedisProcess start(List<String> arguments) {
		ServerReaper reaper = ServerReaper.get();
		List<String> command = new ArrayList<>(List.of("/bin/sh", "-c", LAUNCH, reaper.executable().toString()));
		command.addAll(arguments);
		try {
			Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
			reaper.watch(process);
			try (Writer go = process.outputWriter()) {
				go.write("go\n");
			}
			RedisProcess started = new RedisProcess(process);
			new DaemonThread("embedded-redis-log-" + process.pid(), started::readLog).start();
			return started;
		}
		catch (IOException ex) {
			throw new EmbeddedServerException("The Redis server could not be run: " + ex.getMessage(), ex);
		}
	}

	/** Whether it accepts connections now; false if it ended first. */
	boolean awaitReady() {
		try {
			return this.ready.get(START_TIMEOUT_SECONDS, TimeUnit.SECONDS);
		}
		catch (TimeoutException ex) {
			kill();
			throw new EmbeddedServerException(
					"The Redis server was not ready after " + START_TIMEOUT_SECONDS + " s: " + log(), ex);
		}
		catch (InterruptedException ex) {
			kill();
			Thread.currentThread().interrupt();
			throw new EmbeddedServerException("Interrupted while the Redis server started", ex);
		}
		catch (ExecutionException ex) {
			throw new IllegalStateException(ex);
		}
	}

	boolean portWasTaken() {
		return PORT_TAKEN.matcher(log()).find();
	}

	/** The last lines that the server wrote. */
	String log() {
		synchronized (this.log) {
			return String.join("\n", this.log);
		}
	}

	long pid() {
		return this.process.pid();
	}

	boolean isAlive() {
		return this.process.isAlive();
	}

	void stop() {
		this.process.destroy();
		this.process.onExit().completeOnTimeout(this.process, STOP_TIMEOUT_SECONDS, TimeUnit.SECONDS).join();
		kill();
	}

	void kill() {
		this.process.destroyForcibly();
		this.process.onExit().join();
	}

	/** Send a signal: {@code STOP} or {@code CONT}. */
	void signal(String signal) {
		if (!isAlive()) {
			throw new EmbeddedServerException("The Redis server does not run");
		}
		try {
			Process sender = new ProcessBuilder("/bin/sh", "-c", "kill -" + signal + " " + pid()).inheritIO().start();
			if (sender.onExit().join().exitValue() != 0) {
				throw new EmbeddedServerException("The Redis server did not take the signal " + signal);
			}
		}
		catch (IOException ex) {
			throw new EmbeddedServerException("The signal " + signal + " could not be sent", ex);
		}
	}

	private void readLog() {
		try (BufferedReader reader = this.process.inputReader()) {
			for (String line = reader.readLine(); line != null; line = reader.readLine()) {
				append(line);
				if (line.contains("Ready to accept connections") || line.contains("Sentinel ID is")) {
					this.ready.complete(true);
				}
			}
		}
		catch (IOException ex) {
			append(ex.toString());
		}
		finally {
			this.ready.complete(false);
		}
	}

	private void append(String line) {
		synchronized (this.log) {
			this.log.addLast(line);
			if (this.log.size() > LOG_LINES) {
				this.log.removeFirst();
			}
		}
	}

}
