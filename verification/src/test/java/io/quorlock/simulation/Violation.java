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

package io.quorlock.simulation;

/**
 * An invariant did not hold.
 */
final class Violation extends RuntimeException {

	private static final long serialVersionUID = 1L;

	/** What must hold in every schedule. */
	enum Invariant {

		/** No two handles say at one instant that they hold one name. */
		MUTUAL_EXCLUSION,

		/** Tokens strictly increase in the order of grants. */
		INCREASING_TOKENS,

		/** Only the attempt that wrote a key deletes or extends it. */
		OWN_KEYS_ONLY,

		/** Nothing stays on a living node after release. */
		NOTHING_LEFT,

		/** A lost lock stays lost. */
		LOST_STAYS_LOST,

		/** With a quorum alive and counted, every waiter is served. */
		WAITERS_SERVED,

		/** If a request is refused because another holds the lock, that is true. */
		REFUSED_TRUTHFULLY,

		/** Of healthy processes that ask at one instant without a wait, one wins. */
		SOMEBODY_WINS,

		/** Without faults, a request that waits long enough gets its turn. */
		NOBODY_STARVES,

		/** Without faults, fair locks are had in the order of asking (R21). */
		IN_ORDER,

		/** No wait takes longer than was asked for, plus one operation timeout. */
		WAIT_BOUNDED,

		/** A handle that is handed out holds at that instant. */
		HELD_AT_HAND_OUT,

		/** No contender asks the nodes over and over without a pause. */
		RETRIES_BACK_OFF,

		/** After a stop nothing is held, waited for or renewed. */
		STOPPED_MEANS_OVER,

		/** No lock is kept alive for longer than the limit. */
		HOLD_LIMITED,

		/** No request asks more often than it may. */
		ATTEMPTS_LIMITED,

		/** A lock in good health is not lost. */
		KEPT_WHILE_HEALTHY,

		/** A clock that is stepped ahead is noticed soon (R27). */
		STEP_NOTICED,

		/** No clock is said to be stepped that was not (R27). */
		NO_FALSE_ALARM,

		/**
		 * A node whose clock was stepped does not vote while leases may be gone (R27).
		 */
		STEPPED_EXCLUDED,

		/** A node votes again when its leases must have ended. */
		VOTES_AGAIN,

		/** The engine throws nothing into its drivers. */
		NO_ERROR

	}

	private final Invariant invariant;

	Violation(Invariant invariant, String message) {
		super(invariant + ": " + message);
		this.invariant = invariant;
	}

	Violation(Invariant invariant, Throwable cause) {
		super(invariant + ": " + cause, cause);
		this.invariant = invariant;
	}

	Invariant invariant() {
		return this.invariant;
	}

}
