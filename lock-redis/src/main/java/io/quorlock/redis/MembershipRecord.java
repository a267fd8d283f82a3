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

package io.quorlock.redis;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;

import io.quorlock.quorum.membership.OtherLists.Use;

/**
 * What a node remembers of the list of nodes that it belongs to, in the key
 * {@link RedisKeys#recordKey()}, as {@link LockScript#RECORD} returns it.
 *
 * @param since from when on the node has belonged to the list, in seconds of its own
 * clock; 0 if since the beginning of the list, {@code null} if it has no record
 * @param now the node's clock, in seconds
 * @param micros the microseconds of that second
 * @param doubtSeconds how long ago an instance noticed that the node may have lost
 * leases; negative if none did
 * @param doubt why: {@link #CLOCK}, {@link #EVICTION} or {@link #REPLICA}
 * @param uses the lists of nodes that others use or used until lately
 * @since 0.1.0
 */
public record MembershipRecord(@Nullable Long since, long now, long micros, long doubtSeconds, String doubt,
		List<Use> uses) {

	/** Its clock was stepped forwards. */
	public static final String CLOCK = "clock";

	/** It evicted keys, or may have. */
	public static final String EVICTION = "eviction";

	/** It was a copy of another server. */
	public static final String REPLICA = "replica";

	private static final int MILLION = 1_000_000;

	private static final int FIXED = 5;

	private static final int PER_LIST = 3;

	/**
	 * Read the reply of the script.
	 * @param raw the reply
	 * @return the record
	 * @throws IllegalArgumentException if it is something else
	 */
	public static MembershipRecord of(@Nullable Object raw) {
		if (raw instanceof List<?> list && list.size() >= FIXED && list.get(1) instanceof Long now
				&& list.get(2) instanceof Long micros && micros >= 0 && micros < MILLION
				&& (list.get(0) == null || list.get(0) instanceof Long) && list.get(3) instanceof Long doubtSeconds) {
			List<Use> uses = new ArrayList<>();
			for (int i = FIXED; i + PER_LIST <= list.size(); i += PER_LIST) {
				uses.add(new Use(text(list.get(i)), number(list.get(i + 1)), text(list.get(i + 2))));
			}
			return new MembershipRecord((list.get(0) instanceof Long since) ? since : null, now, micros, doubtSeconds,
					text(list.get(4)), List.copyOf(uses));
		}
		throw new IllegalArgumentException("Not a record of a list of nodes");
	}

	private static long number(@Nullable Object raw) {
		if (raw instanceof Long number) {
			return number;
		}
		throw new IllegalArgumentException("Not the age of a list of nodes");
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
	 * Return the node's wall clock.
	 * @return microseconds since 1970-01-01T00:00Z
	 */
	public long timeMicros() {
		return this.now * MILLION + this.micros;
	}

	/**
	 * Return from when on the node has belonged to the list.
	 * @return seconds of its own clock, 0 if since the beginning or not at all
	 */
	public long sinceSeconds() {
		return (this.since != null) ? this.since : 0;
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
