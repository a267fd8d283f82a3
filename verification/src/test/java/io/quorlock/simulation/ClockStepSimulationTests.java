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

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Schedules in which clocks of servers are stepped for certain: R27.
 */
@Tag("simulation")
@ExtendWith(QuietEngine.class)
class ClockStepSimulationTests {

	private static final long FIRST_SEED = Long.getLong("simulation.seed", 1);

	private static final int SCHEDULES = Integer.getInteger("simulation.clocks", 60);

	private int steps;

	private int notices;

	private int checks;

	private int overlaps;

	@ParameterizedTest
	@Tag("long")
	@EnumSource
	void noStepViolatesAnInvariant(ClockScenario clocks) {
		run(clocks, SCHEDULES);
		if (!clocks.all) {
			assertThat(this.notices > 0).as("noticed").isEqualTo(clocks.ahead);
		}
		assertThat(this.checks > 0).as("looked at").isEqualTo(clocks.ahead && clocks != ClockScenario.SUSPENDED);
	}

	@Test
	void stepOfANodeIsNoticedInTime() {
		run(ClockScenario.ONE_AHEAD, 40);
	}

	@Test
	void stepOfAllNodesIsNoneOfTheirs() {
		run(ClockScenario.ALL_AHEAD, 40);
	}

	@Test
	void stepBackwardsIsNone() {
		run(ClockScenario.ONE_BACK, 40);
	}

	@Test
	void slewedClocksAreNotStepped() {
		run(ClockScenario.NONE, 40);
	}

	private void run(ClockScenario clocks, int schedules) {
		for (long seed = FIRST_SEED; seed < FIRST_SEED + schedules; seed++) {
			World world = new World(seed, Boolean.getBoolean("simulation.trace"), clocks);
			try {
				world.run();
			}
			catch (Violation ex) {
				throw new AssertionError("seed " + seed + " with " + clocks + ": " + ex.getMessage(), ex);
			}
			this.steps += world.clockFaults.steps();
			this.notices += world.clockFaults.notices();
			this.checks += world.clockFaults.checks();
			this.overlaps += world.clockFaults.overlaps();
		}
		System.out.printf("Clocks, %s: %d schedules, %d steps, %d noticed, %d times in time, %d overlaps allowed%n",
				clocks, schedules, this.steps, this.notices, this.checks, this.overlaps);
	}

}
