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

package io.quorlock.store;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * The state of one node of a store at one moment.
 *
 * @param name the name of the node, without secrets
 * @param voting whether the node votes
 * @param state the state in lower case, as health and endpoint show it
 * @param reason why the node does not vote, as a text; empty if it votes
 * @param votesIn how long until the node votes, as far as it is known; otherwise zero
 * @param version the version of the server, or {@code null} while it is unknown
 * @param runId identifies the server process, or {@code null} while it is unknown
 * @param clockOffsetMicros the clock of the node minus the clock of this machine, or
 * {@code null} while it is unknown
 * @param mismatch whether another instance uses the node with a list of nodes that
 * contradicts ours
 * @since 0.1.0
 */
public record NodeState(String name, boolean voting, String state, String reason, Duration votesIn,
		@Nullable String version, @Nullable String runId, @Nullable Long clockOffsetMicros, boolean mismatch) {

	/**
	 * If the offset of two clocks is larger, in microseconds, something is wrong with
	 * one.
	 */
	public static final long LARGE_CLOCK_OFFSET = 5_000_000;

	/**
	 * Create the state of a node on whose list all instances agree.
	 * @param name the name of the node
	 * @param voting whether the node votes
	 * @param state the state in lower case
	 * @param reason why the node does not vote; empty if it votes
	 * @param votesIn how long until the node votes
	 * @param version the version of the server, or {@code null} while it is unknown
	 * @param runId identifies the server process, or {@code null} while it is unknown
	 * @param clockOffsetMicros the clock of the node minus the clock of this machine, or
	 * {@code null} while it is unknown
	 */
	public NodeState(String name, boolean voting, String state, String reason, Duration votesIn,
			@Nullable String version, @Nullable String runId, @Nullable Long clockOffsetMicros) {
		this(name, voting, state, reason, votesIn, version, runId, clockOffsetMicros, false);
	}

}
