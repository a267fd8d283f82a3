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
 * One direction of a proxied connection. Its reader passes bytes straight on while there
 * is no reason to wait; otherwise it stamps and queues them for a second thread, which is
 * started when first needed.
 */
final class ProxyStream {

	/** Parking wakes up late by about this much; the rest is spun. */
	private static final long SPIN_NANOS = 100_000;

	private static final int BUFFER_SIZE = 16 * 1024;

	private final LoopbackProxy.Connection connection;

	private final Socket from;

	private final Socket to;

	private final boolean replies;

	private final Deque<Chunk> queue = new ArrayDeque<>();

	private boolean writing;

	private boolean ended;

	ProxyStream(LoopbackProxy.Connection connection, Socket from, Socket to, boolean replies) {
		this.connection = connection;
		this.from = from;
		this.to = to;
		this.replies = replies;
	}

	void read() {
		byte[] buffer = new byte[BUFFER_SIZE];
		try {
			int length;
			do {
				length = receive(buffer);
				pass(new Chunk(Arrays.copyOf(buffer, length), System.nanoTime() + this.connection.delayNanos()));
			}
			while (length > 0);
		}
		catch (IOException ex) {
			this.connection.close();
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

	/**
	 * When this returns, what was being written has gone through, and what follows is
	 * treated as the proxy says now.
	 */
	synchronized void settle() {
		notifyAll();
	}

	synchronized void end() {
		this.ended = true;
		this.queue.clear();
		notifyAll();
	}

	private synchronized void pass(Chunk chunk) throws IOException {
		if (this.queue.isEmpty() && this.connection.delayNanos() == 0 && !isHeld()) {
			write(chunk);
			return;
		}
		this.queue.add(chunk);
		notifyAll();
		if (!this.writing) {
			this.writing = true;
			LoopbackProxy.start("delayed", this::writeQueued);
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
			this.connection.close();
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
		boolean swallowed = this.connection.swallows();
		if (swallowed && !this.connection.isSilent()) {
			// The proxy was restored meanwhile, and took this for a connection that is
			// whole.
			throw new EOFException();
		}
		if (chunk.isEnd() && !(swallowed && this.replies)) {
			throw new EOFException();
		}
		if (!swallowed) {
			this.to.getOutputStream().write(chunk.bytes);
		}
	}

	private boolean isHeld() {
		return this.replies && this.connection.areRepliesHeld();
	}

	private static final class Chunk {

		private final byte[] bytes;

		private final long dueNanos;

		Chunk(byte[] bytes, long dueNanos) {
			this.bytes = bytes;
			this.dueNanos = dueNanos;
		}

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
