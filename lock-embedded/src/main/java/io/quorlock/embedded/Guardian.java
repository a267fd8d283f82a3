package io.quorlock.embedded;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

import redis.embedded.RedisExecProvider;

/**
 * Ends all servers of this JVM with the JVM, however that ends, and removes their files.
 * <p>
 * It is a shell that reads the process ids of the servers from a pipe. The operating
 * system closes the pipe when the JVM ends, also after a SIGKILL; the shell then kills
 * the servers with SIGKILL, which reaches paused ones too. There is deliberately no
 * shutdown hook: hooks run at the same time, and the application's own may still need the
 * servers.
 */
final class Guardian {

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

	private final Path directory;

	private final Path executable;

	private final Writer pipe;

	private Guardian() throws IOException {
		this.directory = Files.createTempDirectory("quorlock-");
		this.pipe = new ProcessBuilder("/bin/sh", "-c", SCRIPT, this.directory.toString())
			.redirectOutput(ProcessBuilder.Redirect.DISCARD)
			.redirectError(ProcessBuilder.Redirect.DISCARD)
			.start()
			.outputWriter(StandardCharsets.US_ASCII);
		this.executable = extractExecutable();
	}

	static Guardian get() {
		return Holder.GUARDIAN;
	}

	/** The redis-server binary. */
	Path executable() {
		return this.executable;
	}

	/** A new directory that is gone after the JVM, at the latest. */
	Path newDirectory(String prefix) {
		try {
			return Files.createTempDirectory(this.directory, prefix);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	void watch(Process process) throws IOException {
		tell("watch " + process.pid());
		process.onExit().thenRun(() -> forget(process));
	}

	private void forget(Process process) {
		try {
			tell("forget " + process.pid());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private synchronized void tell(String line) throws IOException {
		this.pipe.write(line + "\n");
		this.pipe.flush();
	}

	private Path extractExecutable() throws IOException {
		Path extracted = RedisExecProvider.defaultProvider().get().toPath();
		Path moved = Files.move(extracted, this.directory.resolve("redis-server"));
		Files.delete(extracted.toAbsolutePath().getParent());
		return moved;
	}

	private static final class Holder {

		static final Guardian GUARDIAN = create();

		private static Guardian create() {
			try {
				return new Guardian();
			}
			catch (IOException | IllegalArgumentException ex) {
				throw new EmbeddedServerException("No Redis server can be run here: " + ex.getMessage(), ex);
			}
		}

	}

}
