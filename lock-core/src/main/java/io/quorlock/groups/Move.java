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

package io.quorlock.groups;

import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongSupplier;

/**
 * Names on their way from the groups of one layout to those of the next. A name whose
 * group changes is taken in both of them. Instances of the last version end that, each
 * for itself, while the seal of the nodes of every old group shows that no instance of
 * the first version can hold a lock any more.
 *
 * @since 0.1.0
 */
public final class Move {

	private final Sharding previous;

	private final boolean ends;

	private final Map<String, LongSupplier> sealWaits;

	private Move(Sharding previous, boolean ends, Map<String, LongSupplier> sealWaits) {
		this.previous = previous;
		this.ends = ends;
		this.sealWaits = new TreeMap<>(sealWaits);
	}

	/**
	 * Create a move that this instance does not end.
	 * @param previous which group a name belonged to
	 * @return the move
	 */
	public static Move begun(Sharding previous) {
		return new Move(previous, false, Map.of());
	}

	/**
	 * Create a move that ends behind the seal.
	 * @param previous which group a name belonged to
	 * @param sealWaits by the id of each old group, the nanoseconds until a majority of
	 * its nodes has refused older versions for longer than any lease; not positive from
	 * then on, {@link Long#MAX_VALUE} while it is not known
	 * @return the move
	 */
	public static Move ending(Sharding previous, Map<String, LongSupplier> sealWaits) {
		return new Move(previous, true, sealWaits);
	}

	Sharding previous() {
		return this.previous;
	}

	/**
	 * Return whether names may be taken in their new groups alone, at this instant.
	 * @return whether the seals of all old groups allow it
	 */
	public boolean isOver() {
		return this.ends && waitNanos() <= 0;
	}

	private long waitNanos() {
		return this.sealWaits.values().stream().mapToLong(LongSupplier::getAsLong).max().orElse(Long.MAX_VALUE);
	}

	/**
	 * Describe the state of the move.
	 * @return a clause
	 */
	public String description() {
		String both = "names that change their group are locked in the old and in the new one";
		if (!this.ends) {
			return both;
		}
		StringBuilder missing = new StringBuilder();
		long longest = 0;
		for (Map.Entry<String, LongSupplier> group : this.sealWaits.entrySet()) {
			long wait = group.getValue().getAsLong();
			longest = Math.max(longest, wait);
			if (wait == Long.MAX_VALUE) {
				missing.append(missing.isEmpty() ? "" : ", ").append(group.getKey());
			}
		}
		if (!missing.isEmpty()) {
			return both + " until a majority of the nodes is sealed in each of the old groups; it is not in " + missing;
		}
		return (longest > 0)
				? "%s for another %d s".formatted(both, Duration.ofNanos(longest).plusMillis(999).toSeconds())
				: "names are locked in their new groups alone";
	}

}
