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

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Picks ports for servers that may go away and come back on the same port.
 * <p>
 * They lie below the range from which Linux (32768 up) and macOS (49152 up) take the
 * local ports of outgoing connections. From that range a client that reconnects to a
 * server that is down could be given the server's own port: it then talks to itself, and
 * the server finds its port taken. A cluster bus, 10,000 above its server, stays below
 * the range as well.
 * <p>
 * A port is reserved for as long as its server exists, whether it listens or not. A
 * server that is about to start, or that is stopped for a while, would find its port
 * taken by another server of this JVM otherwise.
 */
final class LoopbackPorts {

	static final String HOST = "127.0.0.1";

	/** How often a start is tried when the port picked is taken by another process. */
	private static final int ATTEMPTS = 50;

	private static final int FIRST = 12_000;

	private static final int END = 22_000;

	static final Set<Integer> reserved = ConcurrentHashMap.newKeySet();

	private LoopbackPorts() {
	}

	/** A port that nothing in this JVM has reserved. Another process may listen on it. */
	static int reserve() {
		while (true) {
			int candidate = ThreadLocalRandom.current().nextInt(FIRST, END);
			if (reserved.add(candidate)) {
				return candidate;
			}
		}
	}

	/** Reserve a port that was chosen elsewhere; false if a server has it already. */
	static boolean reserve(int port) {
		return reserved.add(port);
	}

	static void release(int port) {
		reserved.remove(port);
	}

	/** A literal address, so that there is nothing to select from. */
	@SuppressWarnings("AddressSelection")
	static InetSocketAddress address(int port) {
		return new InetSocketAddress(HOST, port);
	}

	/** A reserved port on which nothing listens now. */
	static int reserveFree() {
		return open((port) -> {
			try (ServerSocket probe = new ServerSocket(port, 1, address(port).getAddress())) {
				return probe.getLocalPort();
			}
		});
	}

	/** Reserve a port on which something can be opened, and open it. */
	static <T> T open(Opening<T> opening) {
		IOException last = null;
		for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
			int candidate = reserve();
			try {
				return opening.on(candidate);
			}
			catch (IOException ex) {
				release(candidate); // taken: try another
				last = ex;
			}
			catch (RuntimeException ex) {
				release(candidate);
				throw ex;
			}
		}
		throw new EmbeddedServerException("No free port on " + HOST + " after " + ATTEMPTS + " attempts: "
				+ ((last != null) ? last.getMessage() : "all are in use"), last);
	}

	/**
	 * Opens something on a port.
	 *
	 * @param <T> what is opened
	 */
	interface Opening<T> {

		/**
		 * Open it.
		 * @throws IOException if the port is taken
		 */
		T on(int port) throws IOException;

	}

}
