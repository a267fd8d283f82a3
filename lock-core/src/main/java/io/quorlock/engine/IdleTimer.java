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

package io.quorlock.engine;

import java.util.concurrent.atomic.AtomicInteger;

import org.jspecify.annotations.Nullable;

import io.quorlock.time.LockClock;
import io.quorlock.time.LockTimer;

/**
 * Runs a task at the end of the latest of many times. One timeout serves those that begin
 * while it runs, since a lease may become idle very often.
 */
final class IdleTimer {

	private final LockClock clock;

	private final LockTimer timer;

	private volatile long untilNanos;

	private volatile LockTimer.@Nullable Timeout timeout;

	private volatile long timeoutNanos;

	/**
	 * The number of the latest timeout. Two threads may each schedule one; if the earlier
	 * did not end there, both would be followed by others.
	 */
	private final AtomicInteger latest = new AtomicInteger();

	IdleTimer(LockClock clock, LockTimer timer) {
		this.clock = clock;
		this.timer = timer;
	}

	/** Return whether the task ran, or is about to run. */
	boolean isOver(long nowNanos) {
		return this.untilNanos - nowNanos <= 0;
	}

	/** Begin another time. The task may run although the time before has ended. */
	void start(long nowNanos, long untilNanos, Runnable task) {
		this.untilNanos = untilNanos;
		if (this.timeout == null || this.timeoutNanos - untilNanos > 0) {
			schedule(nowNanos, task);
		}
	}

	private void schedule(long nowNanos, Runnable task) {
		int number = this.latest.incrementAndGet();
		this.timeoutNanos = this.untilNanos;
		this.timeout = this.timer.schedule(Math.max(0, this.untilNanos - nowNanos), () -> look(number, task));
	}

	private void look(int number, Runnable task) {
		if (number != this.latest.get()) {
			return;
		}
		this.timeout = null; // before the end is read, which may change at any time
		long now = this.clock.nanoTime();
		if (isOver(now)) {
			task.run();
		}
		else {
			schedule(now, task);
		}
	}

	void cancel() {
		LockTimer.Timeout timeout = this.timeout;
		if (timeout != null) {
			timeout.cancel();
		}
	}

}
