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

import org.jspecify.annotations.Nullable;

import io.quorlock.time.LockClock;
import io.quorlock.time.LockTimer;

/**
 * For how long other instances may be kept out by hand-overs and by readers that join
 * (R17, R19): {@code distributed-lock.local-handover.max-duration}.
 */
final class HandOverTime {

	private final LockClock clock;

	private final LockTimer timer;

	private final long maxNanos;

	private volatile long sinceNanos;

	private volatile LockTimer.@Nullable Timeout timeout;

	HandOverTime(LockClock clock, LockTimer timer, EngineSettings settings, long sinceNanos) {
		this.clock = clock;
		this.timer = timer;
		this.maxNanos = settings.handoverMaxDuration().toNanos();
		this.sinceNanos = sinceNanos;
	}

	void begin() {
		this.sinceNanos = this.clock.nanoTime();
	}

	boolean isLeft() {
		return leftNanos() > 0;
	}

	private long leftNanos() {
		return this.maxNanos - (this.clock.nanoTime() - this.sinceNanos);
	}

	/**
	 * Run a task when the time is over. Called by the current holder; later calls have no
	 * effect.
	 */
	void whenOver(Runnable task) {
		if (this.timeout == null) {
			this.timeout = this.timer.schedule(Math.max(0, leftNanos()), task);
		}
	}

	void cancel() {
		LockTimer.Timeout timeout = this.timeout;
		if (timeout != null) {
			timeout.cancel();
		}
	}

}
