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
import java.io.Closeable;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NoRouteToHostException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;

import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;

import org.jspecify.annotations.Nullable;

import io.quorlock.LogText;
import io.quorlock.redis.NodeAddress;
import io.quorlock.redis.RespFormatException;
import io.quorlock.redis.RespReader;

/**
 * One socket to a server, and the Redis protocol on it. It never reconnects (R3). Written
 * to by one thread at a time, read by one thread at a time.
 * <p>
 * No read has a timeout of its own. Until the handshake is over another thread sees to it
 * that each step comes to an end, by {@link #closeIfOverdue()}.
 */
final class Connection implements Closeable {

	private static final String VERIFIES_HOST_NAME = "HTTPS";

	private static final String TLS_HANDSHAKE = "TLS handshake";

	private static final String PERHAPS_NO_TLS = "; if it does not expect TLS, use redis://";

	private final int timeoutMillis;

	private int stepMillis;

	/** Without its TLS, which would wait for its turn to close. */
	private volatile Socket socket = new Socket();

	private boolean tls;

	/** Empty until it begins to connect. */
	private String step = "";

	private long stepNanos = System.nanoTime();

	/** Whether the server has replied to anything. */
	private boolean replied;

	private boolean closed;

	private boolean overdue;

	private @Nullable BufferedOutputStream out;

	private @Nullable RespReader in;

	/**
	 * Create a connection that is not connected yet.
	 * @param timeout how long each step of connecting may take
	 */
	Connection(Duration timeout) {
		this.timeoutMillis = (int) Math.min(Integer.MAX_VALUE, timeout.toMillis());
		this.stepMillis = this.timeoutMillis;
	}

	/**
	 * Connect.
	 * @param options where the context and parameters of TLS come from: certificates may
	 * be reloaded
	 */
	void connect(NodeAddress address, RedisNodeOptions options) throws NodeUnavailableException {
		this.tls = address.tls();
		try {
			beginStep("name resolution");
			List<InetAddress> hosts = Arrays.asList(InetAddress.getAllByName(address.host()));
			Collections.shuffle(hosts);
			connectToAny(hosts, address.port(), (int) options.tcpTimeout().toMillis());
			Socket socket = address.tls() ? secure(address, options) : this.socket;
			this.out = new BufferedOutputStream(socket.getOutputStream());
			this.in = new RespReader(socket.getInputStream());
		}
		catch (IOException | RuntimeException ex) {
			throw describe(ex);
		}
	}

	private void connectToAny(List<InetAddress> hosts, int port, int attemptMillis) throws IOException {
		IOException failure = null;
		for (InetAddress host : hosts) {
			begin(new Socket(), Math.min(attemptMillis, this.timeoutMillis));
			try {
				this.socket.setTcpNoDelay(true);
				this.socket.setKeepAlive(true);
				// R3: what was not sent yet is not to be
				this.socket.setSoLinger(true, 0);
				this.socket.connect(new InetSocketAddress(host, port), this.stepMillis);
				return;
			}
			catch (IOException ex) {
				this.socket.close();
				failure = ex;
			}
		}
		throw (failure != null) ? failure : new UnknownHostException();
	}

	private Socket secure(NodeAddress address, RedisNodeOptions options) throws IOException {
		beginStep(TLS_HANDSHAKE);
		SSLSocketFactory factory = (options.sslContext() != null) ? options.sslContext().get().getSocketFactory()
				: (SSLSocketFactory) SSLSocketFactory.getDefault();
		SSLParameters parameters = options.sslParameters().get();
		parameters.setEndpointIdentificationAlgorithm(VERIFIES_HOST_NAME);
		SSLSocket secured = (SSLSocket) factory.createSocket(this.socket, address.host(), address.port(), true);
		secured.setSSLParameters(parameters);
		secured.startHandshake();
		return secured;
	}

	private synchronized void begin(Socket socket, int millis) throws IOException {
		this.socket = socket;
		this.overdue = false; // of an address that did not reply
		beginStep("TCP connect");
		this.stepMillis = millis;
	}

	/**
	 * Give the server the whole timeout again.
	 * @param step what it is to do, for people
	 */
	synchronized void beginStep(String step) throws IOException {
		if (this.overdue || this.closed) {
			throw new IOException("Closed");
		}
		this.step = step;
		this.stepMillis = this.timeoutMillis;
		this.stepNanos = System.nanoTime();
	}

	/**
	 * End a step of connecting that takes too long: its waiting callers fail.
	 * @return why, or {@code null} if it does not
	 */
	synchronized @Nullable NodeUnavailableException closeIfOverdue() {
		if (this.step.isEmpty() || System.nanoTime() - this.stepNanos <= this.stepMillis * 1_000_000L) {
			return null;
		}
		this.overdue = true;
		closeSocket();
		return overdue();
	}

	private NodeUnavailableException overdue() {
		return NodeUnavailableException.down("did not reply within %d ms (%s)%s".formatted(this.stepMillis, this.step,
				this.step.equals(TLS_HANDSHAKE) ? PERHAPS_NO_TLS : ""));
	}

	void write(byte[] bytes) throws IOException {
		Objects.requireNonNull(this.out).write(bytes);
	}

	void flush() throws IOException {
		Objects.requireNonNull(this.out).flush();
	}

	/**
	 * Return whether the next reply is one without a command. Blocks until it begins.
	 */
	boolean nextIsPush() throws IOException {
		return Objects.requireNonNull(this.in).nextIsPush();
	}

	/**
	 * Read the next reply.
	 * @return the reply; an error is returned, not thrown
	 */
	@Nullable Object read(RespReader.Limits limits) throws IOException {
		Object reply = Objects.requireNonNull(this.in).read(limits);
		this.replied = true;
		return reply;
	}

	/**
	 * Read the next reply, and ask for its limits only if it needs any.
	 * @return the reply; an error is returned, not thrown
	 */
	@Nullable Object read(Supplier<RespReader.Limits> limits) throws IOException {
		return Objects.requireNonNull(this.in).read(limits);
	}

	@Override
	public synchronized void close() {
		this.closed = true;
		closeSocket();
	}

	private void closeSocket() {
		try {
			this.socket.close();
		}
		catch (IOException ex) {
			// It is gone all the same.
		}
	}

	/**
	 * Return what went wrong while connecting.
	 */
	synchronized NodeUnavailableException describe(Throwable failure) {
		Throwable cause = rootCause(failure);
		if (cause instanceof UnknownHostException) {
			return NodeUnavailableException.down("unknown host"); // however long it took
		}
		if (this.overdue || cause instanceof SocketTimeoutException) {
			return overdue();
		}
		if (cause instanceof NoRouteToHostException) {
			return NodeUnavailableException.down("no route to host");
		}
		if (cause instanceof ConnectException) {
			return NodeUnavailableException.down("connection refused");
		}
		if (cause instanceof RespFormatException format) {
			return NodeUnavailableException
				.rejected(format.isTlsAlert() ? "expects TLS: use rediss://" : String.valueOf(format.getMessage()));
		}
		if (cause instanceof GeneralSecurityException || cause instanceof SSLException) {
			String message = LogText.bounded(String.valueOf(cause.getMessage()));
			return NodeUnavailableException.down("TLS handshake failed: " + message
					+ (message.contains("unrecognized SSL message") ? PERHAPS_NO_TLS : ""));
		}
		if (cause instanceof IOException) {
			// It closed the connection: we did not.
			return NodeUnavailableException.down("connection closed during the handshake (" + this.step + ")"
					+ (this.replied ? "; its log may say why, such as client-output-buffer-limit"
							: this.tls ? "; perhaps it refused our certificate, or requires one"
									: "; if it expects TLS, use rediss://"));
		}
		return NodeUnavailableException
			.down(cause.getClass().getSimpleName() + ": " + LogText.bounded(String.valueOf(cause.getMessage())));
	}

	/** A certificate's own exception says more than the one of TLS around it. */
	private static Throwable rootCause(Throwable failure) {
		Throwable cause = failure;
		Throwable tls = null;
		while (cause.getCause() != null) {
			tls = (tls == null && cause instanceof SSLException) ? cause : tls;
			cause = cause.getCause();
		}
		return (tls == null || cause instanceof CertificateException) ? cause : tls;
	}

}
