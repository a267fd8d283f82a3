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

import java.net.URI;

import javax.net.ssl.SSLContext;

import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Connection;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.util.SafeEncoder;

/**
 * A connection to a Redis server on 127.0.0.1 on which commands are sent, and replies and
 * messages received, one by one. Speaks RESP2. For one thread at a time.
 */
public final class RespConnection implements AutoCloseable {

	private final Wire wire;

	private RespConnection(int port, @Nullable String password, @Nullable SSLContext tls) {
		try {
			this.wire = new Wire(port, password, tls);
		}
		catch (JedisException ex) {
			throw new EmbeddedServerException("No connection to port " + port + ": " + ex.getMessage(), ex);
		}
	}

	/**
	 * Connect without TLS and unauthenticated.
	 * @param port the port
	 * @return the connection
	 * @throws EmbeddedServerException if no server listens there
	 */
	public static RespConnection to(int port) {
		return new RespConnection(port, null, null);
	}

	static RespConnection to(int port, SSLContext tls) {
		return new RespConnection(port, null, tls);
	}

	/**
	 * Connect to a server without TLS, authenticated with its password.
	 * @param node the server
	 * @return the connection
	 * @throws EmbeddedServerException if it does not run
	 */
	public static RespConnection to(EmbeddedRedisNode node) {
		String login = URI.create(node.uriWithPassword()).getUserInfo();
		return new RespConnection(node.port(), (login != null) ? login.substring(1) : null, null);
	}

	/**
	 * Send a command and wait for the reply, at most 5 s.
	 * @param command the command and its arguments
	 * @return the reply: a String, a Long, a List of these, or null
	 * @throws EmbeddedServerException with the server's message if it replies with an
	 * error, or if it does not reply
	 */
	public @Nullable Object execute(String... command) {
		send(command);
		return receive();
	}

	/**
	 * Send a command without waiting for the reply.
	 * @param command the command and its arguments
	 * @throws EmbeddedServerException if the connection is broken
	 */
	public void send(String... command) {
		try {
			this.wire.sendCommand(RedisCommand.arguments(command));
			this.wire.flush();
		}
		catch (JedisException ex) {
			throw new EmbeddedServerException(command[0] + " was not sent: " + ex.getMessage(), ex);
		}
	}

	/**
	 * Wait for what the server sends next, at most 5 s: the reply to a command or a
	 * message of a subscription.
	 * @return the reply: a String, a Long, a List of these, or null
	 * @throws EmbeddedServerException with the server's message if that is an error, or
	 * if nothing comes
	 */
	public @Nullable Object receive() {
		try {
			return SafeEncoder.encodeObject(this.wire.getUnflushedObject());
		}
		catch (JedisConnectionException ex) {
			throw new EmbeddedServerException("Nothing came: " + ex.getMessage(), ex);
		}
		catch (JedisException ex) {
			throw new EmbeddedServerException(String.valueOf(ex.getMessage()), ex);
		}
	}

	@Override
	public void close() {
		this.wire.close();
	}

	private static final class Wire extends Connection {

		Wire(int port, @Nullable String password, @Nullable SSLContext tls) {
			super(new HostAndPort(LoopbackPorts.HOST, port), RedisCommand.config(password, tls));
		}

		@Override
		protected void flush() {
			super.flush();
		}

	}

}
