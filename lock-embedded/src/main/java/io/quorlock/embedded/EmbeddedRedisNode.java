package io.quorlock.embedded;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

import javax.net.SocketFactory;

import org.jspecify.annotations.Nullable;

/**
 * One real Redis server on 127.0.0.1, without persistence. It ends with this JVM, also
 * when that is killed. Safe for use by several threads.
 *
 * @since 0.1.0
 */
public final class EmbeddedRedisNode implements AutoCloseable {

	private final Builder options;

	private final Path directory = Guardian.get().newDirectory("node-");

	private volatile int port;

	private volatile RedisProcess process;

	private EmbeddedRedisNode(Builder options) {
		this.options = options;
		this.process = (options.port != 0) ? launch(options.port) : launchOnFreePort();
	}

	/**
	 * Starts a server with the defaults on a free port.
	 * @return the server, ready for connections
	 * @throws EmbeddedRedisException if it does not start
	 */
	public static EmbeddedRedisNode start() {
		return builder().start();
	}

	/**
	 * Says how a server is to be started.
	 * @return the options, at their defaults
	 */
	public static Builder builder() {
		return new Builder();
	}

	/**
	 * The port, the same for the life of the node.
	 * @return the port
	 */
	public int port() {
		return this.port;
	}

	/**
	 * The address, {@code redis://127.0.0.1:12345} or {@code rediss://...}, without user
	 * and password.
	 * @return the address
	 */
	public String uri() {
		return ((this.options.certificates != null) ? "rediss://" : "redis://") + LoopbackPorts.HOST + ":" + this.port;
	}

	/**
	 * The server's process id; another one after {@link #restartEmpty()}.
	 * @return the process id
	 */
	public long pid() {
		return this.process.pid();
	}

	/**
	 * Whether the server's process is there; true also while it is paused.
	 * @return whether it runs
	 */
	public boolean isRunning() {
		return this.process.isAlive();
	}

	/** Ends the server orderly (SIGTERM). */
	public synchronized void stop() {
		this.process.stop();
	}

	/** Ends the server at once (SIGKILL), also if it is paused. */
	public synchronized void kill() {
		this.process.kill();
	}

	/**
	 * Freezes the server (SIGSTOP): connections stay open, the system accepts more, and
	 * nothing is answered until {@link #resume()}.
	 */
	public synchronized void pause() {
		this.process.signal("STOP");
	}

	/** Lets a paused server go on (SIGCONT); it then answers what has come meanwhile. */
	public synchronized void resume() {
		this.process.signal("CONT");
	}

	/**
	 * Starts the server anew on the same port, as a master with no data and a new
	 * {@code run_id}; kills it first if it runs. The node's options apply again.
	 * @throws EmbeddedRedisException if it does not start
	 */
	public synchronized void restartEmpty() {
		this.process.kill();
		this.process = launch(this.port);
	}

	/**
	 * Runs a command on a connection of its own, authenticated with the node's password.
	 * @param command the command and its arguments
	 * @return the reply: a String, a Long, a List of these, or null
	 * @throws EmbeddedRedisException with the server's message if it answers with an
	 * error, or if it does not answer within 5 s
	 */
	public @Nullable Object execute(String... command) {
		try (RespConnection connection = connect()) {
			return connection.execute(command);
		}
	}

	/**
	 * Opens a connection, authenticated with the node's password.
	 * @return the connection
	 * @throws EmbeddedRedisException if the server is not there
	 */
	public RespConnection connect() {
		ThrowawayCertificates certificates = this.options.certificates;
		SocketFactory sockets = (certificates != null) ? certificates.clientContext().getSocketFactory()
				: SocketFactory.getDefault();
		RespConnection connection = new RespConnection(sockets, this.port);
		if (this.options.password != null) {
			connection.execute("AUTH", this.options.password);
		}
		return connection;
	}

	/** Ends the server at once, as {@link #kill()} does, and removes its files. */
	@Override
	public synchronized void close() {
		kill();
		delete(this.directory);
	}

	@Override
	public String toString() {
		return uri();
	}

	private RedisProcess launchOnFreePort() {
		for (int attempt = 0; attempt < LoopbackPorts.ATTEMPTS; attempt++) {
			RedisProcess started = tryLaunch(LoopbackPorts.any());
			if (started != null) {
				return started;
			}
		}
		throw new EmbeddedRedisException("No free port after " + LoopbackPorts.ATTEMPTS + " attempts");
	}

	private RedisProcess launch(int port) {
		RedisProcess started = tryLaunch(port);
		if (started == null) {
			throw new EmbeddedRedisException("Port " + port + " is in use");
		}
		return started;
	}

	/** Null if the port is taken. */
	private @Nullable RedisProcess tryLaunch(int port) {
		this.port = port;
		List<String> arguments = new ArrayList<>(List.of(writeConfiguration().toString()));
		if (this.options.sentinel) {
			arguments.add("--sentinel");
		}
		RedisProcess started = RedisProcess.start(arguments);
		if (started.awaitReady()) {
			return started;
		}
		if (started.portWasTaken()) {
			return null;
		}
		throw new EmbeddedRedisException("The Redis server ended at its start: " + started.log());
	}

	private Path writeConfiguration() {
		try {
			delete(this.directory);
			Files.createDirectory(this.directory);
			return Files.write(this.directory.resolve("redis.conf"), this.options.lines(this.port, this.directory));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static void delete(Path directory) {
		if (Files.notExists(directory)) {
			return;
		}
		try (Stream<Path> files = Files.walk(directory)) {
			for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
				Files.deleteIfExists(file);
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * How a server is to be started. The default is a master on a free port, without
	 * password and TLS, that evicts nothing.
	 */
	public static final class Builder {

		private final List<String> extra = new ArrayList<>();

		private int port;

		private @Nullable String password;

		private @Nullable ThrowawayCertificates certificates;

		private boolean clientCertificateRequired;

		private boolean sentinel;

		private Builder() {
		}

		/**
		 * Uses this port instead of a free one.
		 * @param port the port
		 * @return this
		 */
		public Builder port(int port) {
			this.port = port;
			return this;
		}

		/**
		 * Demands a password of the default user.
		 * @param password the password
		 * @return this
		 */
		public Builder password(String password) {
			this.password = password;
			return config("requirepass " + quote(password)).config("masterauth " + quote(password));
		}

		/**
		 * Adds an ACL user.
		 * @param rules name and rules, as in {@code app on >secret ~lock:* +@all}
		 * @return this
		 */
		public Builder user(String rules) {
			return config("user " + rules);
		}

		/**
		 * Speaks TLS only.
		 * @param certificates the server shows the server certificate of these
		 * @return this
		 */
		public Builder tls(ThrowawayCertificates certificates) {
			this.certificates = certificates;
			return this;
		}

		/**
		 * With TLS: refuses clients that show no certificate of the same authority.
		 * @return this
		 */
		public Builder clientCertificateRequired() {
			this.clientCertificateRequired = true;
			return this;
		}

		/**
		 * Makes the server a replica.
		 * @param master of this node
		 * @return this
		 */
		public Builder replicaOf(EmbeddedRedisNode master) {
			return config("replicaof " + LoopbackPorts.HOST + " " + master.port());
		}

		/**
		 * Makes the server a member of a cluster.
		 * @return this
		 */
		public Builder cluster() {
			return config("cluster-enabled yes");
		}

		/**
		 * Makes the server a sentinel.
		 * @return this
		 */
		public Builder sentinel() {
			this.sentinel = true;
			return this;
		}

		/**
		 * Adds a line to the server's configuration file, after the defaults.
		 * @param line as in {@code redis.conf}
		 * @return this
		 */
		public Builder config(String line) {
			this.extra.add(line);
			return this;
		}

		/**
		 * Starts a server with these options; each call starts another one.
		 * @return the server, ready for connections
		 * @throws EmbeddedRedisException if it does not start
		 */
		public EmbeddedRedisNode start() {
			return new EmbeddedRedisNode(new Builder(this));
		}

		private Builder(Builder other) {
			this.extra.addAll(other.extra);
			this.port = other.port;
			this.password = other.password;
			this.certificates = other.certificates;
			this.clientCertificateRequired = other.clientCertificateRequired;
			this.sentinel = other.sentinel;
		}

		private List<String> lines(int port, Path directory) {
			List<String> lines = new ArrayList<>(
					List.of("bind " + LoopbackPorts.HOST, "dir " + quote(directory), "save \"\"", "appendonly no",
							"shutdown-timeout 0", "repl-diskless-sync-delay 0", "maxmemory-policy noeviction"));
			ThrowawayCertificates tls = this.certificates;
			if (tls != null) {
				lines.addAll(List.of("port 0", "tls-port " + port, "tls-ca-cert-file " + quote(tls.authorityPem()),
						"tls-cert-file " + quote(tls.serverPem()), "tls-key-file " + quote(tls.serverKeyPem()),
						"tls-auth-clients " + (this.clientCertificateRequired ? "yes" : "no")));
			}
			else {
				lines.add("port " + port);
			}
			lines.addAll(this.extra);
			return lines;
		}

		private static String quote(Object value) {
			return "\"" + value.toString().replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
		}

	}

}
