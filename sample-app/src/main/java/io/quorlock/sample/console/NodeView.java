package io.quorlock.sample.console;

import java.util.Locale;

import org.jspecify.annotations.Nullable;

import io.quorlock.quorum.node.LockNode;
import io.quorlock.quorum.node.NodeStatus;
import io.quorlock.quorum.node.NodeStatus.State;
import io.quorlock.sample.nodes.DemoNode;
import io.quorlock.store.NodeState;

/**
 * One node, as the page shows it.
 *
 * @param name host and port
 * @param state {@code voting}, {@code slow}, {@code silent}, {@code quarantined},
 * {@code down} or {@code rejected}
 * @param detail why it is not simply voting; what it is if it is
 * @param votesInMillis how long until a quarantined node votes
 * @param latencyMillis median of the latest answers, -1 if there are none
 * @param paused whether its server is frozen
 * @param running whether its server's process is there
 * @param delayMillis what the network adds to a round trip
 */
record NodeView(String name, String state, String detail, long votesInMillis, double latencyMillis, boolean paused,
		boolean running, long delayMillis) {

	/** A round trip on loopback takes well below this. */
	private static final double SLOW_MILLIS = 40;

	/** What is no node of a quorum: an ensemble, by the session with it. */
	static NodeView of(NodeState node, String note, double latencyMillis) {
		String detail = node.reason().isEmpty() ? note : node.reason();
		return new NodeView(node.name(), node.voting() ? "voting" : "down", detail, 0, latencyMillis, false, true, 0);
	}

	static NodeView of(LockNode node, double latencyMillis, @Nullable DemoNode server) {
		NodeStatus status = node.status();
		boolean paused = server != null && server.isPaused();
		long delay = (server != null) ? server.delay().toMillis() : 0;
		String state = status.state().name().toLowerCase(Locale.ROOT);
		String detail = (status.isVoting() && status.version() != null) ? status.version() : status.reason();
		if (paused) {
			state = "silent";
			detail = "paused: its connections are open, but it does not reply";
		}
		else if (status.state() == State.VOTING && latencyMillis > SLOW_MILLIS) {
			state = "slow";
			detail = "replies take %.0f ms".formatted(latencyMillis);
		}
		boolean answers = !paused && (status.isVoting() || status.state() == State.QUARANTINED);
		return new NodeView(node.name(), state, detail, status.votesIn().toMillis(), answers ? latencyMillis : -1,
				paused, server == null || server.isRunning(), delay);
	}

}
