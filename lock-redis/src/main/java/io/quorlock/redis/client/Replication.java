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

import java.time.Duration;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import io.quorlock.quorum.membership.NodeAdmission;
import io.quorlock.redis.ServerInfo;

/**
 * Who copies one node, and whether it was itself a copy of another server, if only for a
 * moment: then its keys are those of that server. Run id and uptime do not tell. A server
 * that becomes a master again keeps the id of what it copied as {@code master_replid2}; a
 * new {@code master_replid} alone means that it got its first replica, or has had none
 * for an hour.
 */
final class Replication {

	private static final Log logger = LogFactory.getLog(RedisLockNode.class);

	static final String DOUBT = "it was a replica, whose keys are those of another server, until";

	private static final long PERIOD_NANOS = Duration.ofSeconds(1).toNanos();

	private final String node;

	private final RedisNodeOptions options;

	private final NodeAdmission admission;

	private final Runnable onCopy;

	private String runId = "";

	private String copied = "";

	private volatile String identity = "";

	private volatile long startedSeconds;

	private volatile long readNanos;

	private boolean warned;

	private volatile String note = "";

	/**
	 * Create the replication of a node.
	 * @param onCopy is called when the node was found to be a copy
	 */
	Replication(String node, RedisNodeOptions options, NodeAdmission admission, Runnable onCopy) {
		this.node = node;
		this.options = options;
		this.admission = admission;
		this.onCopy = onCopy;
	}

	/**
	 * Return that the node has replicas.
	 * @return a text for people; empty if there is nothing to say
	 */
	String note() {
		return this.note;
	}

	/**
	 * Return the server and what it was a copy of last.
	 * @return a text without spaces
	 */
	String identity() {
		return this.identity;
	}

	/**
	 * Return since when the server is up, by its clock.
	 * @return seconds since 1970-01-01T00:00Z
	 */
	long startedSeconds() {
		return this.startedSeconds;
	}

	/**
	 * A handshake asked a master.
	 */
	synchronized void onServer(ServerInfo info) {
		boolean same = info.runId().equals(this.runId);
		this.runId = info.runId();
		this.startedSeconds = info.serverTimeMicros() / 1_000_000 - info.uptimeSeconds();
		if (!same) {
			this.copied = info.copiedId();
		}
		onInfo(info);
	}

	/**
	 * A handshake found a replica.
	 */
	void onReplica(ServerInfo info) {
		this.admission.onConnected(info.runId(), info.uptimeSeconds(), this.options.clock().minNanoTime());
		doubt();
	}

	private synchronized void onInfo(ServerInfo info) {
		this.readNanos = this.options.clock().nanoTime();
		if (!info.copiedId().equals(this.copied)) {
			this.copied = info.copiedId();
			if (info.wasReplica()) {
				doubt();
			}
		}
		this.identity = this.runId + ":" + this.copied;
		noteReplicas(this.options.replicasAllowed() ? 0 : info.connectedReplicas());
	}

	/** It is, or was lately, a replica. */
	private void doubt() {
		this.admission.onDoubt(DOUBT, 0, this.options.clock().minNanoTime());
		this.onCopy.run();
	}

	private void noteReplicas(long replicas) {
		this.note = (replicas == 0) ? "" : "has " + replicas + ((replicas == 1) ? " replica" : " replicas")
				+ ", which lack the last locks if they are promoted";
		if (replicas > 0 && !this.warned) {
			this.warned = true;
			logger.warn(("Lock node %s is copied by other servers: it %s. Let each node stand alone, or set"
					+ " distributed-lock.allow-replicas=true if no replica is ever promoted")
				.formatted(this.node, this.note));
		}
	}

	/**
	 * Ask if that is due.
	 */
	void update(Pipeline pipeline, long nowNanos) {
		if (nowNanos - this.readNanos >= PERIOD_NANOS) {
			this.readNanos = nowNanos;
			pipeline.submit(PendingCommand.of(RespEncoder.command("INFO", "replication"), (reply, queuedNanos) -> {
				ServerInfo info = ServerInfo.of(reply);
				if (info != null && info.isReplica()) {
					doubt();
					pipeline.close(Handshake.REPLICA);
				}
				else if (info != null && !info.copiedId().isEmpty()) {
					onInfo(info);
				}
			}));
		}
	}

}
