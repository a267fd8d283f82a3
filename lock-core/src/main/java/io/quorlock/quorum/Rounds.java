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

import io.quorlock.quorum.node.Attempt;
import io.quorlock.time.LockClock;
import io.quorlock.time.LockTimer;

/**
 * What the rounds of one store share.
 *
 * @param releases what their releases need
 * @param pending which nodes owe a reply
 * @param proposals proposes fencing tokens
 * @param failures says why rounds are not granted
 * @param fencing whether grants carry fencing tokens
 * @param attempts makes attempts with tokens of their own
 */
record Rounds(Releases releases, PendingReplies pending, FenceProposals proposals, RoundFailures failures,
		boolean fencing, Attempts attempts) {

	/** Makes attempts with tokens of their own. */
	interface Attempts {

		/**
		 * Create an attempt.
		 * @param retainable whether claims that are refused because of it ask for its
		 * lease
		 */
		Attempt next(boolean retainable);

	}

	Voters voters() {
		return this.releases.voters();
	}

	Messenger messenger() {
		return this.releases.messenger();
	}

	LockClock clock() {
		return this.releases.clock();
	}

	LockTimer timer() {
		return this.releases.timer();
	}

	Timing timing() {
		return this.releases.timing();
	}

	Activity activity() {
		return this.releases.activity();
	}

	Attempt newAttempt(boolean retainable) {
		return this.attempts.next(retainable);
	}

}
