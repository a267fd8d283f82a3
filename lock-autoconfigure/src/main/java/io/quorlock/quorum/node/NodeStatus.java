package io.quorlock.quorum.node;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * What is known of a node at one moment.
 *
 * @param state the state
 * @param reason why it is not {@link State#COUNTED}, for people; empty if it is
 * @param countsIn how long until a quarantined node counts (R10), otherwise zero
 * @param runId the server's run id, or {@code null} while it is unknown
 * @param version the server's version, or {@code null} while it is unknown
 * @param clockOffsetMicros the node's wall clock less this process's (R9), 0 while it is
 * unknown
 * @since 0.1.0
 */
public record NodeStatus(State state, String reason, Duration countsIn, @Nullable String runId,
		@Nullable String version, long clockOffsetMicros) {

	/**
	 * A status without a server behind it.
	 * @param state the state
	 * @param reason why
	 * @return the status
	 */
	public static NodeStatus of(State state, String reason) {
		return new NodeStatus(state, reason, Duration.ZERO, null, null, 0);
	}

	/**
	 * Whether the node counts towards majorities.
	 * @return whether its votes count
	 */
	public boolean isCounted() {
		return this.state == State.COUNTED;
	}

	/**
	 * States of a node.
	 */
	public enum State {

		/**
		 * Connected; its votes count.
		 */
		COUNTED,

		/**
		 * Connected; it is asked, but its votes do not count yet (R10).
		 */
		QUARANTINED,

		/**
		 * Not connected, being retried.
		 */
		DOWN,

		/**
		 * Reached, but of no use: a replica, a wrong password, the same server as another
		 * node, no Redis at all. Being retried, since somebody may mend it.
		 */
		REJECTED

	}

}
