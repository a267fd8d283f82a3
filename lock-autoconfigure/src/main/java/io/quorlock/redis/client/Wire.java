package io.quorlock.redis.client;

import java.io.Closeable;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.UnknownHostException;
import java.util.Objects;

import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;

import io.quorlock.redis.NodeAddress;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.util.RedisInputStream;
import redis.clients.jedis.util.RedisOutputStream;

/**
 * One socket to a server and the Redis protocol on it. It never reconnects (R3). Written
 * to by one thread at a time, read by one thread at a time.
 * <p>
 * Nothing on it has a time-out of its own: after a single connect or read with one, the
 * JDK needs three system calls instead of one for every later read. Until the hand-shake
 * is over another thread sees to it that each step comes to an end, by
 * {@link #closeIfOverdue()}.
 */
final class Wire implements Closeable {

	private static final byte PUSH = '>';

	private static final String UNKNOWN_REPLY = "Unknown reply";

	/** The first byte of what a server says that expected TLS. */
	private static final char TLS_ALERT = 0x15;

	private final long timeoutMillis;

	/** Without its TLS, which would wait for its turn to say good-bye. */
	private volatile Socket socket = new Socket();

	private volatile boolean closed;

	private volatile boolean overdue;

	private volatile long stepNanos = System.nanoTime();

	private @Nullable RedisOutputStream out;

	private @Nullable RedisInputStream in;

	/**
	 * Creates a wire that is not connected.
	 * @param timeoutMillis how long each step of connecting may take
	 */
	Wire(long timeoutMillis) {
		this.timeoutMillis = timeoutMillis;
	}

	void connect(NodeAddress address, JedisNodeOptions options) throws NodeUnavailableException {
		try {
			Socket connected = connect(address);
			Socket secured = address.tls() ? secure(connected, address, options) : connected;
			this.out = new RedisOutputStream(secured.getOutputStream());
			this.in = new RedisInputStream(secured.getInputStream());
		}
		catch (IOException | RuntimeException ex) {
			throw NodeUnavailableException.down(describe(ex));
		}
	}

	/** A name may stand for several addresses: the first that answers is taken. */
	private Socket connect(NodeAddress address) throws IOException {
		IOException failure = new UnknownHostException();
		for (InetAddress host : InetAddress.getAllByName(address.host())) {
			Socket candidate = new Socket();
			this.socket = candidate;
			beginStep();
			try {
				candidate.setTcpNoDelay(true);
				candidate.setKeepAlive(true);
				candidate.setSoLinger(true, 0); // R3: what was not sent yet is not to be
				candidate.connect(new InetSocketAddress(host, address.port()));
				return candidate;
			}
			catch (IOException ex) {
				candidate.close();
				failure = ex;
			}
		}
		throw failure;
	}

	private static Socket secure(Socket plain, NodeAddress address, JedisNodeOptions options) throws IOException {
		SSLSocketFactory factory = (options.sslContext() != null) ? options.sslContext().get().getSocketFactory()
				: (SSLSocketFactory) SSLSocketFactory.getDefault();
		SSLSocket secured = (SSLSocket) factory.createSocket(plain, address.host(), address.port(), true);
		SSLParameters parameters = options.sslParameters().get();
		parameters.setEndpointIdentificationAlgorithm("HTTPS");
		secured.setSSLParameters(parameters);
		return secured;
	}

	/**
	 * The server has the whole time-out again.
	 */
	void beginStep() throws IOException {
		this.stepNanos = System.nanoTime();
		this.overdue = false;
		if (this.closed) {
			this.socket.close();
		}
	}

	/**
	 * Ends a step of connecting that takes too long: who waits for it fails.
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
	 * Whether the next answer is one that nobody asked for. Waits for it.
	 */
	boolean nextIsPush() {
		return Objects.requireNonNull(this.in).peek(PUSH);
	}

	/**
	 * Reads the next answer.
	 * @return the answer; an error is returned, not thrown
	 */
	@Nullable Object read() {
		try {
			return Protocol.read(Objects.requireNonNull(this.in));
		}
		catch (JedisDataException ex) {
			return ex;
		}
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
	 * What went wrong.
	 */
	String describe(Throwable failure) {
		Throwable cause = rootCause(failure);
		if (cause instanceof UnknownHostException) {
			return "unknown host"; // however long it took to find out
		}
		if (this.overdue) {
			return "did not answer within " + this.timeoutMillis + " ms";
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
		while (!(cause instanceof SSLException) && cause.getCause() != null) {
			cause = cause.getCause();
		}
		return cause;
	}

}
