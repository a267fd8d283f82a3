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

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import io.quorlock.redis.ServerInfo;

/**
 * Notes that a node has replicas, and warns of it once: one that is promoted has the
 * record of the group, and may have been up for long (R10).
 */
final class ReplicaNote {

	private static final Log logger = LogFactory.getLog(ReplicaNote.class);

	private final String node;

	private final boolean allowed;

	private boolean warned;

	private volatile String note = "";

	ReplicaNote(String node, boolean allowed) {
		this.node = node;
		this.allowed = allowed;
	}

	/**
	 * Return the note.
	 * @return a text for people; empty if there is nothing to say
	 */
	String note() {
		return this.note;
	}

	/**
	 * A connection was made.
	 */
	synchronized void connected(ServerInfo info) {
		long replicas = this.allowed ? 0 : info.connectedReplicas();
		if (replicas == 0) {
			this.note = "";
			return;
		}
		this.note = "has " + replicas + ((replicas == 1) ? " replica" : " replicas")
				+ ", which lack the last locks if they are promoted";
		if (!this.warned) {
			this.warned = true;
			logger.warn(
					("Lock node %s is copied by other servers: it %s. If Sentinel or a cloud service promotes one behind"
							+ " this address, it votes all the same. Let each node stand alone, or set"
							+ " distributed-lock.allow-replicas=true if no replica is ever promoted")
						.formatted(this.node, this.note));
		}
	}

}
