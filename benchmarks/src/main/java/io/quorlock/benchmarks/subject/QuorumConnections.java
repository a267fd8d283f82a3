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

package io.quorlock.benchmarks.subject;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * One connection to each node, owned by one thread. Supports only commands whose reply is
 * a single line.
 */
final class QuorumConnections {

	private static final long TIMEOUT_NANOS = Duration.ofMillis(100).toNanos();

	private final Selector selector = Selector.open();

	private final List<Node> nodes = new ArrayList<>();

	private final ByteBuffer buffer = ByteBuffer.allocateDirect(4096);

	QuorumConnections(List<Integer> ports) throws IOException {
		for (int port : ports) {
			SocketChannel channel = SocketChannel.open(new InetSocketAddress("127.0.0.1", port));
			channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
			channel.configureBlocking(false);
			Node node = new Node(channel);
			channel.register(this.selector, SelectionKey.OP_READ, node);
			this.nodes.add(node);
		}
	}

	/**
	 * Send a command to all nodes and read until a majority has replied as expected. Late
	 * replies to earlier rounds are skipped.
	 * @param expected the first character of the expected reply
	 * @param command the command
	 * @return {@code false} if no majority replied so within 100 ms
	 * @throws IOException if the selector fails
	 */
	boolean round(char expected, String... command) throws IOException {
		long deadline = System.nanoTime() + TIMEOUT_NANOS;
		byte[] bytes = encode(command);
		for (Node node : this.nodes) {
			node.send(bytes);
		}
		int majority = this.nodes.size() / 2 + 1;
		int votes = 0;
		while (votes < majority) {
			long leftMillis = (deadline - System.nanoTime()) / 1_000_000;
			if (leftMillis <= 0 || this.selector.select(leftMillis) == 0) {
				return false;
			}
			for (SelectionKey key : this.selector.selectedKeys()) {
				if (((Node) key.attachment()).read(this.buffer) == expected) {
					votes++;
				}
			}
			this.selector.selectedKeys().clear();
		}
		return true;
	}

	private static byte[] encode(String... command) {
		StringBuilder out = new StringBuilder(160).append('*').append(command.length).append("\r\n");
		for (String part : command) {
			out.append('$').append(part.length()).append("\r\n").append(part).append("\r\n");
		}
		return out.toString().getBytes(StandardCharsets.ISO_8859_1);
	}

	void close() {
		try {
			this.selector.close();
			for (Node node : this.nodes) {
				node.channel.close();
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static final class Node {

		private final SocketChannel channel;

		private int owed;

		private boolean lineBegins = true;

		private char first;

		private Node(SocketChannel channel) {
			this.channel = channel;
		}

		private void send(byte[] bytes) {
			try {
				if (this.channel.isOpen() && this.channel.write(ByteBuffer.wrap(bytes)) == bytes.length) {
					this.owed++;
				}
				else {
					this.channel.close();
				}
			}
			catch (IOException ex) {
				closeQuietly();
			}
		}

		/**
		 * Read the available bytes.
		 * @return the first character of the reply to the current round, or 0
		 */
		private char read(ByteBuffer buffer) {
			try {
				buffer.clear();
				if (this.channel.read(buffer) < 0) {
					this.channel.close();
					return 0;
				}
			}
			catch (IOException ex) {
				closeQuietly();
				return 0;
			}
			buffer.flip();
			char reply = 0;
			while (buffer.hasRemaining()) {
				char next = (char) buffer.get();
				if (this.lineBegins) {
					this.first = next;
				}
				this.lineBegins = next == '\n';
				if (this.lineBegins && --this.owed == 0) {
					reply = this.first;
				}
			}
			return reply;
		}

		private void closeQuietly() {
			try {
				this.channel.close();
			}
			catch (IOException ex) {
				// The connection was broken already.
			}
		}

	}

}
