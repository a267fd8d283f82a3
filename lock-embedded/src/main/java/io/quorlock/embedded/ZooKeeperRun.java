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
import java.util.concurrent.CompletableFuture;

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

	/** With what went wrong, if anything. */
	private final CompletableFuture<@Nullable Throwable> end;

	private ZooKeeperRun(Properties configuration) {
		// The server's threads are daemons because the one that starts them is, but for
		// those of its two pools.
		this.end = CompletableFuture.supplyAsync(() -> run(configuration),
				(task) -> new DaemonThread("embedded-zookeeper", task).start());
	}

	/** Returns as soon as the server runs, which is before it has found the others. */
	static ZooKeeperRun start(Properties configuration) {
		ZooKeeperRun run = new ZooKeeperRun(configuration);
		Readiness.await("The ZooKeeper server", () -> run.isAlive() || run.end.isDone());
		if (!run.isAlive()) {
			Throwable failure = run.end.join();
			throw new EmbeddedServerException("The ZooKeeper server on port " + configuration.getProperty("clientPort")
					+ " did not start: " + failure, failure);
		}
		return run;
	}

	boolean isAlive() {
		QuorumPeer peer = this.main.peer();
		return peer != null && peer.isAlive();
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
		this.end.join();
		if (interrupted) {
			Thread.currentThread().interrupt();
		}
	}

	private @Nullable Throwable run(Properties configuration) {
		try {
			QuorumPeerConfig parsed = new QuorumPeerConfig();
			parsed.parseProperties(configuration);
			this.main.runFromConfig(parsed);
			return null;
		}
		catch (IOException | ConfigException | AdminServerException | RuntimeException | LinkageError ex) {
			return ex;
		}
	}

	private static final class Peer extends QuorumPeerMain {

		@Nullable QuorumPeer peer() {
			return this.quorumPeer;
		}

	}

}
