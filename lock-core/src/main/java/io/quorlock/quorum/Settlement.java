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

import java.util.HashMap;
import java.util.Map;

/**
 * Settles a divided vote (R4): several contenders asked at the same instant, each got
 * some of the nodes, and none a majority. All of them rank each other alike. The first of
 * them keeps its nodes and asks the others again; the others release theirs and ask again
 * a little later. An owner that shows no majority for half of the time is passed over.
 * One settlement serves the attempts of one contender; it is not thread-safe.
 */
final class Settlement {

	private static final long SHORTEST_PAUSE_NANOS = 1_000_000;

	private final long deadlineNanos;

	private final long patienceNanos;

	/** What a question needs for its replies. */
	private final long leastNanos;

	private final Map<String, Long> seenSince = new HashMap<>();

	private int questions;

	private int pauses;

	/**
	 * Create a settlement.
	 * @param deadlineNanos when a divided vote stays unsettled
	 * @param operationTimeoutNanos the operation timeout
	 */
	Settlement(long deadlineNanos, long operationTimeoutNanos) {
		this.deadlineNanos = deadlineNanos;
		this.patienceNanos = operationTimeoutNanos / 2;
		this.leastNanos = leastNanos(operationTimeoutNanos);
	}

	/** Return how much time a question needs for its replies. */
	static long leastNanos(long operationTimeoutNanos) {
		return operationTimeoutNanos / 4;
	}

	/** Return whether there is no time for the replies to another question. */
	boolean isOver(long nowNanos) {
		return untilLastQuestionNanos(nowNanos) <= 0;
	}

	/** Return how long the last question can wait. */
	long untilLastQuestionNanos(long nowNanos) {
		return remainingNanos(nowNanos) - this.leastNanos;
	}

	long remainingNanos(long nowNanos) {
		return this.deadlineNanos - nowNanos;
	}

	/** Return whether an owner has been seen for too long without a majority. */
	boolean isPassedOver(String owner, long nowNanos) {
		return nowNanos - this.seenSince.computeIfAbsent(owner, (key) -> nowNanos) >= this.patienceNanos;
	}

	/**
	 * How long the first waits before it asks again, longer each time: the others release
	 * meanwhile.
	 */
	long askAgainNanos(long roundNanos, long nowNanos) {
		long pause = Math.max(SHORTEST_PAUSE_NANOS, roundNanos / 2) << Math.min(this.questions++, 8);
		return Math.min(Math.min(pause, this.patienceNanos / 2), untilLastQuestionNanos(nowNanos));
	}

	/** How long the others wait before they ask again, longer each time. */
	long standBackNanos(long roundNanos) {
		long pause = Math.max(4 * SHORTEST_PAUSE_NANOS, 4 * roundNanos) << Math.min(this.pauses++, 8);
		return Math.min(pause, this.patienceNanos / 2);
	}

}
