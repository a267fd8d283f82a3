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

package io.quorlock.system;

import java.util.HashMap;
import java.util.Map;

/**
 * What the locks of a chaos run protect. It refuses tokens smaller than the greatest that
 * it has seen, and checks by the holders' clock, which no lock should need, that this
 * refused all that were late.
 */
final class FencedResource {

	private final Map<Integer, Long> greatestToken = new HashMap<>();

	private final Map<Integer, Long> latestGrant = new HashMap<>();

	private long accepted;

	private long refused;

	private long staleAccepted;

	/**
	 * Writes.
	 * @param name which of the resources
	 * @param token the holder's fencing token
	 * @param granted when the holder got the lock; it was sure to hold it then
	 * @return whether it was accepted
	 */
	synchronized boolean write(int name, long token, long granted) {
		if (token < this.greatestToken.getOrDefault(name, 0L)) {
			this.refused++;
			return false;
		}
		this.greatestToken.put(name, token);
		this.accepted++;
		if (granted < this.latestGrant.getOrDefault(name, Long.MIN_VALUE)) {
			this.staleAccepted++;
		}
		this.latestGrant.merge(name, granted, Math::max);
		return true;
	}

	synchronized long accepted() {
		return this.accepted;
	}

	synchronized long refused() {
		return this.refused;
	}

	synchronized long staleAccepted() {
		return this.staleAccepted;
	}

}
