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

package io.quorlock.quorum;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Since when each node has owed a reply. A node that hangs is not waited for, and not
 * asked first.
 */
final class PendingReplies {

	/** A node that owes a reply for longer than this hangs. */
	private static final long HANGING_NANOS = 10_000_000;

	/** Per node: since when it has owed a reply, 0 if it owes none. */
	private final AtomicLongArray since;

	PendingReplies(int nodes) {
		this.since = new AtomicLongArray(nodes);
	}

	void sent(int slot, long nowNanos) {
		if (this.since.get(slot) == 0) {
			this.since.set(slot, nowNanos | 1); // never 0
		}
	}

	void replied(int slot) {
		this.since.set(slot, 0);
	}

	/** Return the nodes that hang. */
	long hanging(long nowNanos) {
		long hanging = 0;
		for (int slot = 0; slot < this.since.length(); slot++) {
			long since = this.since.get(slot);
			if (since != 0 && nowNanos - since > HANGING_NANOS) {
				hanging |= Voters.bit(slot);
			}
		}
		return hanging;
	}

}
