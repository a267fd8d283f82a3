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

import org.jspecify.annotations.Nullable;

import io.quorlock.store.ClaimFailure;

/**
 * What came out of a round that was not granted. Later replies change nothing.
 *
 * @param voted whether a quorum replied
 * @param held whether a majority named a holder or an older ticket
 * @param owner the holder, if there is a single one that is known
 * @param granted the voting nodes that granted
 * @param freed the nodes that granted the same, whether they vote or not, and free it
 * again
 * @param rank how many claims wait in front, as a majority says
 * @param remainingMillis how long a majority keeps the keys seen if nothing renews them
 * @param tookNanos how long the replies took
 * @param failure why, for people
 */
record RoundResult(boolean voted, boolean held, @Nullable String owner, long granted, long freed, int rank,
		long remainingMillis, long tookNanos, ClaimFailure failure) {

	/** Return whether others are known to hold the name or to stand in front. */
	boolean isHeld() {
		return this.held;
	}

	/**
	 * Return whether every node that voted refused. Some may name the last holder still,
	 * and others whom they offered the name: whoever waits is in their queues.
	 */
	boolean isRefused() {
		return this.voted && this.granted == 0;
	}

	/** Return whether the votes were divided among several. */
	boolean isDivided() {
		return this.voted && !this.held;
	}

}
