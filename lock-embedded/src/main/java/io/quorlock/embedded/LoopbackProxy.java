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
import java.util.concurrent.CompletableFuture;
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

	final int targetPort;

	private final String scheme;

	private final int port;

	final Set<ProxyConnection> connections = ConcurrentHashMap.newKeySet();

	private final AtomicLong accepted = new AtomicLong();

	private ServerSocket listener;

	private CompletableFuture<@Nullable Void> accepting;

	volatile long delayNanos;

	volatile boolean blackhole;

	volatile boolean repliesHeld;

	private boolean closed;

	private LoopbackProxy(int targetPort, String scheme) {
		this.targetPort = targetPort;
		this.scheme = scheme;
		this.listener = LoopbackPorts.open(LoopbackProxy::listen);
		this.port = this.listener.getLocalPort();
		this.accepting = acceptFrom(this.listener);
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
		ProxyConnection.closeQuietly(this.listener);
		// The system refuses connections only when the thread has left its call. Nothing
		// else can hold it up: it opens no connection.
		this.accepting.join();
		this.connections.forEach(ProxyConnection::close);
	}

	/**
	 * Accept connections, and drop what arrives on them in both directions, without an
	 * error. What is dropped is never delivered.
	 */
	public void blackhole() {
		this.blackhole = true;
		this.connections.forEach(ProxyConnection::settleReplies);
	}

	/**
	 * Drop what arrives on the connections that are open now in both directions, without
	 * an error, as a firewall that has forgotten them. New ones are passed on.
	 */
	public void forgetConnections() {
		this.connections.forEach(ProxyConnection::forget);
	}

	/**
	 * Hold back replies from now on, while requests are passed on, until
	 * {@link #releaseReplies()}.
	 */
	public void holdReplies() {
		this.repliesHeld = true;
		this.connections.forEach(ProxyConnection::settleReplies);
	}

	/** Pass on the replies held back, in order, and all later ones. */
	public void releaseReplies() {
		this.repliesHeld = false;
		this.connections.forEach(ProxyConnection::settleReplies);
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
		this.connections.stream().filter(ProxyConnection::hasSwallowed).forEach(ProxyConnection::close);
		releaseReplies();
		if (this.listener.isClosed()) {
			try {
				this.listener = listen(this.port);
				this.accepting = acceptFrom(this.listener);
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

	private static ServerSocket listen(int port) throws IOException {
		return new ServerSocket(port, BACKLOG, LoopbackPorts.address(port).getAddress());
	}

	private CompletableFuture<@Nullable Void> acceptFrom(ServerSocket listener) {
		return CompletableFuture.runAsync(() -> accept(listener),
				(task) -> new DaemonThread("loopback-proxy-accept", task).start());
	}

	private void accept(ServerSocket listener) {
		while (!listener.isClosed()) {
			try {
				open(listener.accept());
			}
			catch (IOException ex) {
				// The listener was closed, or the client has left.
			}
		}
	}

	private void open(Socket client) throws IOException {
		this.accepted.incrementAndGet();
		ProxyConnection connection = new ProxyConnection(this, client, !this.blackhole);
		this.connections.add(connection);
		connection.start();
		if (!this.blackhole && connection.hasSwallowed()) {
			connection.close(); // The proxy was restored meanwhile.
		}
	}

}
