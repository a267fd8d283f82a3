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

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntPredicate;

import io.quorlock.time.LockTimer;

/**
 * Releases that a node did not confirm. They are sent again when the node is connected
 * again, or after a while (R8), so that no key stays longer than it must.
 */
final class UnconfirmedReleases {

	/** A release that can be sent to one node once more. */
	interface Repeatable {

		void repeat(int slot);

	}

	/** Beyond this the oldest is dropped: its key expires with the lease. */
	private static final int MAX_PER_NODE = 100_000;

	private static final long RETRY_NANOS = 1_000_000_000;

	private final LockTimer timer;

	private final IntPredicate connected;

	private final PerNode[] nodes;

	private final AtomicBoolean scheduled = new AtomicBoolean();

	private volatile boolean stopped;

	UnconfirmedReleases(LockTimer timer, int nodes, IntPredicate connected) {
		this.timer = timer;
		this.connected = connected;
		this.nodes = new PerNode[nodes];
		for (int slot = 0; slot < nodes; slot++) {
			this.nodes[slot] = new PerNode();
		}
	}

	void start() {
		this.stopped = false;
	}

	void stop() {
		this.stopped = true;
	}

	void add(int slot, Repeatable release) {
		PerNode node = this.nodes[slot];
		node.releases.add(release);
		if (node.size.incrementAndGet() > MAX_PER_NODE && node.releases.poll() != null) {
			node.size.decrementAndGet();
		}
		scheduleRetry();
	}

	private void scheduleRetry() {
		if (!this.stopped && this.scheduled.compareAndSet(false, true)) {
			this.timer.schedule(RETRY_NANOS, this::repeatAll);
		}
	}

	private void repeatAll() {
		this.scheduled.set(false);
		boolean left = false;
		for (int slot = 0; slot < this.nodes.length; slot++) {
			if (this.connected.test(slot)) {
				repeat(slot);
			}
			left |= !this.nodes[slot].releases.isEmpty();
		}
		if (left) {
			scheduleRetry();
		}
	}

	/** Send the releases of a node again, since it was connected. */
	void repeat(int slot) {
		PerNode node = this.nodes[slot];
		// Not until the queue is empty: what fails again is added again.
		for (int left = node.size.get(); left > 0; left--) {
			Repeatable release = node.releases.poll();
			if (release == null) {
				return;
			}
			node.size.decrementAndGet();
			release.repeat(slot);
		}
	}

	int size() {
		int size = 0;
		for (PerNode node : this.nodes) {
			size += node.size.get();
		}
		return size;
	}

	private static final class PerNode {

		private final ConcurrentLinkedQueue<Repeatable> releases = new ConcurrentLinkedQueue<>();

		private final AtomicInteger size = new AtomicInteger();

	}

}
