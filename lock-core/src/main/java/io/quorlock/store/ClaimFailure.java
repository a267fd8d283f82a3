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

package io.quorlock.store;

import org.jspecify.annotations.Nullable;

/**
 * Why a claim was not granted.
 *
 * @since 0.1.0
 */
public sealed interface ClaimFailure {

	/**
	 * Return the reason, as a text.
	 * @return a clause without a full stop
	 */
	String description();

	/**
	 * Another owner held the lock, or has an older ticket than the claim. Nothing else is
	 * reported as "not acquired".
	 *
	 * @param owner the instance that held it, or {@code null} if it is unknown
	 * @param description the owner that held it, and for how long
	 */
	record Held(@Nullable String owner, String description) implements ClaimFailure {
	}

	/**
	 * The store could not decide: too few nodes replied, or their votes were divided.
	 *
	 * @param description what each node replied
	 */
	record Unavailable(String description) implements ClaimFailure {

		/** A timer that is later than this is so because of a pause or a busy machine. */
		private static final long LATE_NANOS = 20_000_000;

		/**
		 * Return a failure because replies were missing when their time was over.
		 * @param description what each node replied
		 * @param lateNanos how much later this process noticed that their time was over
		 * @return the failure, which says so if the process was late
		 */
		public static Unavailable unanswered(String description, long lateNanos) {
			return new Unavailable((lateNanos < LATE_NANOS) ? description : description
					+ "; this process itself was %d ms late (a pause, or too little processor time), so that replies may have come without being read"
						.formatted(lateNanos / 1_000_000));
		}

	}

	/**
	 * The contender was cancelled.
	 */
	record Cancelled() implements ClaimFailure {

		@Override
		public String description() {
			return "the claim was cancelled";
		}

	}

	/**
	 * The outcome of the first attempt is not known yet.
	 */
	record Pending() implements ClaimFailure {

		@Override
		public String description() {
			return "the nodes have not been asked yet";
		}

	}

}
