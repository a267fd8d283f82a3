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

package io.quorlock.quorum.node;

import java.time.Duration;
import java.util.OptionalLong;

import org.jspecify.annotations.Nullable;

/**
 * What is known of a node at one moment.
 *
 * @param state the state
 * @param reason why it is not {@link State#VOTING}, for people; empty if it is
 * @param votesIn how long until a quarantined node votes, otherwise zero
 * @param runId the server's run id, or {@code null} while it is unknown
 * @param version the server's version, or {@code null} while it is unknown
 * @param clockOffsetMicros the node's wall clock less the monotonic clock of this
 * process, which no step of this machine's wall clock moves; empty while it is unknown
 * @param mismatch whether another instance uses the node with a list of nodes that
 * contradicts ours
 * @since 0.1.0
 */
public record NodeStatus(State state, String reason, Duration votesIn, @Nullable String runId, @Nullable String version,
		OptionalLong clockOffsetMicros, boolean mismatch) {

	/**
	 * Create a status of a node on whose list all instances agree.
	 * @param state the state
	 * @param reason why it is not {@link State#VOTING}, for people; empty if it is
	 * @param votesIn how long until a quarantined node votes
	 * @param runId the server's run id, or {@code null} while it is unknown
	 * @param version the server's version, or {@code null} while it is unknown
	 * @param clockOffsetMicros the node's wall clock less the monotonic clock of this
	 * process
	 */
	public NodeStatus(State state, String reason, Duration votesIn, @Nullable String runId, @Nullable String version,
			OptionalLong clockOffsetMicros) {
		this(state, reason, votesIn, runId, version, clockOffsetMicros, false);
	}

	/**
	 * Return a status without a server behind it.
	 * @param state the state
	 * @param reason why
	 * @return the status
	 */
	public static NodeStatus of(State state, String reason) {
		return new NodeStatus(state, reason, Duration.ZERO, null, null, OptionalLong.empty());
	}

	/**
	 * Return this status with another {@link #mismatch()}.
	 * @param mismatch whether another instance uses a list that contradicts ours
	 * @return the status
	 */
	public NodeStatus mismatched(boolean mismatch) {
		return (mismatch == this.mismatch) ? this : new NodeStatus(this.state, this.reason, this.votesIn, this.runId,
				this.version, this.clockOffsetMicros, mismatch);
	}

	/**
	 * Return whether the node's votes count towards majorities.
	 * @return whether it votes
	 */
	public boolean isVoting() {
		return this.state == State.VOTING;
	}

	/**
	 * Return whether commands reach the node.
	 * @return whether it is connected
	 */
	public boolean isConnected() {
		return this.state != State.DOWN && this.state != State.REJECTED;
	}

	/**
	 * States of a node.
	 */
	public enum State {

		/**
		 * Connected; its votes count.
		 */
		VOTING,

		/**
		 * Connected; commands are sent to it, but its votes do not count yet.
		 */
		QUARANTINED,

		/**
		 * Connected, but it does not carry out new commands, or not in time: its memory
		 * is full, a permission is missing, it is too slow. Commands are sent to it all
		 * the same, since locks that are held may still be renewed and released.
		 */
		FAILING,

		/**
		 * Not connected; the driver reconnects.
		 */
		DOWN,

		/**
		 * Reached, but not usable: a replica, a wrong password, the same server as
		 * another node, no Redis at all. The driver reconnects, since it may be
		 * corrected.
		 */
		REJECTED

	}

}
