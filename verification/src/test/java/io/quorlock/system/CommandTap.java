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

package io.quorlock.system;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import io.quorlock.embedded.EmbeddedRedisNode;

/**
 * Passes on what a client and a server send each other, and notes the client's commands.
 */
final class CommandTap implements AutoCloseable {

	private final ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());

	private final int target;

	private final List<byte[]> commands = new CopyOnWriteArrayList<>();

	CommandTap(EmbeddedRedisNode node) throws IOException {
		this.target = node.port();
		start(this::accept);
	}

	String uri() {
		return "redis://127.0.0.1:" + this.server.getLocalPort();
	}

	/** Return the commands so far in which a text occurs, as they were sent. */
	List<byte[]> commands(String text) {
		return this.commands.stream()
			.filter((command) -> new String(command, StandardCharsets.ISO_8859_1).contains(text))
			.toList();
	}

	private void accept() throws IOException {
		while (true) {
			Socket client = this.server.accept();
			Socket target = new Socket(InetAddress.getLoopbackAddress(), this.target);
			client.setTcpNoDelay(true);
			target.setTcpNoDelay(true);
			start(() -> target.getInputStream().transferTo(client.getOutputStream()));
			start(() -> passCommands(client.getInputStream(), target.getOutputStream()));
		}
	}

	private void passCommands(InputStream from, OutputStream to) throws IOException {
		DataInputStream in = new DataInputStream(new BufferedInputStream(from));
		while (true) {
			ByteArrayOutputStream command = new ByteArrayOutputStream();
			int parts = number(in, command);
			for (int part = 0; part < parts; part++) {
				command.write(in.readNBytes(number(in, command) + 2));
			}
			this.commands.add(command.toByteArray());
			to.write(command.toByteArray());
		}
	}

	/** Read a line such as {@code *3} or {@code $10}. */
	private static int number(InputStream in, OutputStream copy) throws IOException {
		StringBuilder line = new StringBuilder();
		for (int next = in.read(); next != '\n'; next = in.read()) {
			if (next < 0) {
				throw new EOFException();
			}
			line.append((char) next);
		}
		copy.write((line + "\n").getBytes(StandardCharsets.ISO_8859_1));
		return Integer.parseInt(line.substring(1).trim());
	}

	private static void start(Task task) {
		Thread thread = new Thread(() -> {
			try {
				task.run();
			}
			catch (IOException ex) {
				// The connection ended.
			}
		}, "command-tap");
		thread.setDaemon(true);
		thread.start();
	}

	@Override
	public void close() throws IOException {
		this.server.close();
	}

	@FunctionalInterface
	private interface Task {

		void run() throws IOException;

	}

}
