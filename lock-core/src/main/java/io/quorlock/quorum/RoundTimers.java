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

import java.util.Objects;
import java.util.function.BooleanSupplier;

import org.jspecify.annotations.Nullable;

import io.quorlock.time.LockTimer;

/**
 * When a round looks at its votes without a reply: at the end of its time, and in a
 * settlement now and then before.
 */
final class RoundTimers {

	private final LockTimer timer;

	private final long timeoutNanos;

	private final @Nullable Settlement settlement;

	private volatile LockTimer.@Nullable Timeout end;

	/** When the nodes were asked last. */
	private volatile long askedNanos;

	/** How long replies count from then on. */
	private volatile long limitNanos;

	private volatile LockTimer.@Nullable Timeout pause;

	RoundTimers(LockTimer timer, long timeoutNanos, @Nullable Settlement settlement) {
		this.timer = timer;
		this.timeoutNanos = timeoutNanos;
		this.settlement = settlement;
	}

	/** Return whether a reply comes too late to count. */
	boolean isLate(long now) {
		return lateNanos(now) > 0;
	}

	/** Return how long ago the last reply could come that counts. */
	long lateNanos(long now) {
		return now - this.askedNanos - this.limitNanos;
	}

	private long limitNanos(long askedNanos) {
		Settlement settlement = this.settlement;
		return (settlement != null) ? Math.min(this.timeoutNanos, settlement.remainingNanos(askedNanos))
				: this.timeoutNanos;
	}

	/**
	 * A question is asked: no reply counts that comes later than the operation timeout
	 * (R1).
	 * @param askedNanos when it is asked
	 * @param late runs then
	 */
	void asked(long askedNanos, Runnable late) {
		cancel(this.end);
		this.askedNanos = askedNanos;
		this.limitNanos = limitNanos(askedNanos);
		this.end = this.timer.schedule(this.limitNanos, late);
	}

	/**
	 * Look at the votes before that, when nodes that have not replied are not waited for
	 * any more.
	 * @param open whether the question is still open
	 * @param look looks at the votes
	 */
	void lookMeanwhile(BooleanSupplier open, Runnable look) {
		this.pause = this.timer.schedule(this.timeoutNanos / 2, () -> {
			if (open.getAsBoolean()) {
				lookMeanwhile(open, look);
				look.run();
			}
		});
	}

	/** Ask once more, later. */
	void askAgain(long questionNanos, long now, Runnable ask) {
		cancel(this.pause);
		long pause = Objects.requireNonNull(this.settlement).askAgainNanos(questionNanos, now);
		this.pause = this.timer.schedule(Math.max(0, pause), ask);
	}

	void cancel() {
		cancel(this.end);
		cancel(this.pause);
	}

	private static void cancel(LockTimer.@Nullable Timeout timeout) {
		if (timeout != null) {
			timeout.cancel();
		}
	}

}
