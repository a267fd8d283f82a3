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

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

import io.quorlock.embedded.EmbeddedRedisNode;

/**
 * Stands before a server and shows another wall clock than it has: in the replies to
 * {@code TIME} and of scripts that begin with the time, and with it another uptime.
 */
final class SteppedClockProxy implements AutoCloseable {

	/** Seconds of these decades, in ten digits, as a bulk string or a number. */
	private static final Pattern SECONDS = Pattern.compile("(?<=\\$10\r\n|\r\n:)1[789]\\d{8}(?=\r\n)");

	private static final Pattern UPTIME = Pattern.compile("(?<=uptime_in_seconds:)\\d+(?=\r\n)");

	private final ServerSocket listener;

	private final EmbeddedRedisNode node;

	private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();

	private volatile long aheadSeconds;

	SteppedClockProxy(EmbeddedRedisNode node) {
		this.node = node;
		try {
			this.listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		run(this::accept);
	}

	String uri() {
		return "redis://127.0.0.1:" + this.listener.getLocalPort();
	}

	/** Set the clock, relatively to the true time. */
	void step(Duration ahead) {
		this.aheadSeconds = ahead.toSeconds();
	}

	private void accept() throws IOException {
		while (true) {
			Socket client = this.listener.accept();
			Socket server = new Socket(InetAddress.getLoopbackAddress(), this.node.port());
			this.sockets.add(client);
			this.sockets.add(server);
			client.setTcpNoDelay(true);
			server.setTcpNoDelay(true);
			run(() -> copy(client, server, false));
			run(() -> copy(server, client, true));
		}
	}

	private void copy(Socket from, Socket to, boolean replies) throws IOException {
		try (from; to) {
			InputStream in = from.getInputStream();
			OutputStream out = to.getOutputStream();
			byte[] buffer = new byte[64 * 1024];
			for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
				String text = new String(buffer, 0, count, StandardCharsets.ISO_8859_1);
				out.write((replies ? shift(text) : text).getBytes(StandardCharsets.ISO_8859_1));
			}
		}
	}

	/** An uptime keeps its length, which stands before it. */
	private String shift(String text) {
		String shifted = SECONDS.matcher(text).replaceAll((seconds) -> String.valueOf(shift(seconds)));
		if (this.aheadSeconds >= 0) {
			return shifted;
		}
		return UPTIME.matcher(shifted)
			.replaceAll((uptime) -> "-9999999999".substring(0, Math.max(1, uptime.group().length())));
	}

	private long shift(MatchResult seconds) {
		return Long.parseLong(seconds.group()) + this.aheadSeconds;
	}

	private void run(Task task) {
		Thread thread = new Thread(() -> {
			try {
				task.run();
			}
			catch (IOException ex) {
				// The connection is over.
			}
		}, "stepped-clock");
		thread.setDaemon(true);
		thread.start();
	}

	@Override
	public void close() throws IOException {
		this.listener.close();
		for (Socket socket : this.sockets) {
			socket.close();
		}
	}

	@FunctionalInterface
	private interface Task {

		void run() throws IOException;

	}

}
