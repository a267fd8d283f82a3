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
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;

import org.apache.zookeeper.client.FourLetterWordMain;
import org.apache.zookeeper.common.X509Exception.SSLContextException;
import org.apache.zookeeper.server.ZooKeeperServer;
import org.apache.zookeeper.server.admin.AdminServer.AdminServerException;
import org.apache.zookeeper.server.quorum.LeaderZooKeeperServer;
import org.apache.zookeeper.server.quorum.QuorumPeer;
import org.apache.zookeeper.server.quorum.QuorumPeerConfig;
import org.apache.zookeeper.server.quorum.QuorumPeerConfig.ConfigException;
import org.apache.zookeeper.server.quorum.QuorumPeerMain;
import org.apache.zookeeper.util.ServiceUtils;
import org.jspecify.annotations.Nullable;

/**
 * One real ZooKeeper server in this JVM, on 127.0.0.1. It needs
 * {@code org.apache.zookeeper:zookeeper} on the class path. Its data survive
 * {@link #restart()}, but neither {@link #close()} nor the JVM. Safe for use by several
 * threads.
 * <p>
 * Close it, or stop it: some threads of a running ZooKeeper server are no daemons, so
 * that the JVM does not end when {@code main} does.
 *
 * @since 0.1.0
 * @see EmbeddedZooKeeperEnsemble
 */
public final class EmbeddedZooKeeper implements AutoCloseable {

	private static final int TIMEOUT_MS = 2000;

	static {
		// The server's own way to end is System.exit, which here is the application's.
		ServiceUtils.setSystemExitProcedure(ServiceUtils.LOG_ONLY);
	}

	private final int id;

	private final int port = LoopbackPorts.reserveFree();

	private final int quorumPort = LoopbackPorts.reserveFree();

	private final int electionPort = LoopbackPorts.reserveFree();

	private final Path directory = ServerReaper.get().newDirectory("zookeeper-");

	private final Properties configuration = new Properties();

	private volatile @Nullable Run run;

	private boolean closed;

	EmbeddedZooKeeper(int id, Map<String, String> options) {
		this.id = id;
		this.configuration.putAll(options);
		this.configuration.put("dataDir", this.directory.toString());
		this.configuration.put("clientPortAddress", LoopbackPorts.HOST);
		this.configuration.put("clientPort", Integer.toString(this.port));
		// A single server runs as an ensemble of one, with the same code.
		this.configuration.put("standaloneEnabled", "false");
		try {
			Files.writeString(this.directory.resolve("myid"), Integer.toString(id));
		}
		catch (IOException ex) {
			throw TemporaryFiles.notWritable(ex);
		}
	}

	/**
	 * Start one server with the defaults on a free port.
	 * @return the server, ready for connections
	 * @throws EmbeddedServerException if it does not start
	 */
	public static EmbeddedZooKeeper start() {
		return builder().start();
	}

	/**
	 * Return a new builder for a server or an ensemble.
	 * @return the builder
	 */
	public static EmbeddedZooKeeperBuilder builder() {
		return new EmbeddedZooKeeperBuilder();
	}

	/**
	 * Return the port for clients, which stays the same for the life of the server.
	 * @return the port
	 */
	public int port() {
		return this.port;
	}

	/**
	 * Return the address for clients of this server alone.
	 * @return {@code 127.0.0.1:12345}
	 */
	public String connectString() {
		return LoopbackPorts.HOST + ":" + this.port;
	}

	/**
	 * Return whether the server runs, even if it has no leader.
	 * @return whether it runs
	 */
	public boolean isRunning() {
		Run run = this.run;
		return run != null && run.isAlive();
	}

	/**
	 * Return whether the server leads its ensemble now. A leader that was cut off from
	 * its followers still leads until it notices.
	 * @return whether it leads
	 */
	public boolean isLeader() {
		return activeServer() instanceof LeaderZooKeeperServer;
	}

	/**
	 * Return whether the server accepts requests of clients, for which an ensemble needs
	 * a leader.
	 * @return whether it serves
	 */
	public boolean isServing() {
		try {
			return activeServer() != null
					&& FourLetterWordMain.send4LetterWord(LoopbackPorts.HOST, this.port, "srvr", false, TIMEOUT_MS)
						.contains("Mode:");
		}
		catch (IOException | SSLContextException ex) {
			return false;
		}
	}

	/**
	 * Wait until the server accepts requests of clients.
	 * @throws EmbeddedServerException if it does not within 30 s
	 */
	public void awaitServing() {
		Readiness.await("The ZooKeeper server", this::isServing);
	}

	/**
	 * Stop the server. Its connections are closed; its sessions and its data are kept. A
	 * ZooKeeper server has no other kind of stop: {@code zkServer.sh stop} kills it, too.
	 */
	public synchronized void stop() {
		Run run = this.run;
		if (run != null) {
			this.run = null;
			run.stop();
		}
	}

	/**
	 * Restart the server on the same ports and with its data. It is stopped first if it
	 * runs. The method does not wait until the server has found a leader. Use
	 * {@link #awaitServing()} for that.
	 * @throws EmbeddedServerException if it does not start, or if the server is closed
	 */
	public synchronized void restart() {
		if (this.closed) {
			throw new EmbeddedServerException("The ZooKeeper server is closed");
		}
		stop();
		this.run = Run.start(this.configuration);
	}

	/**
	 * Expire a session, as an administrator would. When this returns, the session and its
	 * ephemeral nodes are gone from this server.
	 * @param sessionId as the client's {@code getSessionId()} has it
	 * @throws EmbeddedServerException if the server has no leader
	 */
	public void expireSession(long sessionId) {
		ZooKeeperServer server = requireServing();
		server.closeSession(sessionId);
		Readiness.await("The end of the session", () -> !server.getZKDatabase().getSessions().contains(sessionId));
	}

	/**
	 * Change the longest session timeout that the server grants, until it is restarted.
	 * Sessions that exist get it when they connect again: during a change of the
	 * configuration, server by server, servers disagree.
	 * @param timeout the timeout
	 * @throws EmbeddedServerException if the server has no leader
	 */
	public void maxSessionTimeout(Duration timeout) {
		requireServing().setMaxSessionTimeout(Math.toIntExact(timeout.toMillis()));
	}

	private @Nullable ZooKeeperServer activeServer() {
		Run run = this.run;
		return (run != null) ? run.activeServer() : null;
	}

	private ZooKeeperServer requireServing() {
		ZooKeeperServer server = activeServer();
		if (server == null) {
			throw new EmbeddedServerException("The ZooKeeper server has no leader");
		}
		return server;
	}

	/** Stop the server and delete its data. */
	@Override
	public synchronized void close() {
		if (!this.closed) {
			this.closed = true;
			stop();
			LoopbackPorts.release(this.port);
			LoopbackPorts.release(this.quorumPort);
			LoopbackPorts.release(this.electionPort);
			TemporaryFiles.delete(this.directory);
		}
	}

	@Override
	public String toString() {
		return "server " + this.id + " at " + connectString();
	}

	void start(Map<String, String> members) {
		this.configuration.putAll(members);
		restart();
	}

	Path directory() {
		return this.directory;
	}

	int id() {
		return this.id;
	}

	int quorumPort() {
		return this.quorumPort;
	}

	/** The address of this server in its own configuration. */
	String ownAddress() {
		return addressThrough(this.quorumPort);
	}

	/** The address in the configuration of a server that connects through a proxy. */
	String addressThrough(int quorumPort) {
		return LoopbackPorts.HOST + ":" + quorumPort + ":" + this.electionPort;
	}

	/**
	 * One run of a ZooKeeper server, from its start to its end. A run that has ended is
	 * never revived.
	 */
	private static final class Run extends QuorumPeerMain {

		/** With what went wrong, if anything. */
		private final CompletableFuture<@Nullable Throwable> end;

		private Run(Properties configuration) {
			// The server's threads are daemons because the one that starts them is,
			// except those of its two pools.
			this.end = CompletableFuture.supplyAsync(() -> run(configuration),
					(task) -> new DaemonThread("embedded-zookeeper", task).start());
		}

		/**
		 * Returns as soon as the server runs, which is before it has found the others.
		 */
		static Run start(Properties configuration) {
			Run run = new Run(configuration);
			Readiness.await("The ZooKeeper server", () -> run.isAlive() || run.end.isDone());
			if (!run.isAlive()) {
				Throwable failure = run.end.join();
				throw new EmbeddedServerException("The ZooKeeper server on port "
						+ configuration.getProperty("clientPort") + " did not start: " + failure, failure);
			}
			return run;
		}

		boolean isAlive() {
			QuorumPeer peer = this.quorumPeer;
			return peer != null && peer.isAlive();
		}

		/** The part that serves clients; null while this server has no leader. */
		@Nullable ZooKeeperServer activeServer() {
			QuorumPeer peer = this.quorumPeer;
			ZooKeeperServer server = (peer != null) ? peer.getActiveServer() : null;
			return (server != null && server.isRunning()) ? server : null;
		}

		void stop() {
			// The server clears the interrupt, and waits for none of its threads then.
			boolean interrupted = Thread.interrupted();
			this.quorumPeer.shutdown();
			this.end.join();
			if (interrupted) {
				Thread.currentThread().interrupt();
			}
		}

		private @Nullable Throwable run(Properties configuration) {
			try {
				QuorumPeerConfig parsed = new QuorumPeerConfig();
				parsed.parseProperties(configuration);
				runFromConfig(parsed);
				return null;
			}
			catch (IOException | ConfigException | AdminServerException | RuntimeException | LinkageError ex) {
				return ex;
			}
		}

	}

}
