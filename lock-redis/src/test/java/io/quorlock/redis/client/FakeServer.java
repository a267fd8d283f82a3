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

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

/**
 * Replies to Redis commands as a test wants it.
 */
final class FakeServer implements AutoCloseable {

	private final ServerSocket listener;

	private final AtomicInteger accepted = new AtomicInteger();

	private final AtomicInteger open = new AtomicInteger();

	private final Function<List<String>, @Nullable String> replies;

	/**
	 * Starts the server.
	 * @param replies the reply to a command, {@code null} to close the connection
	 */
	FakeServer(Function<List<String>, @Nullable String> replies) {
		this.replies = replies;
		try {
			this.listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		Thread thread = new Thread(this::accept, "fake-server");
		thread.setDaemon(true);
		thread.start();
	}

	/**
	 * A server that says this to everything.
	 */
	static FakeServer saying(String reply) {
		return new FakeServer((command) -> reply);
	}

	String uri() {
		return "redis://127.0.0.1:" + this.listener.getLocalPort();
	}

	int accepted() {
		return this.accepted.get();
	}

	/** How many connections the clients have not closed. */
	int open() {
		return this.open.get();
	}

	private void accept() {
		while (!this.listener.isClosed()) {
			try {
				Socket socket = this.listener.accept();
				this.accepted.incrementAndGet();
				this.open.incrementAndGet();
				Thread thread = new Thread(() -> serve(socket), "fake-connection");
				thread.setDaemon(true);
				thread.start();
			}
			catch (IOException ex) {
				return;
			}
		}
	}

	private void serve(Socket socket) {
		try (socket) {
			BufferedReader in = new BufferedReader(
					new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
			OutputStream out = socket.getOutputStream();
			String line = in.readLine();
			while (line != null) {
				List<String> command = new ArrayList<>();
				for (int i = Integer.parseInt(line.substring(1)); i > 0; i--) {
					char[] part = new char[Integer.parseInt(in.readLine().substring(1))];
					int read = 0;
					while (read < part.length) {
						read += in.read(part, read, part.length - read);
					}
					in.readLine();
					command.add(new String(part));
				}
				String reply = this.replies.apply(command);
				if (reply == null) {
					return;
				}
				out.write((reply + "\r\n").getBytes(StandardCharsets.UTF_8));
				line = in.readLine();
			}
		}
		catch (IOException ex) {
			// The client left.
		}
		finally {
			this.open.decrementAndGet();
		}
	}

	@Override
	public void close() throws IOException {
		this.listener.close();
	}

}
