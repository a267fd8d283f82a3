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

package io.quorlock.redis.client;

import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;

import org.jspecify.annotations.Nullable;

import io.quorlock.embedded.EmbeddedRedisNode;
import io.quorlock.embedded.RespConnection;
import io.quorlock.redis.RespReader;

/**
 * A server that insists on declared keys, as those do that share slots between threads:
 * before each script the rights of its client are cut down to the keys that the script
 * declares, and it may not publish. The real server behind it checks what the script
 * touches. One command after the other.
 */
public final class StrictServer implements Closeable {

	private static final RespReader.Limits ANYTHING = new RespReader.Limits(1 << 28, 1 << 20, 8);

	private static final int MAX_RIGHTS = 50;

	private static final int ENDED = 1_000_000;

	private static final String ADMIN = "strict";

	private final EmbeddedRedisNode redis = EmbeddedRedisNode.builder()
		.user(ADMIN + " on >" + ADMIN + " ~* &* +@all")
		.start();

	private final ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());

	private final RespConnection admin = RespConnection.to(this.redis);

	private final List<Socket> sockets = new CopyOnWriteArrayList<>();

	private final List<String> published = new CopyOnWriteArrayList<>();

	private StrictServer() throws IOException {
		this.admin.execute("AUTH", ADMIN, ADMIN);
		start(this::accept);
	}

	public static StrictServer start() {
		try {
			return new StrictServer();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	public String uri() {
		return "redis://127.0.0.1:" + this.server.getLocalPort();
	}

	public int port() {
		return this.server.getLocalPort();
	}

	/** Returns the channels to which clients published without a script. */
	public List<String> published() {
		return this.published;
	}

	private void accept() throws IOException {
		while (true) {
			Socket client = this.server.accept();
			Socket target = new Socket(InetAddress.getLoopbackAddress(), this.redis.port());
			this.sockets.add(client);
			this.sockets.add(target);
			client.setTcpNoDelay(true);
			target.setTcpNoDelay(true);
			Semaphore replied = new Semaphore(0);
			start(() -> passReplies(target.getInputStream(), client.getOutputStream(), replied));
			start(() -> passCommands(client.getInputStream(), target.getOutputStream(), replied));
		}
	}

	private void passCommands(InputStream from, OutputStream to, Semaphore replied) throws IOException {
		RespReader commands = new RespReader(from);
		while (true) {
			List<byte[]> command = new ArrayList<>();
			for (Object part : list(commands.read(ANYTHING))) {
				command.add((byte[]) part);
			}
			pass(command, to, replied);
		}
	}

	/** The rights are those of the command that is under way. */
	private synchronized void pass(List<byte[]> command, OutputStream to, Semaphore replied) throws IOException {
		String name = new String(command.get(0), StandardCharsets.US_ASCII);
		if (name.startsWith("EVAL")) {
			int keys = Integer.parseInt(new String(command.get(2), StandardCharsets.US_ASCII));
			restrict(command.subList(3, 3 + keys));
		}
		else {
			this.admin.execute("ACL", "SETUSER", "default", "allkeys", "+publish");
			if (name.equals("PUBLISH")) {
				this.published.add(new String(command.get(1), StandardCharsets.UTF_8));
			}
		}
		ByteArrayOutputStream bytes = new ByteArrayOutputStream();
		bytes.writeBytes(("*" + command.size() + "\r\n").getBytes(StandardCharsets.US_ASCII));
		for (byte[] part : command) {
			bytes.writeBytes(("$" + part.length + "\r\n").getBytes(StandardCharsets.US_ASCII));
			bytes.writeBytes(part);
			bytes.writeBytes("\r\n".getBytes(StandardCharsets.US_ASCII));
		}
		to.write(bytes.toByteArray());
		replied.acquireUninterruptibly();
	}

	private void restrict(List<byte[]> keys) {
		List<String> rights = new ArrayList<>(List.of("ACL", "SETUSER", "default", "-publish", "resetkeys"));
		for (byte[] key : keys.subList(0, Math.min(MAX_RIGHTS, keys.size()))) {
			rights.add("~" + pattern(key));
		}
		// It takes the server too long to look through so many.
		if (keys.size() > MAX_RIGHTS) {
			rights.add("~" + pattern(keys.get(0)) + ":permit:*");
		}
		this.admin.execute(rights.toArray(String[]::new));
	}

	private static List<?> list(@Nullable Object reply) {
		return (List<?>) Objects.requireNonNull(reply);
	}

	private static String pattern(byte[] key) {
		String text = new String(key, StandardCharsets.ISO_8859_1);
		return text.replaceAll("[^\\x21-\\x7e]|[\\\\*?\\[\\]^-]", "?"); // any character
	}

	/** Messages come at any time; subscriptions are confirmed by one. */
	private static void passReplies(InputStream from, OutputStream to, Semaphore replied) throws IOException {
		RespReader replies = new RespReader(new Copying(from, new BufferedOutputStream(to)));
		try {
			while (true) {
				boolean push = replies.nextIsPush();
				Object reply = replies.read(ANYTHING);
				if (!push || !new String((byte[]) list(reply).get(0), StandardCharsets.US_ASCII).equals("message")) {
					replied.release();
				}
			}
		}
		finally {
			replied.release(ENDED);
		}
	}

	private static void start(Task task) {
		Thread thread = new Thread(() -> {
			try {
				task.run();
			}
			catch (IOException ex) {
				// The connection ended.
			}
		}, "strict-server");
		thread.setDaemon(true);
		thread.start();
	}

	@Override
	public void close() throws IOException {
		this.server.close();
		for (Socket socket : this.sockets) {
			socket.close();
		}
		this.admin.close();
		this.redis.close();
	}

	@FunctionalInterface
	private interface Task {

		void run() throws IOException;

	}

	/** Passes on what is read, at once. */
	private static final class Copying extends FilterInputStream {

		private final OutputStream to;

		Copying(InputStream from, OutputStream to) {
			super(from);
			this.to = to;
		}

		@Override
		public int read() throws IOException {
			byte[] one = new byte[1];
			return (read(one, 0, 1) < 0) ? -1 : one[0] & 0xff;
		}

		@Override
		public int read(byte[] bytes, int from, int length) throws IOException {
			int count = super.read(bytes, from, length);
			if (count > 0) {
				this.to.write(bytes, from, count);
				this.to.flush();
			}
			return count;
		}

	}

}
