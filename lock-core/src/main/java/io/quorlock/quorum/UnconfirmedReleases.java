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

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
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

	/** By slot, the oldest first. */
	private final List<BlockingQueue<Repeatable>> releases = new ArrayList<>();

	private final AtomicBoolean scheduled = new AtomicBoolean();

	private volatile boolean stopped;

	UnconfirmedReleases(LockTimer timer, int nodes, IntPredicate connected) {
		this.timer = timer;
		this.connected = connected;
		for (int slot = 0; slot < nodes; slot++) {
			this.releases.add(new LinkedBlockingQueue<>(MAX_PER_NODE));
		}
	}

	void start() {
		this.stopped = false;
	}

	void stop() {
		this.stopped = true;
	}

	void add(int slot, Repeatable release) {
		BlockingQueue<Repeatable> ofNode = this.releases.get(slot);
		while (!ofNode.offer(release)) {
			ofNode.poll();
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
		for (int slot = 0; slot < this.releases.size(); slot++) {
			if (this.connected.test(slot)) {
				repeat(slot);
			}
			left |= !this.releases.get(slot).isEmpty();
		}
		if (left) {
			scheduleRetry();
		}
	}

	/** Send the releases of a node again, since it was connected. */
	void repeat(int slot) {
		BlockingQueue<Repeatable> ofNode = this.releases.get(slot);
		// Not until the queue is empty: what fails again is added again.
		for (int left = ofNode.size(); left > 0; left--) {
			Repeatable release = ofNode.poll();
			if (release != null) {
				release.repeat(slot);
			}
		}
	}

}
