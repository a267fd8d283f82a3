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
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateException;
import java.util.Objects;
import java.util.function.Supplier;

import javax.net.ssl.SSLException;

import org.jspecify.annotations.Nullable;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.DefaultJedisSocketFactory;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.exceptions.JedisConnectionException;

import io.quorlock.LogText;
import io.quorlock.redis.NodeAddress;
import io.quorlock.redis.RespFormatException;
import io.quorlock.redis.RespReader;

/**
 * One socket to a server, which Jedis connects, and the Redis protocol on it. It never
 * reconnects (R3). Written to by one thread at a time, read by one thread at a time.
 * <p>
 * No read has a timeout of its own. Until the handshake is over another thread sees to it
 * that each step comes to an end, by {@link #closeIfOverdue()}.
 */
final class Connection implements Closeable {

	private final long timeoutMillis;

	private boolean tls;

	/** Without its TLS, which would wait for its turn to close. */
	private volatile Socket socket = new Socket();

	/** Whether the server has replied to anything. */
	private boolean replied;

	private volatile boolean closed;

	private volatile boolean overdue;

	private volatile long stepNanos = System.nanoTime();

	private @Nullable BufferedOutputStream out;

	private @Nullable RespReader in;

	/**
	 * Create a connection that is not connected yet.
	 * @param timeoutMillis how long each step of connecting may take
	 */
	Connection(long timeoutMillis) {
		this.timeoutMillis = timeoutMillis;
	}

	void connect(NodeAddress address, JedisClientConfig config) throws NodeUnavailableException {
		this.tls = config.isSsl();
		try {
			beginStep();
			Socket secured = sockets(address, config).createSocket();
			if (!this.tls) {
				onConnected(secured);
			}
			this.out = new BufferedOutputStream(secured.getOutputStream());
			this.in = new RespReader(secured.getInputStream());
		}
		catch (IOException | RuntimeException ex) {
			throw describe(ex, "");
		}
	}

	private DefaultJedisSocketFactory sockets(NodeAddress address, JedisClientConfig config) {
		HostAndPort server = new HostAndPort(address.host(), address.port());
		return new DefaultJedisSocketFactory(server,
				!config.isSsl() ? config
						: DefaultJedisClientConfig.builder()
							.from(config)
							.sslSocketFactory(new LayeredSocketFactory(config.getSslSocketFactory(), this::onConnected))
							.build());
	}

	private void onConnected(Socket plain) throws IOException {
		plain.setSoLinger(true, 0); // R3: what was not sent yet is not to be
		this.socket = plain;
		beginStep();
	}

	/**
	 * Give the server the whole timeout again.
	 */
	void beginStep() throws IOException {
		this.stepNanos = System.nanoTime();
		this.overdue = false;
		if (this.closed) {
			this.socket.close();
		}
	}

	/**
	 * End a step of connecting that takes too long: its waiting callers fail.
	 */
	void closeIfOverdue() {
		if (System.nanoTime() - this.stepNanos > this.timeoutMillis * 1_000_000) {
			this.overdue = true;
			closeSocket();
		}
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
	public void close() {
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
	 * Return what went wrong.
	 */
	NodeUnavailableException describe(Throwable failure, String when) {
		Throwable cause = rootCause(failure);
		if (cause instanceof UnknownHostException) {
			return NodeUnavailableException.down("unknown host"); // however long it took
		}
		if (this.overdue || cause instanceof SocketTimeoutException) {
			return NodeUnavailableException.down("did not reply within %d ms%s%s".formatted(this.timeoutMillis, when,
					(this.tls && !when.isEmpty()) ? "; if it does not expect TLS, use redis://" : ""));
		}
		if (cause instanceof ConnectException) {
			return NodeUnavailableException.down("connection refused");
		}
		if (cause instanceof RespFormatException format) {
			return NodeUnavailableException
				.rejected(format.isTlsAlert() ? "expects TLS: use rediss://" : String.valueOf(format.getMessage()));
		}
		if (cause instanceof GeneralSecurityException || cause instanceof SSLException) {
			return NodeUnavailableException
				.down("TLS handshake failed: " + LogText.bounded(String.valueOf(cause.getMessage())));
		}
		if (cause instanceof IOException) {
			String hint = this.replied ? "; its log may say why, such as client-output-buffer-limit" : this.tls
					? "; perhaps it refused our certificate, or requires one" : "; if it expects TLS, use rediss://";
			return NodeUnavailableException.down("connection closed" + when + (when.isEmpty() ? "" : hint));
		}
		return NodeUnavailableException
			.down(cause.getClass().getSimpleName() + ": " + LogText.bounded(String.valueOf(cause.getMessage())));
	}

	/**
	 * A certificate's own exception says more than the one of TLS around it. Jedis keeps
	 * the failures of all addresses of a host, and no cause.
	 */
	private static Throwable rootCause(Throwable failure) {
		Throwable cause = failure;
		Throwable tls = null;
		while (cause.getCause() != null) {
			tls = (tls == null && cause instanceof SSLException) ? cause : tls;
			cause = cause.getCause();
		}
		Throwable[] addresses = cause.getSuppressed();
		if (cause instanceof JedisConnectionException && addresses.length > 0) {
			return addresses[addresses.length - 1];
		}
		return (tls == null || cause instanceof CertificateException) ? cause : tls;
	}

}
