package io.quorlock;

import java.time.Duration;
import java.util.List;

/**
 * A lock was lost: its validity ended before its holder released it.
 *
 * @param names the names that were locked together, sorted
 * @param owner the wire token of the lost lock, which starts with the instance id
 * @param heldFor how long it was held before it was lost
 * @param reason why, for people
 * @since 0.1.0
 * @see LockHandle#onLost
 */
public record LockLostEvent(List<String> names, String owner, Duration heldFor, String reason) {

	public LockLostEvent {
		names = List.copyOf(names);
	}

	/**
	 * The lock's name; of several, all of them joined by a comma.
	 * @return the name
	 */
	public String name() {
		return String.join(",", this.names);
	}

}
