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
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

import org.jspecify.annotations.Nullable;

/**
 * A TCP proxy on 127.0.0.1 in front of a server there, that behaves like a slow or broken
 * network. It passes bytes on as they are, TLS too, always in order. Safe for use by
 * several threads.
 * <p>
 * Without a delay it adds only the time of its two extra hops. A delay holds for what
 * arrives after it was set; it is kept to within about 0.1 ms on an idle machine, at the
 * price of some spinning, and it does not apply to the opening of a connection.
 *
 * @since 0.1.0
 */
public final class LoopbackProxy implements AutoCloseable {

	private static final int BACKLOG = 1024;

	private static final int CONNECT_TIMEOUT_MS = 10_000;

	private final int targetPort;

	private final String scheme;

	private final int port;

	private final Set<Connection> connections = ConcurrentHashMap.newKeySet();

	private final AtomicLong accepted = new AtomicLong();

	private volatile @Nullable Listener listener;

	private volatile long delayNanos;

	private volatile boolean blackhole;

	private volatile boolean repliesHeld;

	private boolean closed;

	private LoopbackProxy(int targetPort, String scheme) {
		this.targetPort = targetPort;
		this.scheme = scheme;
		this.port = LoopbackPorts.open((candidate) -> {
			listen(candidate);
			return candidate;
		});
	}

	/**
	 * Start a proxy on a free port.
	 * @param node the server behind it
	 * @return the proxy; it passes everything on
	 */
	public static LoopbackProxy to(EmbeddedRedisNode node) {
		return new LoopbackProxy(node.port(), node.uri().substring(0, node.uri().indexOf(':')));
	}

	/**
	 * Start a proxy on a free port.
	 * @param targetPort the port on 127.0.0.1 of the server behind it
	 * @return the proxy; it passes everything on
	 */
	public static LoopbackProxy to(int targetPort) {
		return new LoopbackProxy(targetPort, "redis");
	}

	/**
	 * Return the port of the proxy, which stays the same for its life.
	 * @return the port
	 */
	public int port() {
		return this.port;
	}

	/**
	 * Return the address that clients use instead of the node's.
	 * @return {@code redis://127.0.0.1:12345} or {@code rediss://...}, as the node's
	 */
	public String uri() {
		return this.scheme + "://" + LoopbackPorts.HOST + ":" + this.port;
	}

	/**
	 * Delay everything by this much in each direction, which adds twice as much to a
	 * round trip.
	 * @param eachWay the delay; zero for none
	 */
	public void delay(Duration eachWay) {
		this.delayNanos = eachWay.toNanos();
	}

	/** Close all connections and refuse new ones. */
	public synchronized void cut() {
		Listener open = this.listener;
		if (open != null) {
			this.listener = null;
			open.close();
		}
		this.connections.forEach(Connection::close);
	}

	/**
	 * Accept connections, and drop what arrives on them in both directions, without an
	 * error. What is dropped is never delivered.
	 */
	public void blackhole() {
		this.blackhole = true;
		this.connections.forEach(Connection::settleReplies);
	}

	/**
	 * Drop what arrives on the connections that are open now in both directions, without
	 * an error, as a firewall that has forgotten them. New ones are passed on.
	 */
	public void forgetConnections() {
		this.connections.forEach(Connection::forget);
	}

	/**
	 * Hold back replies from now on, while requests are passed on, until
	 * {@link #releaseReplies()}.
	 */
	public void holdReplies() {
		this.repliesHeld = true;
		this.connections.forEach(Connection::settleReplies);
	}

	/** Pass on the replies held back, in order, and all later ones. */
	public void releaseReplies() {
		this.repliesHeld = false;
		this.connections.forEach(Connection::settleReplies);
	}

	/**
	 * Pass everything on again, without delay. Connections on which bytes were dropped
	 * are closed.
	 * @throws EmbeddedServerException if the port cannot be opened again, or if the proxy
	 * is closed
	 */
	public synchronized void restore() {
		if (this.closed) {
			throw new EmbeddedServerException("The proxy is closed");
		}
		delay(Duration.ZERO);
		this.blackhole = false;
		this.connections.stream().filter(Connection::hasSwallowed).forEach(Connection::close);
		releaseReplies();
		if (this.listener == null) {
			try {
				listen(this.port);
			}
			catch (IOException ex) {
				throw new EmbeddedServerException("Port " + this.port + " could not be opened again", ex);
			}
		}
	}

	/**
	 * Pass everything on again, but on connections on which bytes were dropped: they stay
	 * silent, as those of TCP do for as long as it waits before it repeats what was lost.
	 */
	public void restoreForNewConnections() {
		this.blackhole = false;
	}

	/**
	 * Return how many connections are open.
	 * @return the number of connections
	 */
	public int connectionsOpen() {
		return this.connections.size();
	}

	/**
	 * Return how many connections were accepted since the start.
	 * @return the number of connections
	 */
	public long connectionsAccepted() {
		return this.accepted.get();
	}

	/** Close all connections and refuse new ones. */
	@Override
	public synchronized void close() {
		if (!this.closed) {
			this.closed = true;
			cut();
			LoopbackPorts.release(this.port);
		}
	}

	private static void closeQuietly(AutoCloseable closeable) {
		try {
			closeable.close();
		}
		catch (Exception ex) {
			// Closed is all it has to be.
		}
	}

	private synchronized void listen(int port) throws IOException {
		Listener opened = new Listener(port);
		this.listener = opened;
		opened.thread.start(); // a connection without a listener is closed
	}

	private void open(Socket client) throws IOException {
		this.accepted.incrementAndGet();
		Connection connection = new Connection(client, !this.blackhole);
		this.connections.add(connection);
		connection.start();
		boolean changedMeanwhile = this.listener == null || (!this.blackhole && connection.hasSwallowed());
		if (changedMeanwhile) {
			connection.close();
		}
	}

	static void start(String name, Runnable task) {
		daemon(name, task).start();
	}

	private static Thread daemon(String name, Runnable task) {
		Thread thread = new Thread(task, "loopback-proxy-" + name);
		thread.setDaemon(true);
		return thread;
	}

	private final class Listener {

		private final ServerSocket socket;

		private final Thread thread;

		Listener(int port) throws IOException {
			this.socket = new ServerSocket(port, BACKLOG, LoopbackPorts.address(port).getAddress());
			this.thread = daemon("accept", this::accept);
		}

		private void accept() {
			while (!this.socket.isClosed()) {
				try {
					open(this.socket.accept());
				}
				catch (IOException ex) {
					// The listener was closed, or the client has left.
				}
			}
		}

		/**
		 * The system refuses connections only when the thread has left its call. Nothing
		 * else can hold it up: it opens no connection.
		 */
		void close() {
			closeQuietly(this.socket);
			boolean interrupted = false;
			while (this.thread.isAlive()) {
				try {
					this.thread.join();
				}
				catch (InterruptedException ex) {
					interrupted = true;
				}
			}
			if (interrupted) {
				Thread.currentThread().interrupt();
			}
		}

	}

	/**
	 * One client and its own connection to the server; there is none if the proxy was a
	 * black hole from the start. Ends as a whole when either side ends.
	 */
	final class Connection {

		private final Socket client;

		private final Socket server = new Socket();

		private final boolean reachesServer;

		private final ProxyStream requests;

		private final ProxyStream replies;

		private volatile boolean forgotten;

		private volatile boolean swallowed;

		private Connection(Socket client, boolean reachesServer) throws IOException {
			this.client = client;
			this.reachesServer = reachesServer;
			client.setTcpNoDelay(true);
			this.server.setTcpNoDelay(true);
			this.requests = new ProxyStream(this, client, this.server, false);
			this.replies = new ProxyStream(this, this.server, client, true);
		}

		private void start() {
			LoopbackProxy.start("requests", this::run);
		}

		/** A server that hangs may take long to connect to, or may never accept. */
		private void run() {
			if (this.reachesServer) {
				try {
					this.server.connect(LoopbackPorts.address(LoopbackProxy.this.targetPort), CONNECT_TIMEOUT_MS);
				}
				catch (IOException ex) {
					close();
					return;
				}
				LoopbackProxy.start("replies", this.replies::read);
			}
			this.requests.read();
		}

		private void settleReplies() {
			this.replies.settle();
		}

		boolean areRepliesHeld() {
			return LoopbackProxy.this.repliesHeld;
		}

		long delayNanos() {
			return LoopbackProxy.this.delayNanos;
		}

		private void forget() {
			this.forgotten = true;
			settleReplies();
		}

		boolean isSilent() {
			return this.forgotten || LoopbackProxy.this.blackhole;
		}

		/** Whether what is next to be written is lost, as is everything after it. */
		boolean swallows() {
			if (isSilent() || !this.reachesServer) {
				this.swallowed = true;
			}
			return this.swallowed;
		}

		private boolean hasSwallowed() {
			return this.swallowed || !this.reachesServer;
		}

		void close() {
			closeQuietly(this.client);
			closeQuietly(this.server);
			this.requests.end();
			this.replies.end();
			LoopbackProxy.this.connections.remove(this);
		}

	}

}
