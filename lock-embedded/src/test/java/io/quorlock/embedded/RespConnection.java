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

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

import javax.net.SocketFactory;

import org.jspecify.annotations.Nullable;

/**
 * A plain connection to a Redis server, to look at it without a driver. Speaks RESP2, in
 * UTF-8. For one thread at a time.
 */
public final class RespConnection implements AutoCloseable {

	private static final int TIMEOUT_MILLIS = 5_000;

	private final Socket socket;

	private final DataInputStream in;

	private RespConnection(Socket socket) throws IOException {
		this.socket = socket;
		this.in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
	}

	/** Connect to a server on loopback, with TLS if these are TLS sockets. */
	static RespConnection to(int port, SocketFactory sockets) {
		try {
			Socket socket = sockets.createSocket();
			try {
				socket.connect(LoopbackPorts.address(port), TIMEOUT_MILLIS);
				socket.setSoTimeout(TIMEOUT_MILLIS);
				socket.setTcpNoDelay(true);
				return new RespConnection(socket);
			}
			catch (IOException ex) {
				socket.close();
				throw ex;
			}
		}
		catch (IOException ex) {
			throw new EmbeddedServerException("No connection to port " + port + ": " + ex.getMessage(), ex);
		}
	}

	/**
	 * Connect to a server on 127.0.0.1, without TLS and unauthenticated.
	 * @param port the port
	 * @return the connection
	 * @throws EmbeddedServerException if no server listens there
	 */
	public static RespConnection to(int port) {
		return to(port, SocketFactory.getDefault());
	}

	/**
	 * Connect to a server without TLS, authenticated with its password.
	 * @param node the server
	 * @return the connection
	 * @throws EmbeddedServerException if it does not run
	 */
	public static RespConnection to(EmbeddedRedisNode node) {
		RespConnection connection = to(node.port());
		String login = URI.create(node.uriWithPassword()).getUserInfo();
		if (login != null) {
			connection.authenticate(login.substring(1));
		}
		return connection;
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
		ByteArrayOutputStream request = new ByteArrayOutputStream();
		request.writeBytes(("*" + command.length + "\r\n").getBytes(StandardCharsets.US_ASCII));
		for (String part : command) {
			byte[] bytes = part.getBytes(StandardCharsets.UTF_8);
			request.writeBytes(("$" + bytes.length + "\r\n").getBytes(StandardCharsets.US_ASCII));
			request.writeBytes(bytes);
			request.writeBytes(new byte[] { '\r', '\n' });
		}
		try {
			this.socket.getOutputStream().write(request.toByteArray());
		}
		catch (IOException ex) {
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
			return readReply();
		}
		catch (IOException ex) {
			throw new EmbeddedServerException("Nothing came: " + ex.getMessage(), ex);
		}
	}

	void authenticate(String password) {
		try {
			execute("AUTH", password);
		}
		catch (EmbeddedServerException ex) {
			close();
			throw ex;
		}
	}

	@Override
	public void close() {
		try {
			this.socket.close();
		}
		catch (IOException ex) {
			throw new EmbeddedServerException("The connection could not be closed", ex);
		}
	}

	private @Nullable Object readReply() throws IOException {
		String line = readLine();
		String value = line.substring(1);
		return switch (line.charAt(0)) {
			case '+' -> value;
			case ':' -> Long.valueOf(value);
			case '$' -> readString(Integer.parseInt(value));
			case '*' -> readList(Integer.parseInt(value));
			case '-' -> throw new EmbeddedServerException(value);
			default -> throw new IOException("This is not RESP2: " + line);
		};
	}

	private @Nullable String readString(int length) throws IOException {
		if (length < 0) {
			return null;
		}
		byte[] bytes = new byte[length];
		this.in.readFully(bytes);
		this.in.skipNBytes(2);
		return new String(bytes, StandardCharsets.UTF_8);
	}

	private @Nullable List<@Nullable Object> readList(int size) throws IOException {
		if (size < 0) {
			return null;
		}
		List<@Nullable Object> list = new ArrayList<>(size);
		EmbeddedServerException error = null;
		for (int i = 0; i < size; i++) {
			try {
				list.add(readReply());
			}
			catch (EmbeddedServerException ex) {
				error = (error != null) ? error : ex; // the rest must not be left behind
			}
		}
		if (error != null) {
			throw error;
		}
		return list;
	}

	private String readLine() throws IOException {
		ByteArrayOutputStream line = new ByteArrayOutputStream();
		for (int b = this.in.readUnsignedByte(); b != '\r'; b = this.in.readUnsignedByte()) {
			line.write(b);
		}
		this.in.skipNBytes(1);
		return line.toString(StandardCharsets.UTF_8);
	}

}
