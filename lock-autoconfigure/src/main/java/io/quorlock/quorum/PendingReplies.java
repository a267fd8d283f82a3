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

	boolean hangs(int slot, long nowNanos) {
		long since = this.since.get(slot);
		return since != 0 && nowNanos - since > HANGING_NANOS;
	}

	/** Return the nodes that hang. */
	long hanging(long nowNanos) {
		long hanging = 0;
		for (int slot = 0; slot < this.since.length(); slot++) {
			if (hangs(slot, nowNanos)) {
				hanging |= Voters.bit(slot);
			}
		}
		return hanging;
	}

}
