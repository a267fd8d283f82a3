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
import java.util.Objects;
import java.util.Properties;

import org.apache.zookeeper.server.ZooKeeperServer;
import org.apache.zookeeper.server.admin.AdminServer.AdminServerException;
import org.apache.zookeeper.server.quorum.QuorumPeer;
import org.apache.zookeeper.server.quorum.QuorumPeerConfig;
import org.apache.zookeeper.server.quorum.QuorumPeerConfig.ConfigException;
import org.apache.zookeeper.server.quorum.QuorumPeerMain;
import org.apache.zookeeper.util.ServiceUtils;
import org.jspecify.annotations.Nullable;

/**
 * One run of a ZooKeeper server, from its start to its end. A run that has ended is never
 * revived.
 */
final class ZooKeeperRun {

	static {
		// The server's own way to end is System.exit, which here is the application's.
		ServiceUtils.setSystemExitProcedure(ServiceUtils.LOG_ONLY);
	}

	private final Peer main = new Peer();

	private final Thread thread;

	private volatile @Nullable Throwable failure;

	private ZooKeeperRun(Properties configuration) {
		// The server's threads are daemons because the one that starts them is, but for
		// those of its two pools.
		this.thread = new Thread(() -> run(configuration), "embedded-zookeeper");
		this.thread.setDaemon(true);
	}

	/** Returns as soon as the server runs, which is before it has found the others. */
	static ZooKeeperRun start(Properties configuration) {
		ZooKeeperRun run = new ZooKeeperRun(configuration);
		run.thread.start();
		Readiness.await("The ZooKeeper server", () -> run.isAlive() || !run.thread.isAlive());
		if (!run.isAlive()) {
			Throwable failure = run.failure;
			throw new EmbeddedServerException("The ZooKeeper server on port " + configuration.getProperty("clientPort")
					+ " did not start: " + failure, failure);
		}
		return run;
	}

	boolean isAlive() {
		QuorumPeer peer = this.main.peer();
		return peer != null && peer.isAlive();
	}

	/** Whether it was elected and a majority follows it. */
	boolean isLeading() {
		QuorumPeer peer = this.main.peer();
		return peer != null && peer.getPeerState() == QuorumPeer.ServerState.LEADING && activeServer() != null;
	}

	/** The part that serves clients; null while this server has no leader. */
	@Nullable ZooKeeperServer activeServer() {
		QuorumPeer peer = this.main.peer();
		ZooKeeperServer server = (peer != null) ? peer.getActiveServer() : null;
		return (server != null && server.isRunning()) ? server : null;
	}

	void stop() {
		// The server clears the interrupt, and waits for none of its threads then.
		boolean interrupted = Thread.interrupted();
		Objects.requireNonNull(this.main.peer()).shutdown();
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

	private void run(Properties configuration) {
		try {
			QuorumPeerConfig parsed = new QuorumPeerConfig();
			parsed.parseProperties(configuration);
			this.main.runFromConfig(parsed);
		}
		catch (IOException | ConfigException | AdminServerException | RuntimeException | LinkageError ex) {
			this.failure = ex;
		}
	}

	private static final class Peer extends QuorumPeerMain {

		@Nullable QuorumPeer peer() {
			return this.quorumPeer;
		}

	}

}
