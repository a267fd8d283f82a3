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
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

import org.jspecify.annotations.Nullable;

/**
 * Ends all servers of this JVM with the JVM, however that ends, and removes their files.
 * <p>
 * It is a shell that reads the process ids of the servers from a pipe. The operating
 * system closes the pipe when the JVM ends, also after a SIGKILL; the shell then kills
 * the servers with SIGKILL, which reaches paused ones too. There is deliberately no
 * shutdown hook: hooks run concurrently, and those of the application may still need the
 * servers.
 */
final class ServerReaper {

	private static final String SCRIPT = """
			trap '' HUP INT TERM
			pids=' '
			while read -r action pid; do
				case $action in
					watch) pids="$pids$pid " ;;
					forget) pids="${pids%% $pid *} ${pids#* $pid }" ;;
				esac
			done
			kill -9 $pids
			rm -rf "$0"
			""";

	private static final Path SHELL = Path.of("/bin/sh");

	private static @Nullable ServerReaper instance;

	private final Path directory;

	private final Writer pipe;

	private @Nullable Path executable;

	private ServerReaper() throws IOException {
		this.directory = Files.createTempDirectory("quorlock-");
		this.pipe = Files.isExecutable(SHELL) ? startShell() : deleteAtExit();
	}

	static synchronized ServerReaper get() {
		if (instance == null) {
			try {
				instance = new ServerReaper();
			}
			catch (IOException ex) {
				throw TemporaryFiles.notWritable(ex);
			}
		}
		return instance;
	}

	/** The redis-server binary. */
	synchronized Path executable() {
		Path extracted = this.executable;
		if (extracted == null) {
			extracted = RedisBinary.extractTo(this.directory);
			this.executable = extracted;
		}
		return extracted;
	}

	/** A new directory that is gone after the JVM, at the latest. */
	Path newDirectory(String prefix) {
		try {
			return Files.createTempDirectory(this.directory, prefix);
		}
		catch (IOException ex) {
			throw TemporaryFiles.notWritable(ex);
		}
	}

	void watch(Process process) {
		write("watch " + process.pid());
		process.onExit().thenRun(() -> write("forget " + process.pid()));
	}

	private synchronized void write(String line) {
		try {
			this.pipe.write(line + "\n");
			this.pipe.flush();
		}
		catch (IOException ex) {
			throw new EmbeddedServerException("The shell that ends the servers with this JVM is gone", ex);
		}
	}

	private Writer startShell() throws IOException {
		return new ProcessBuilder(SHELL.toString(), "-c", SCRIPT, this.directory.toString())
			.redirectOutput(ProcessBuilder.Redirect.DISCARD)
			.redirectError(ProcessBuilder.Redirect.DISCARD)
			.start()
			.outputWriter(StandardCharsets.US_ASCII);
	}

	/** Where there is no shell there are no servers in processes of their own either. */
	private Writer deleteAtExit() {
		Runtime.getRuntime().addShutdownHook(new Thread(() -> TemporaryFiles.delete(this.directory)));
		return Writer.nullWriter();
	}

}
