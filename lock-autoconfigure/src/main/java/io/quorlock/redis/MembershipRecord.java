package io.quorlock.redis;

import java.nio.charset.StandardCharsets;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * What a node remembers of the list of nodes that it belongs to, in the key
 * {@link RedisKeys#recordKey()} (R10), as {@link LockScript#RECORD} returns it.
 *
 * @param since from when on the node has belonged to the list, in seconds of its own
 * clock; 0 if since the beginning of the list, {@code null} if it has no record
 * @param now the node's clock, in seconds
 * @param micros the microseconds of that second
 * @param seal the least version of a layout that the node serves (R23); -1 if it has no
 * seal, -2 if it is marked to get its first one
 * @param sealed when the seal was written, in seconds of the node's clock
 * @param otherLists the lists of nodes that others use or used until lately
 * @since 0.1.0
 */
public record MembershipRecord(@Nullable Long since, long now, long micros, int seal, long sealed,
		List<String> otherLists) {

	private static final int MILLION = 1_000_000;

	/**
	 * Read the reply of the script.
	 * @param raw the reply
	 * @return the record
	 * @throws IllegalArgumentException if it is something else
	 */
	public static MembershipRecord of(@Nullable Object raw) {
		if (raw instanceof List<?> list && list.size() >= 5 && list.get(1) instanceof Long now
				&& list.get(2) instanceof Long micros && micros >= 0 && micros < MILLION
				&& (list.get(0) == null || list.get(0) instanceof Long) && list.get(3) instanceof Long seal
				&& list.get(4) instanceof Long sealed) {
			List<String> others = list.stream().skip(5).map(MembershipRecord::text).toList();
			return new MembershipRecord((list.get(0) instanceof Long since) ? since : null, now, micros,
					seal.intValue(), sealed, others);
		}
		throw new IllegalArgumentException("Not a record of a list of nodes");
	}

	private static String text(@Nullable Object raw) {
		if (raw instanceof byte[] bytes) {
			return new String(bytes, StandardCharsets.UTF_8);
		}
		throw new IllegalArgumentException("Not a list of nodes");
	}

	/**
	 * Return whether the node has a record.
	 * @return whether it has one
	 */
	public boolean exists() {
		return this.since != null;
	}

	/**
	 * Return whether the record is all that a layout asks for (R23).
	 * @param versioned whether the layout has a version
	 * @return whether there is a record, with a seal if it has
	 */
	public boolean suffices(boolean versioned) {
		return exists() && (!versioned || this.seal >= 0);
	}

	/**
	 * Return for how long the node has had its seal.
	 * @return seconds
	 */
	public long sealAgeSeconds() {
		return Math.max(0, this.now - this.sealed);
	}

	/**
	 * Return the node's wall clock.
	 * @return microseconds since 1970-01-01T00:00Z
	 */
	public long timeMicros() {
		return this.now * MILLION + this.micros;
	}

	/**
	 * Return for how long the node has belonged to the list.
	 * @return seconds; {@link Long#MAX_VALUE} if since the beginning of the list, -1 if
	 * not at all
	 */
	public long ageSeconds() {
		Long since = this.since;
		if (since == null) {
			return -1;
		}
		return (since == 0) ? Long.MAX_VALUE : Math.max(0, this.now - since);
	}

}
