package io.quorlock.simulation;

import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

import io.quorlock.simulation.Violation.Invariant;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Runs the engine through schedules full of faults. {@code docs/simulation.md} describes
 * how to run it for longer, from another seed, or with one seed step by step.
 */
@Tag("simulation")
class SimulationTests {

	private static final long FIRST_SEED = Long.getLong("simulation.seed", 1);

	private static final long SECONDS = Long.getLong("simulation.seconds", 0);

	private static final long SCHEDULES = Long.getLong("simulation.schedules",
			(SECONDS > 0) ? Long.MAX_VALUE - FIRST_SEED : 500);

	private static final Logger ENGINE = (Logger) LoggerFactory.getLogger("io.quorlock");

	private static Level level;

	@BeforeAll
	static void silenceTheEngine() {
		level = ENGINE.getEffectiveLevel();
		ENGINE.setLevel(Level.OFF);
	}

	@AfterAll
	static void giveTheEngineItsVoiceBack() {
		ENGINE.setLevel(level);
	}

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

	/** The order of docs/operations.md is among the schedules, and violates nothing. */
	@Test
	void newListsBeforeTheOldNodeIsStoppedMakeTwoHolders() {
		Set<Invariant> violated = EnumSet.noneOf(Invariant.class);
		for (long seed = 1; seed <= 2_000 && !violated.contains(Invariant.MUTUAL_EXCLUSION); seed++) {
			try {
				new World(seed, false, true).run();
			}
			catch (Violation ex) {
				violated.add(ex.invariant());
				System.out.printf("Unsafe order of a node's replacement, seed %d: %s%n", seed, ex.getMessage());
			}
		}
		assertThat(violated).contains(Invariant.MUTUAL_EXCLUSION)
			.isSubsetOf(Invariant.MUTUAL_EXCLUSION, Invariant.INCREASING_TOKENS);
	}

	@Test
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
		assertThat(worlds).filteredOn((world) -> world.grants() > 0).hasSizeGreaterThan(worlds.length * 9 / 10);
	}

}
