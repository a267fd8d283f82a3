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

import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

import javax.net.ssl.SSLContext;

import org.jspecify.annotations.Nullable;

/**
 * Builder for {@link EmbeddedRedisNode}. The default is a master on a free port, without
 * password and TLS, that keeps nothing on disk and evicts nothing.
 *
 * @since 0.1.0
 */
public final class EmbeddedRedisNodeBuilder {

	private static final int PASSWORD_BYTES = 16;

	private final List<String> extra = new ArrayList<>();

	int port;

	@Nullable String password;

	@Nullable SSLContext client;

	boolean sentinel;

	EmbeddedRedisNodeBuilder() {
	}

	private EmbeddedRedisNodeBuilder(EmbeddedRedisNodeBuilder other) {
		this.extra.addAll(other.extra);
		this.port = other.port;
		this.password = other.password;
		this.client = other.client;
		this.sentinel = other.sentinel;
	}

	/**
	 * Use this port instead of a free one.
	 * @param port the port
	 * @return this
	 */
	public EmbeddedRedisNodeBuilder port(int port) {
		this.port = port;
		return this;
	}

	/**
	 * Require a password of the default user.
	 * @param password the password
	 * @return this
	 */
	public EmbeddedRedisNodeBuilder password(String password) {
		this.password = password;
		return config("requirepass " + quote(password)).config("masterauth " + quote(password));
	}

	/**
	 * Require a random password of the default user, so that no other user of this
	 * machine, and no page in a browser, can use the server.
	 * {@link EmbeddedRedisNode#uriWithPassword()} has it.
	 * @return this
	 */
	public EmbeddedRedisNodeBuilder randomPassword() {
		byte[] random = new byte[PASSWORD_BYTES];
		new SecureRandom().nextBytes(random);
		return password(HexFormat.of().formatHex(random));
	}

	/**
	 * Add an ACL user.
	 * @param rules name and rules, as in {@code app on >secret ~lock:* +@all}
	 * @return this
	 */
	public EmbeddedRedisNodeBuilder user(String rules) {
		return config("user " + rules);
	}

	/**
	 * Accept only TLS connections. The server's certificate, its key and the authority
	 * are lines of the {@linkplain #config configuration}.
	 * @param client what {@link EmbeddedRedisNode#execute} connects with
	 * @return this
	 */
	public EmbeddedRedisNodeBuilder tls(SSLContext client) {
		this.client = client;
		return this;
	}

	/**
	 * Make the server a replica.
	 * @param master of this node
	 * @return this
	 */
	public EmbeddedRedisNodeBuilder replicaOf(EmbeddedRedisNode master) {
		return config("replicaof " + LoopbackPorts.HOST + " " + master.port());
	}

	/**
	 * Make the server a sentinel.
	 * @return this
	 */
	public EmbeddedRedisNodeBuilder sentinel() {
		this.sentinel = true;
		return this;
	}

	/**
	 * Add a line to the server's configuration file, after the defaults. Leave
	 * {@code logfile} and {@code loglevel} alone: a start is awaited in the log that the
	 * server writes to its standard output.
	 * @param line as in {@code redis.conf}
	 * @return this
	 */
	public EmbeddedRedisNodeBuilder config(String line) {
		this.extra.add(line);
		return this;
	}

	/**
	 * Start a server with these options. Each call starts another one.
	 * @return the server, ready for connections
	 * @throws EmbeddedServerException if it does not start
	 */
	public EmbeddedRedisNode start() {
		return new EmbeddedRedisNode(new EmbeddedRedisNodeBuilder(this));
	}

	/** The configuration file. */
	List<String> lines(int port, Path directory) {
		List<String> lines = new ArrayList<>(
				List.of("bind " + LoopbackPorts.HOST, "dir " + quote(directory), "save \"\"", "appendonly no",
						"shutdown-timeout 0", "repl-diskless-sync-delay 0", "maxmemory-policy noeviction"));
		lines.addAll((this.client != null) ? List.of("port 0", "tls-port " + port) : List.of("port " + port));
		lines.addAll(this.extra);
		return lines;
	}

	private static String quote(Object value) {
		return "\"" + value.toString().replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
	}

}
