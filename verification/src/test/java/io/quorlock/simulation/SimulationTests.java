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
import org.junit.jupiter.api.extension.ExtendWith;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Runs the engine through schedules full of faults. {@code docs/simulation.md} describes
 * how to run it for longer, from another seed, or with one seed step by step.
 */
@Tag("simulation")
@ExtendWith(QuietEngine.class)
class SimulationTests {

	private static final long FIRST_SEED = Long.getLong("simulation.seed", 1);

	private static final long SECONDS = Long.getLong("simulation.seconds", 0);

	private static final long SCHEDULES = Long.getLong("simulation.schedules",
			(SECONDS > 0) ? Long.MAX_VALUE - FIRST_SEED : 200);

	@Test
	void noScheduleViolatesAnInvariant() {
		if (Boolean.getBoolean("simulation.trace")) {
			new World(FIRST_SEED, true).run();
			return;
		}
		long nanos = (SECONDS > 0) ? TimeUnit.SECONDS.toNanos(SECONDS) : Long.MAX_VALUE;
		Campaign.Result result = Campaign.run(FIRST_SEED, SCHEDULES, nanos);
		System.out.printf("Simulation: %,d schedules from seed %d, %,d events, %.1f s, %,.0f schedules/s%n",
				result.schedules(), FIRST_SEED, result.steps(), result.nanos() / 1e9, result.schedulesPerSecond());
		assertThat(result.violation()).as("seed %d; docs/simulation.md describes how to replay it", result.failedSeed())
			.isNull();
		assertThat(result.schedules()).isPositive();
	}

	@Test
	@Tag("long")
	void aSeedReplaysExactly() {
		for (long seed = 1; seed <= 200; seed++) {
			World first = new World(seed, false);
			first.run();
			World second = new World(seed, false);
			second.run();
			assertThat(second.steps()).isEqualTo(first.steps());
			assertThat(second.now()).isEqualTo(first.now());
			assertThat(second.chance.nextLong()).as("seed %d", seed).isEqualTo(first.chance.nextLong());
		}
	}

	/** Instances with old and new lists meet while all nodes are there. */
	@Test
	@Tag("long")
	void newListsBeforeTheOldNodeIsStoppedMakeNoTwoHolders() {
		for (long seed = 1; seed <= 500; seed++) {
			new World(seed, false, true).run();
		}
	}

	@Test
	@Tag("long")
	void theSchedulesContainWhatTheyShould() {
		World[] worlds = new World[500];
		for (int i = 0; i < worlds.length; i++) {
			worlds[i] = new World(i, false);
			worlds[i].run();
		}
		assertThat(worlds).as("grants").anyMatch((world) -> world.grants() > 5);
		assertThat(worlds).as("losses").anyMatch((world) -> world.losses() > 0);
		assertThat(worlds).as("restarts")
			.anyMatch((world) -> world.servers.stream().anyMatch((server) -> server.restarts() > 0));
		assertThat(worlds).as("replacements")
			.anyMatch((world) -> world.plan.replacement == Plan.Replacement.OLD_NODE_STOPPED_FIRST
					&& world.grants() > 20);
		assertThat(worlds).as("kills").anyMatch((world) -> world.clients.size() < world.plan.clients);
		assertThat(worlds).as("stops").anyMatch((world) -> world.clients.stream().anyMatch(SimClient::wasStopped));
		assertThat(worlds).as("limited holds").anyMatch((world) -> world.plan.rare.maxHoldMillis > 0);
		assertThat(worlds).as("limited attempts").anyMatch((world) -> world.plan.rare.maxAttempts < Integer.MAX_VALUE);
		assertThat(worlds).as("least tokens").anyMatch((world) -> world.plan.rare.fencingFloor > World.WALL_MICROS);
		assertThat(worlds).as("clocks set ahead").anyMatch((world) -> world.plan.rare.forwardMillis > 0);
		assertThat(worlds).as("steps that are noticed").anyMatch((world) -> world.clockFaults.notices() > 0);
		assertThat(worlds).as("clocks set back").anyMatch((world) -> world.plan.rare.backwardMillis > 0);
		assertThat(worlds).as("forced releases").anyMatch((world) -> world.operator.forced() > 0);
		assertThat(worlds).as("requests to release").anyMatch((world) -> world.operator.requested() > 0);
		assertThat(worlds).as("renewals that share a command (R28)").anyMatch((world) -> world.jointRenewals() > 50);
		assertThat(worlds).as("many of them").anyMatch((world) -> world.maxJoined() > 20);
		assertThat(worlds).as("some of them refused or failed").anyMatch(World::isJoinedDivided);
		assertThat(worlds).filteredOn((world) -> world.grants() > 0).hasSizeGreaterThan(worlds.length * 9 / 10);
	}

}
