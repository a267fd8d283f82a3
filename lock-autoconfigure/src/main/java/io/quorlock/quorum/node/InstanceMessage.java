package io.quorlock.quorum.node;

import java.time.Duration;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * A message to an instance: others want leases that it holds (R24).
 *
 * @since 0.1.0
 */
public sealed interface InstanceMessage {

	/**
	 * Return the tokens of the leases.
	 * @return the tokens, at least one
	 */
	List<String> owners();

	/**
	 * Return the message as nodes pass it on: lines, of which the last are the owners.
	 * @return the text
	 */
	String text();

	/**
	 * Return the message of a text.
	 * @param text what a node passed on
	 * @return the message, or {@code null} if it is none
	 */
	static @Nullable InstanceMessage parse(String text) {
		List<String> lines = text.lines().toList();
		if (lines.size() > 1 && lines.get(0).equals(LeaseWanted.FIRST_LINE)) {
			return new LeaseWanted(lines.subList(1, lines.size()));
		}
		if (lines.size() > 2 && lines.get(0).matches("\\d{1,15}")) {
			return new ReleaseRequested(lines.get(1), Duration.ofMillis(Long.parseLong(lines.get(0))),
					lines.subList(2, lines.size()));
		}
		return null;
	}

	/**
	 * The holders of leases are asked to release them. Every node passes the request on.
	 *
	 * @param id identifies the request
	 * @param deadline within which time the locks are wanted, in milliseconds on the wire
	 * @param owners the tokens of the leases
	 */
	record ReleaseRequested(String id, Duration deadline, List<String> owners) implements InstanceMessage {

		@Override
		public String text() {
			return this.deadline.toMillis() + "\n" + this.id + "\n" + String.join("\n", this.owners);
		}

	}

	/**
	 * Others were refused because of leases that this instance may merely retain.
	 *
	 * @param owners the tokens of the leases
	 */
	record LeaseWanted(List<String> owners) implements InstanceMessage {

		private static final String FIRST_LINE = "wanted";

		@Override
		public String text() {
			return FIRST_LINE + "\n" + String.join("\n", this.owners);
		}

	}

}
