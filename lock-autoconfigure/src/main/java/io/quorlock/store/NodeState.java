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
 * @since 0.1.0
 */
public record NodeState(String name, boolean voting, String state, String reason, Duration votesIn,
		@Nullable String version, @Nullable String runId, @Nullable Long clockOffsetMicros) {

	/**
	 * From this offset of two clocks on, in microseconds, something is wrong with one.
	 */
	public static final long LARGE_CLOCK_OFFSET = 5_000_000;

}
