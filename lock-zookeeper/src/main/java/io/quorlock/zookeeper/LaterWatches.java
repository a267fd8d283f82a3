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

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;

import io.quorlock.time.LockTimer;

/**
 * Watches the nodes of leases as soon as they have been held for a moment. A watch costs
 * a request and, with the release, a notification: for a lease that is released at once,
 * as many packets as the lock itself. What is deleted from outside meanwhile is found
 * when the watch is set.
 */
final class LaterWatches {

	/** A lease is watched when it is at least this old, and less than twice as old. */
	static final long DELAY_NANOS = 10_000_000;

	private final LockTimer timer;

	private final Queue<Runnable> added = new ConcurrentLinkedQueue<>();

	private final AtomicBoolean scheduled = new AtomicBoolean();

	/** Only the timer uses them. */
	private List<Runnable> due = new ArrayList<>();

	LaterWatches(LockTimer timer) {
		this.timer = timer;
	}

	/**
	 * Set a watch after the delay.
	 * @param watch sets it, unless it is not wanted any more
	 */
	void add(Runnable watch) {
		this.added.add(watch);
		schedule();
	}

	private void run() {
		List<Runnable> now = this.due;
		this.due = new ArrayList<>();
		for (Runnable watch = this.added.poll(); watch != null; watch = this.added.poll()) {
			this.due.add(watch);
		}
		this.scheduled.set(false);
		if (!this.due.isEmpty() || !this.added.isEmpty()) {
			schedule();
		}
		now.forEach(Runnable::run);
	}

	private void schedule() {
		if (this.scheduled.compareAndSet(false, true)) {
			this.timer.schedule(DELAY_NANOS, this::run);
		}
	}

}
