package io.quorlock.redis.jedis;

import java.io.Closeable;
import java.io.IOException;
import java.net.ConnectException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;

import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;

import io.quorlock.redis.NodeAddress;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.DefaultJedisSocketFactory;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.util.RedisInputStream;
import redis.clients.jedis.util.RedisOutputStream;

/**
 * One socket to a server and the Redis protocol on it. It never reconnects (R3). Written
 * to by one thread at a time, read by one thread at a time.
 */
final class Wire implements Closeable {

	private static final byte PUSH = '>';

	private static final String UNKNOWN_REPLY = "Unknown reply";

	/** The first byte of what a server says that expected TLS. */
	private static final char TLS_ALERT = 0x15;

	private final Socket socket;

	private final RedisOutputStream out;

	private final RedisInputStream in;

	private final int timeoutMillis;

	private final long openedNanos = System.nanoTime();

	private volatile boolean overdue;

	private Wire(Socket socket, int timeoutMillis) throws IOException {
		this.socket = socket;
		this.timeoutMillis = timeoutMillis;
		this.out = new RedisOutputStream(socket.getOutputStream());
		this.in = new RedisInputStream(socket.getInputStream());
	}

	/**
	 * Connects. Reads have no time-out, {@link #closeIfOverdue()} takes its place: a
	 * socket that was once read with one needs three system calls for every later read.
	 */
	static Wire open(NodeAddress address, JedisNodeOptions options) throws NodeUnavailableException {
		int timeout = Math.toIntExact(options.connectTimeout().toMillis());
		DefaultJedisClientConfig.Builder config = DefaultJedisClientConfig.builder()
			.connectionTimeoutMillis(timeout)
			.socketTimeoutMillis(0);
		try {
			if (address.tls()) {
				SSLParameters parameters = options.sslParameters().get();
				parameters.setEndpointIdentificationAlgorithm("HTTPS");
				config.ssl(true).sslParameters(parameters);
				if (options.sslContext() != null) {
					config.sslSocketFactory(options.sslContext().get().getSocketFactory());
				}
			}
			HostAndPort hostAndPort = new HostAndPort(address.host(), address.port());
			return new Wire(new DefaultJedisSocketFactory(hostAndPort, config.build()).createSocket(), timeout);
		}
		catch (Exception ex) {
			throw NodeUnavailableException.down(describe(ex, timeout));
		}
	}

	void write(byte[] bytes) throws IOException {
		this.out.write(bytes);
	}

	void flush() throws IOException {
		this.out.flush();
	}

	/**
	 * Whether the next answer is one that nobody asked for. Waits for it.
	 */
	boolean nextIsPush() {
		return this.in.peek(PUSH);
	}

	/**
	 * Reads the next answer.
	 * @return the answer; an error is returned, not thrown
	 */
	@Nullable Object read() {
		try {
			return Protocol.read(this.in);
		}
		catch (JedisDataException ex) {
			return ex;
		}
	}

	/**
	 * Ends a hand-shake that takes too long; who reads fails.
	 */
	void closeIfOverdue() {
		if (System.nanoTime() - this.openedNanos > this.timeoutMillis * 1_000_000L) {
			this.overdue = true;
			close();
		}
	}

	@Override
	public void close() {
		try {
			this.socket.close();
		}
		catch (IOException ex) {
			// It is gone all the same.
		}
	}

	/**
	 * What went wrong while this was read or written.
	 */
	String describe(Throwable failure) {
		return this.overdue ? timedOut(this.timeoutMillis) : describe(failure, this.timeoutMillis);
	}

	private static String timedOut(int timeoutMillis) {
		return "did not answer within " + timeoutMillis + " ms";
	}

	private static String describe(Throwable failure, int timeoutMillis) {
		Throwable cause = rootCause(failure);
		if (cause instanceof SocketTimeoutException) {
			return timedOut(timeoutMillis);
		}
		if (cause instanceof UnknownHostException) {
			return "unknown host";
		}
		if (cause instanceof ConnectException) {
			return "connection refused";
		}
		if (cause instanceof SSLException || cause instanceof java.security.GeneralSecurityException) {
			return "TLS hand-shake failed: " + cause.getMessage();
		}
		String message = String.valueOf(cause.getMessage());
		if (message.startsWith(UNKNOWN_REPLY)) {
			return (message.indexOf(TLS_ALERT) > 0) ? "expects TLS: use rediss://"
					: "does not speak the Redis protocol";
		}
		return (cause instanceof JedisConnectionException || cause instanceof IOException) ? "connection closed"
				: cause.getClass().getSimpleName() + ": " + message;
	}

	private static Throwable rootCause(Throwable failure) {
		Throwable cause = failure;
		while (!(cause instanceof SSLException)) {
			// Jedis hides why a connection failed among the suppressed exceptions.
			Throwable next = (cause.getCause() != null) ? cause.getCause()
					: (cause.getSuppressed().length > 0) ? cause.getSuppressed()[0] : null;
			if (next == null) {
				return cause;
			}
			cause = next;
		}
		return cause;
	}

}
