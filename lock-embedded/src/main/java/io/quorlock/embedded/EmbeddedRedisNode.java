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
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * One real Redis server on 127.0.0.1, without persistence. It ends with this JVM, also
 * when that is killed. Safe for use by several threads.
 *
 * @since 0.1.0
 */
public final class EmbeddedRedisNode implements AutoCloseable {

	/**
	 * The system property that names a redis-server to run instead of the one that this
	 * library brings, Redis 8 or Valkey for example. The environment variable
	 * {@code QUORLOCK_REDIS_SERVER} does the same.
	 */
	public static final String SERVER_PROPERTY = "quorlock.embedded.redis-server";

	private final EmbeddedRedisNodeBuilder options;

	private final Path directory = ServerReaper.get().newDirectory("node-");

	private volatile int port;

	/** Not so for a port that was asked for while another server had it. */
	private boolean portReserved;

	private boolean closed;

	private volatile RedisProcess process;

	EmbeddedRedisNode(EmbeddedRedisNodeBuilder options) {
		this.options = options;
		try {
			if (options.port != 0) {
				this.portReserved = LoopbackPorts.reserve(options.port);
				this.process = launch(options.port);
			}
			else {
				this.process = LoopbackPorts.open(this::launchUnlessTaken);
				this.portReserved = true;
			}
		}
		catch (RuntimeException ex) {
			leave();
			throw ex;
		}
	}

	/**
	 * Start a server with the defaults on a free port.
	 * @return the server, ready for connections
	 * @throws EmbeddedServerException if it does not start
	 */
	public static EmbeddedRedisNode start() {
		return builder().start();
	}

	/**
	 * Return a new builder.
	 * @return the builder
	 */
	public static EmbeddedRedisNodeBuilder builder() {
		return new EmbeddedRedisNodeBuilder();
	}

	/**
	 * Return the port, which stays the same for the life of the node.
	 * @return the port
	 */
	public int port() {
		return this.port;
	}

	/**
	 * Return the address, {@code redis://127.0.0.1:12345} or {@code rediss://...},
	 * without user and password.
	 * @return the address
	 */
	public String uri() {
		return uri("");
	}

	/**
	 * Return the address with the password of the default user.
	 * @return {@code redis://:secret@127.0.0.1:12345}; as {@link #uri()} if no password
	 * is required
	 */
	public String uriWithPassword() {
		String password = this.options.password;
		return uri((password != null)
				? ":" + URLEncoder.encode(password, StandardCharsets.UTF_8).replace("+", "%20") + "@" : "");
	}

	/**
	 * Return the process id of the server. It changes with {@link #restartEmpty()}.
	 * @return the process id
	 */
	public long pid() {
		return this.process.pid();
	}

	/**
	 * Return whether the process of the server runs, even if it is paused.
	 * @return whether it runs
	 */
	public boolean isRunning() {
		return this.process.isAlive();
	}

	/** Stop the server gracefully (SIGTERM). */
	public synchronized void stop() {
		this.process.stop();
	}

	/** Kill the server (SIGKILL), even if it is paused. */
	public synchronized void kill() {
		this.process.kill();
	}

	/**
	 * Pause the server (SIGSTOP). Connections stay open, the operating system accepts new
	 * ones, and there is no reply until {@link #resume()}.
	 * @throws EmbeddedServerException if the server does not run
	 */
	public synchronized void pause() {
		this.process.signal("STOP");
	}

	/**
	 * Resume a paused server (SIGCONT). It then replies to what it received meanwhile.
	 * @throws EmbeddedServerException if the server does not run
	 */
	public synchronized void resume() {
		this.process.signal("CONT");
	}

	/**
	 * Restart the server on the same port, with the same options, without data and with a
	 * new {@code run_id}. It is killed first if it runs.
	 * @throws EmbeddedServerException if it does not start, or if the node is closed
	 */
	public synchronized void restartEmpty() {
		if (this.closed) {
			throw new EmbeddedServerException("The node is closed");
		}
		this.process.kill();
		this.process = launch(this.port);
	}

	/**
	 * Run a command on a connection of its own, authenticated with the node's password.
	 * It needs Jedis on the class path.
	 * @param command the command and its arguments
	 * @return the reply: a String, a Long, a List of these, or null
	 * @throws EmbeddedServerException with the server's message if it replies with an
	 * error, or if it does not reply within 5 s
	 */
	public @Nullable Object execute(String... command) {
		return RedisCommand.execute(this.port, this.options.password, this.options.client, command);
	}

	/** Kill the server and delete its files. */
	@Override
	public synchronized void close() {
		if (!this.closed) {
			this.closed = true;
			kill();
			leave();
		}
	}

	private void leave() {
		if (this.portReserved) {
			LoopbackPorts.release(this.port);
		}
		TemporaryFiles.delete(this.directory);
	}

	@Override
	public String toString() {
		return uri();
	}

	private String uri(String credentials) {
		return ((this.options.client != null) ? "rediss://" : "redis://") + credentials + LoopbackPorts.HOST + ":"
				+ this.port;
	}

	private RedisProcess launch(int port) {
		try {
			return launchUnlessTaken(port);
		}
		catch (IOException ex) {
			throw new EmbeddedServerException(String.valueOf(ex.getMessage()), ex);
		}
	}

	private RedisProcess launchUnlessTaken(int port) throws IOException {
		this.port = port;
		List<String> arguments = new ArrayList<>(List.of(writeConfiguration().toString()));
		if (this.options.sentinel) {
			arguments.add("--sentinel");
		}
		RedisProcess started = RedisProcess.start(arguments);
		if (started.awaitReady()) {
			return started;
		}
		if (started.portWasTaken()) {
			throw new IOException("Port " + port + " is in use");
		}
		throw new EmbeddedServerException("The Redis server ended at its start: " + started.log());
	}

	private Path writeConfiguration() {
		try {
			TemporaryFiles.delete(this.directory);
			Files.createDirectory(this.directory);
			return Files.write(this.directory.resolve("redis.conf"), this.options.lines(this.port, this.directory));
		}
		catch (IOException ex) {
			throw TemporaryFiles.notWritable(ex);
		}
	}

}
