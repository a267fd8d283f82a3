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

package io.quorlock.redis.client;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Whether something changes so often that its changes are only counted. Not thread-safe.
 */
final class Flapping {

	static final long PERIOD_NANOS = Duration.ofMinutes(1).toNanos();

	/** Two restarts, each with an end, a quarantine and a vote. */
	static final int MOST_CHANGES = 6;

	private final Deque<Long> changes = new ArrayDeque<>();

	private boolean reported;

	private long reportedNanos;

	void changed(long nowNanos) {
		this.changes.add(nowNanos);
	}

	/** Return how many changes there were within the last minute. */
	int changes(long nowNanos) {
		while (!this.changes.isEmpty() && nowNanos - this.changes.getFirst() >= PERIOD_NANOS) {
			this.changes.removeFirst();
		}
		return this.changes.size();
	}

	boolean isFlapping(long nowNanos) {
		return changes(nowNanos) > MOST_CHANGES;
	}

	/**
	 * Return whether the number of changes is to be reported now: at first, and then once
	 * a minute.
	 */
	boolean isReportDue(long nowNanos) {
		if (!isFlapping(nowNanos)) {
			this.reported = false;
			return false;
		}
		if (this.reported && nowNanos - this.reportedNanos < PERIOD_NANOS) {
			return false;
		}
		this.reported = true;
		this.reportedNanos = nowNanos;
		return true;
	}

}
