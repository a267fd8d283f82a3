package io.quorlock.redis;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

/**
 * What a node remembers of its group, in the key {@link RedisKeys#recordKey()} (R10), as
 * {@link LockScript#RECORD} returns it.
 *
 * @param since from when on the node has been of the group, in seconds of its own clock;
 * 0 if since the group's beginning, {@code null} if it has no record
 * @param now the node's clock
 * @param otherLists the lists of nodes that others use or used until lately
 * @since 0.1.0
 */
public record GroupRecord(@Nullable Long since, long now, List<String> otherLists) {

	/**
	 * Reads the answer of the script.
	 * @param raw the answer
	 * @return the record
	 * @throws IllegalArgumentException if it is something else
	 */
	public static GroupRecord of(@Nullable Object raw) {
		if (raw instanceof List<?> list && list.size() >= 2 && list.get(1) instanceof byte[] now) {
			List<String> others = list.stream().skip(2).map(GroupRecord::text).filter(Objects::nonNull).toList();
			String since = text(list.get(0));
			return new GroupRecord((since != null) ? Long.valueOf(since) : null,
					Long.parseLong(new String(now, StandardCharsets.UTF_8)), others);
		}
		throw new IllegalArgumentException("Not a record of a group of nodes");
	}

	private static @Nullable String text(@Nullable Object raw) {
		return (raw instanceof byte[] bytes) ? new String(bytes, StandardCharsets.UTF_8) : null;
	}

	/**
	 * Whether the node has a record.
	 * @return whether it has one
	 */
	public boolean exists() {
		return this.since != null;
	}

	/**
	 * For how long the node has been of the group.
	 * @return seconds; {@link Long#MAX_VALUE} if since its beginning, -1 if not at all
	 */
	public long ageSeconds() {
		Long since = this.since;
		if (since == null) {
			return -1;
		}
		return (since == 0) ? Long.MAX_VALUE : Math.max(0, this.now - since);
	}

}
