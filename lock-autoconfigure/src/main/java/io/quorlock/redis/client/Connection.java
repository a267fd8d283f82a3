package io.quorlock.redis.client;

import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.UnknownHostException;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateException;
import java.util.Objects;
import java.util.function.Supplier;

import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;

import org.jspecify.annotations.Nullable;

import io.quorlock.redis.NodeAddress;
import io.quorlock.redis.RespFormatException;
import io.quorlock.redis.RespReader;
import io.quorlock.redis.SafeText;

/**
 * One socket to a server and the Redis protocol on it. It never reconnects (R3). Written
 * to by one thread at a time, read by one thread at a time.
 * <p>
 * Nothing on it has a timeout of its own: after a single connect or read with one, the
 * JDK needs three system calls instead of one for every later read. Until the handshake
 * is over another thread sees to it that each step comes to an end, by
 * {@link #closeIfOverdue()}.
 */
final class Connection implements Closeable {

	private final long timeoutMillis;

	private boolean tls;

	/** Without its TLS, which would wait for its turn to close. */
	private volatile Socket socket = new Socket();

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

	void connect(NodeAddress address, JedisNodeOptions options) throws NodeUnavailableException {
		this.tls = address.tls();
		try {
			Socket connected = connect(address);
			Socket secured = address.tls() ? secure(connected, address, options) : connected;
			this.out = new BufferedOutputStream(secured.getOutputStream());
			this.in = new RespReader(secured.getInputStream());
		}
		catch (IOException | RuntimeException ex) {
			throw describe(ex, "");
		}
	}

	/** A name may stand for several addresses: the first that accepts is taken. */
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
		return Objects.requireNonNull(this.in).read(limits);
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
		if (this.overdue) {
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
				.down("TLS handshake failed: " + SafeText.of(String.valueOf(cause.getMessage())));
		}
		if (cause instanceof IOException) {
			String hint = this.tls ? "; perhaps it refused our certificate, or requires one"
					: "; if it expects TLS, use rediss://";
			return NodeUnavailableException.down("connection closed" + when + (when.isEmpty() ? "" : hint));
		}
		return NodeUnavailableException
			.down(cause.getClass().getSimpleName() + ": " + SafeText.of(String.valueOf(cause.getMessage())));
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
