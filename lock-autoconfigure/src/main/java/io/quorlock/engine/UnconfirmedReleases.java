package io.quorlock.engine;

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import io.quorlock.quorum.node.NodeStatus;

/**
 * Releases that a node did not answer. They are sent again when the node is connected
 * again, or after a while (R8), so that no key stays longer than it must.
 */
final class UnconfirmedReleases {

	/** Beyond this the oldest is given up: its key goes when its lease ends. */
	private static final int MAX_PER_NODE = 100_000;

	private static final long RETRY_NANOS = 1_000_000_000L;

	private final LockEngine engine;

	private final Pending[] pending;

	private final AtomicBoolean scheduled = new AtomicBoolean();

	UnconfirmedReleases(LockEngine engine, int nodes) {
		this.engine = engine;
		this.pending = new Pending[nodes];
		for (int slot = 0; slot < nodes; slot++) {
			this.pending[slot] = new Pending();
		}
	}

	void add(int slot, Release release) {
		Pending pending = this.pending[slot];
		pending.releases.add(release);
		if (pending.size.incrementAndGet() > MAX_PER_NODE && pending.releases.poll() != null) {
			pending.size.decrementAndGet();
		}
		if (this.scheduled.compareAndSet(false, true)) {
			this.engine.timer().schedule(RETRY_NANOS, this::resendAll);
		}
	}

	private void resendAll() {
		this.scheduled.set(false);
		boolean left = false;
		for (int slot = 0; slot < this.pending.length; slot++) {
			if (isConnected(slot)) {
				resend(slot);
			}
			else {
				left |= !this.pending[slot].releases.isEmpty();
			}
		}
		if (left && this.engine.isRunning() && this.scheduled.compareAndSet(false, true)) {
			this.engine.timer().schedule(RETRY_NANOS, this::resendAll);
		}
	}

	private boolean isConnected(int slot) {
		NodeStatus.State state = this.engine.quorum().node(slot).status().state();
		return state == NodeStatus.State.VOTING || state == NodeStatus.State.QUARANTINED;
	}

	/** Called when the node was connected. */
	void resend(int slot) {
		Pending pending = this.pending[slot];
		// Not until empty: what fails again is added again.
		for (int left = pending.size.get(); left > 0; left--) {
			Release release = pending.releases.poll();
			if (release == null) {
				return;
			}
			pending.size.decrementAndGet();
			release.resend(slot);
		}
	}

	int size() {
		int size = 0;
		for (Pending pending : this.pending) {
			size += pending.size.get();
		}
		return size;
	}

	private static final class Pending {

		private final ConcurrentLinkedQueue<Release> releases = new ConcurrentLinkedQueue<>();

		private final AtomicInteger size = new AtomicInteger();

	}

}
