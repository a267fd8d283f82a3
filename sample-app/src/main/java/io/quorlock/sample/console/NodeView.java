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

package io.quorlock.sample.console;

import java.util.Set;

import org.jspecify.annotations.Nullable;

import io.quorlock.sample.nodes.DemoNode;
import io.quorlock.store.NodeState;

/**
 * One node, as the page shows it.
 *
 * @param name host and port
 * @param group the group that it belongs to, {@code null} without groups
 * @param state {@code voting}, {@code slow}, {@code silent}, {@code quarantined},
 * {@code down} or {@code rejected}
 * @param detail why it is not simply voting; what it is if it is
 * @param votesInMillis how long until a quarantined node votes
 * @param latencyMillis median of the latest replies, -1 if there are none
 * @param paused whether its server is frozen
 * @param running whether its server's process is there
 * @param delayMillis what the network adds to a round trip
 */
record NodeView(String name, @Nullable String group, String state, String detail, long votesInMillis,
		double latencyMillis, boolean paused, boolean running, long delayMillis) {

	/** A round trip on loopback takes well below this. */
	private static final double SLOW_MILLIS = 40;

	/** What an ensemble has instead is shown as down. */
	private static final Set<String> NOT_VOTING = Set.of("quarantined", "down", "rejected");

	static NodeView of(@Nullable String group, NodeState node, String note, double latencyMillis,
			@Nullable DemoNode server) {
		boolean paused = server != null && server.isPaused();
		long delay = (server != null) ? server.delay().toMillis() : 0;
		String state = node.voting() ? "voting" : NOT_VOTING.contains(node.state()) ? node.state() : "down";
		boolean replies = !paused && (node.voting() || state.equals("quarantined"));
		String detail = detail(node, note);
		if (paused) {
			state = "silent";
			detail = "paused: its connections are open, but it does not reply";
		}
		else if (node.voting() && latencyMillis > SLOW_MILLIS) {
			state = "slow";
			detail = "replies take %.0f ms".formatted(latencyMillis);
		}
		return new NodeView(node.name(), group, state, detail, node.votesIn().toMillis(), replies ? latencyMillis : -1,
				paused, server == null || server.isRunning(), delay);
	}

	private static String detail(NodeState node, String note) {
		if (!node.reason().isEmpty()) {
			return node.reason();
		}
		return (node.version() != null) ? node.version() : note;
	}

}
