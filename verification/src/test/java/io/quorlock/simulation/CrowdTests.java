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

import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Many instances in three zones want one name of five nodes, over and over, also where
 * messages are late or lost and nodes and instances come and go. All are served, and what
 * a grant costs is bounded. {@code -Dcrowd.instances=300} makes the crowd larger.
 */
@Tag("simulation")
@ExtendWith(QuietEngine.class)
class CrowdTests {

	private static final int INSTANCES = Integer.getInteger("crowd.instances", 8);

	private static final int SCHEDULES = Integer.getInteger("crowd.schedules", 1);

	/** Per grant and node. */
	private static final int MAX_COMMANDS = Integer.getInteger("crowd.commands", 25);

	/** Per grant and node: offers, and who is next. */
	private static final int MAX_MESSAGES = 3;

	@Test
	void everybodyOfACrowdIsServedAtABoundedCost() {
		for (int seed = 1; seed <= SCHEDULES; seed++) {
			assertServed(seed, INSTANCES, ClockScenario.NONE);
		}
	}

	@ParameterizedTest
	@Tag("long")
	@EnumSource
	void everybodyOfACrowdIsServedWhileClocksAreStepped(ClockScenario clocks) {
		assertServed(2, INSTANCES, clocks);
	}

	@Test
	@Tag("long")
	@Timeout(value = 20, unit = TimeUnit.MINUTES)
	void everybodyOfThreeHundredIsServed() {
		for (int seed = 1; seed <= 4; seed++) {
			assertServed(seed, 300, ClockScenario.NONE);
		}
		for (ClockScenario clocks : ClockScenario.values()) {
			assertServed(10 + clocks.ordinal(), 300, clocks);
		}
	}

	private static void assertServed(int seed, int instances, ClockScenario clocks) {
		long start = System.nanoTime();
		boolean tracing = Boolean.getBoolean("simulation.trace");
		World world = (clocks == ClockScenario.NONE) ? new World(seed, tracing, false, instances)
				: new World(seed, tracing, instances, clocks);
		world.run();
		System.out.printf(
				"Crowd of %d, seed %d, clocks %s: %d grants, %.1f commands and %.1f messages per grant and node, %d ms%n",
				instances, seed, clocks, world.grants(), world.commandsPerGrant(), world.messagesPerGrant(),
				(System.nanoTime() - start) / 1_000_000);
		assertThat(world.grants()).isGreaterThan(instances);
		assertThat(world.commandsPerGrant()).as("seed %d", seed).isLessThan(MAX_COMMANDS);
		assertThat(world.messagesPerGrant()).as("seed %d", seed).isLessThanOrEqualTo(MAX_MESSAGES);
	}

}
