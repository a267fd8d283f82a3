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

import java.io.EOFException;
import java.io.IOException;
import java.net.Socket;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.concurrent.locks.LockSupport;

import org.jspecify.annotations.Nullable;

/**
 * One client of a proxy and its own connection to the server; there is none if the proxy
 * was a black hole from the start. Ends as a whole when either side ends.
 */
final class ProxyConnection {

	private static final int CONNECT_TIMEOUT_MS = 10_000;

	/** Parking wakes up late by about this much; the rest is spun. */
	private static final long SPIN_NANOS = 100_000;

	private static final int BUFFER_SIZE = 16 * 1024;

	private final LoopbackProxy proxy;

	private final Socket client;

	private final Socket server = new Socket();

	private final boolean reachesServer;

	private final Direction requests;

	private final Direction replies;

	private volatile boolean forgotten;

	/** Whether something was lost, as is everything after it. */
	private volatile boolean swallowed;

	ProxyConnection(LoopbackProxy proxy, Socket client, boolean reachesServer) throws IOException {
		this.proxy = proxy;
		this.client = client;
		this.reachesServer = reachesServer;
		this.swallowed = !reachesServer;
		client.setTcpNoDelay(true);
		this.server.setTcpNoDelay(true);
		this.requests = new Direction(client, this.server);
		this.replies = new Direction(this.server, client);
	}

	void start() {
		start("requests", this::run);
	}

	private static void start(String name, Runnable task) {
		new DaemonThread("loopback-proxy-" + name, task).start();
	}

	/** A server that hangs may take long to connect to, or may never accept. */
	private void run() {
		if (this.reachesServer) {
			try {
				this.server.connect(LoopbackPorts.address(this.proxy.targetPort), CONNECT_TIMEOUT_MS);
			}
			catch (IOException ex) {
				close();
				return;
			}
			start("replies", this.replies::read);
		}
		this.requests.read();
	}

	/**
	 * When this returns, the reply that was being written has gone through, and what
	 * follows is treated as the proxy says now.
	 */
	void settleReplies() {
		this.replies.wake();
	}

	void forget() {
		this.forgotten = true;
		settleReplies();
	}

	private boolean isSilent() {
		return this.forgotten || this.proxy.blackhole;
	}

	boolean hasSwallowed() {
		return this.swallowed;
	}

	void close() {
		closeQuietly(this.client);
		closeQuietly(this.server);
		this.requests.end();
		this.replies.end();
		this.proxy.connections.remove(this);
	}

	static void closeQuietly(AutoCloseable closeable) {
		try {
			closeable.close();
		}
		catch (Exception ex) {
			// Closed is all it has to be.
		}
	}

	/**
	 * One direction. Its reader passes bytes straight on while there is no reason to
	 * wait; otherwise it stamps and queues them for a second thread, which is started
	 * when first needed.
	 */
	private final class Direction {

		private final Socket from;

		private final Socket to;

		private final Deque<Chunk> queue = new ArrayDeque<>();

		private boolean writing;

		private boolean ended;

		Direction(Socket from, Socket to) {
			this.from = from;
			this.to = to;
		}

		void read() {
			byte[] buffer = new byte[BUFFER_SIZE];
			try {
				int length;
				do {
					length = receive(buffer);
					pass(new Chunk(Arrays.copyOf(buffer, length),
							System.nanoTime() + ProxyConnection.this.proxy.delayNanos));
				}
				while (length > 0);
			}
			catch (IOException ex) {
				close();
			}
		}

		/** Zero at the end. A reset, too, comes after all that was sent before it. */
		private int receive(byte[] buffer) {
			try {
				return Math.max(this.from.getInputStream().read(buffer), 0);
			}
			catch (IOException ex) {
				return 0;
			}
		}

		synchronized void wake() {
			notifyAll();
		}

		synchronized void end() {
			this.ended = true;
			this.queue.clear();
			notifyAll();
		}

		private synchronized void pass(Chunk chunk) throws IOException {
			if (this.queue.isEmpty() && ProxyConnection.this.proxy.delayNanos == 0 && !isHeld()) {
				write(chunk);
				return;
			}
			this.queue.add(chunk);
			notifyAll();
			if (!this.writing) {
				this.writing = true;
				start("delayed", this::writeQueued);
			}
		}

		private void writeQueued() {
			try {
				for (Chunk head = next(); head != null; head = next()) {
					head.awaitDue();
					writeHead(head);
				}
			}
			catch (IOException | InterruptedException ex) {
				close();
			}
		}

		private synchronized @Nullable Chunk next() throws InterruptedException {
			while (!this.ended && (this.queue.isEmpty() || isHeld())) {
				wait();
			}
			return this.ended ? null : this.queue.peek();
		}

		private synchronized void writeHead(Chunk head) throws IOException {
			if (!this.ended && !isHeld()) {
				write(head);
				this.queue.poll();
			}
		}

		/** Called with the monitor held: it keeps the order. */
		private void write(Chunk chunk) throws IOException {
			if (isSilent()) {
				ProxyConnection.this.swallowed = true;
			}
			// If silent no more, the proxy was restored meanwhile, and took this for a
			// connection that is whole.
			boolean lost = hasSwallowed();
			if ((lost && !isSilent()) || (chunk.isEnd() && !(lost && isOfReplies()))) {
				throw new EOFException();
			}
			if (!lost) {
				this.to.getOutputStream().write(chunk.bytes());
			}
		}

		private boolean isHeld() {
			return isOfReplies() && ProxyConnection.this.proxy.repliesHeld;
		}

		private boolean isOfReplies() {
			return this == ProxyConnection.this.replies;
		}

	}

	private record Chunk(byte[] bytes, long dueNanos) {

		boolean isEnd() {
			return this.bytes.length == 0;
		}

		void awaitDue() {
			long left = this.dueNanos - System.nanoTime();
			while (left > 0) {
				if (left > SPIN_NANOS) {
					LockSupport.parkNanos(left - SPIN_NANOS);
				}
				else {
					Thread.onSpinWait();
				}
				left = this.dueNanos - System.nanoTime();
			}
		}

	}

}
