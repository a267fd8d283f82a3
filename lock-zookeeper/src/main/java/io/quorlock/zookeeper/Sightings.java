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

package io.quorlock.zookeeper;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * Since when this process knows of nodes that end some time after their creation. Their
 * age by the servers' clocks is wrong as soon as one of these is set: a clock that is set
 * back would make what has just ended last for as long as it was set back.
 */
final class Sightings {

	/** From so many on, those are forgotten that have ended. */
	private static final int MANY = 1_000;

	private final Map<String, Sighting> byPath = new ConcurrentHashMap<>();

	private final LongSupplier nanoTime;

	Sightings(LongSupplier nanoTime) {
		this.nanoTime = nanoTime;
	}

	/**
	 * Return for how long at least a node has existed.
	 * @param path the node
	 * @param zxid the transaction that created it
	 * @param lastsMillis how long it matters
	 * @return the time since it was first seen
	 */
	long ageMillis(String path, long zxid, long lastsMillis) {
		long now = this.nanoTime.getAsLong();
		Sighting sighting = this.byPath.compute(path, (key, known) -> (known != null && known.zxid() == zxid) ? known
				: new Sighting(zxid, now, now + lastsMillis * 1_000_000));
		if (this.byPath.size() > MANY) {
			this.byPath.values().removeIf((each) -> now - each.endNanos() > 0);
		}
		return (now - sighting.seenNanos()) / 1_000_000;
	}

	void forget(String path) {
		this.byPath.remove(path);
	}

	private record Sighting(long zxid, long seenNanos, long endNanos) {
	}

}
