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
 * Whose wall clocks are stepped in a schedule, and in which direction.
 */
enum ClockScenario {

	/** None; clocks run at their own rates and are slewed. */
	NONE(false, false),

	/** One node, ahead. */
	ONE_AHEAD(true, false),

	/** Two of five nodes, ahead at the same instant. */
	TWO_AHEAD(true, false),

	/** All nodes, ahead at the same instant. */
	ALL_AHEAD(true, true),

	/** One node, back. */
	ONE_BACK(false, false),

	/** All nodes, back at the same instant. */
	ALL_BACK(false, true),

	/** One node is suspended, and its clock is set right some time after it resumed. */
	SUSPENDED(true, false);

	final boolean ahead;

	final boolean all;

	ClockScenario(boolean ahead, boolean all) {
		this.ahead = ahead;
		this.all = all;
	}

	/** One that fits what else the schedule has. */
	static ClockScenario draw(Chance chance, boolean ahead, int nodes, boolean fencesStay) {
		if (ahead) {
			ClockScenario one = (nodes == 1) ? ALL_AHEAD : ONE_AHEAD;
			return switch ((int) chance.below(5)) {
				case 0 -> ALL_AHEAD;
				case 1 -> (nodes == 1) ? ALL_AHEAD : SUSPENDED;
				case 2 -> (nodes == 5) ? TWO_AHEAD : one;
				default -> one;
			};
		}
		// Proposals follow the clocks of a majority: fences must not expire meanwhile.
		boolean all = fencesStay && (nodes == 1 || chance.onceIn(3));
		return all ? ALL_BACK : (nodes > 1) ? ONE_BACK : NONE;
	}

}
