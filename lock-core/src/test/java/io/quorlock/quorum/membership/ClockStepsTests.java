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

package io.quorlock.quorum.membership;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ClockSteps} (R27), on simulated clocks.
 */
class ClockStepsTests {

	private static final double DRIFT = 0.01;

	private static final Duration WINDOW = Duration.ofSeconds(60);

	private final Random random = new Random(42);

	private final List<String> steps = new ArrayList<>();

	private final List<String> ownSteps = new ArrayList<>();

	private final List<Long> noticed = new ArrayList<>();

	/** The true time since the beginning. */
	private long nanos;

	/** What the monotonic clock of this machine missed. */
	private long lostNanos;

	private long[] aheadNanos = {};

	private double[] rates = {};

	private boolean[] down = {};

	private ClockSteps clockSteps = new ClockSteps(1, WINDOW, DRIFT);

	@Test
	void stepOfOneNodeIsNoticedAtTheNextReplies() {
		start(3);
		poll(20);
		stepForwards(1, Duration.ofSeconds(30));
		poll(2);
		assertThat(this.steps).containsExactly("1 proven 29.9");
		poll(20);
		assertThat(this.steps).hasSize(1);
		assertThat(this.ownSteps).isEmpty();
	}

	/**
	 * It may have been at any time since the reply before: the node is excluded from then
	 * on.
	 */
	@Test
	void timeOfAStepIsThatOfTheReplyWhichShowsIt() {
		start(3);
		poll(5);
		this.down[1] = true;
		poll(20);
		this.down[1] = false;
		stepForwards(1, Duration.ofSeconds(30));
		long before = monotonic();
		poll(2);
		assertThat(this.noticed).singleElement()
			.satisfies((time) -> assertThat(time - before).isBetween(1_000_000_000L, 1_100_000_000L));
	}

	@Test
	void smallStepIsNoticedAsWellIfItExceedsTheMarginOfALease() {
		start(5);
		poll(20);
		stepForwards(4, Duration.ofMillis(50));
		poll(2);
		assertThat(this.steps).containsExactly("4 proven 0.0");
	}

	/** Each interval alone would hide it. */
	@Test
	void stepDuringASlowReplyIsNoticed() {
		start(3);
		poll(5);
		advance(Duration.ofSeconds(1));
		long sent = monotonic();
		advance(Duration.ofMillis(100));
		stepForwards(2, Duration.ofMillis(400));
		long time = micros(2);
		advance(Duration.ofMillis(500));
		this.clockSteps.read(2, sent, monotonic(), time);
		assertThat(this.steps).isEmpty();
		poll(2);
		assertThat(this.steps).containsExactly("2 proven 0.3");
	}

	@Test
	void stepBackwardsExtendsLeasesAndIsNone() {
		start(3);
		poll(5);
		stepForwards(0, Duration.ofSeconds(-3_600));
		poll(20);
		assertThat(this.steps).isEmpty();
		assertThat(this.ownSteps).isEmpty();
	}

	/** What was granted in between ends early. */
	@Test
	void stepBackAndForthIsAStep() {
		start(3);
		poll(5);
		stepForwards(0, Duration.ofSeconds(-5));
		poll(5);
		stepForwards(0, Duration.ofSeconds(5));
		poll(2);
		assertThat(this.steps).containsExactly("0 proven 4.9");
	}

	/** It falls between the reply that showed the first one and the next. */
	@Test
	void stepRightBehindAnotherIsNoticedToo() {
		start(3);
		poll(5);
		stepForwards(1, Duration.ofSeconds(30));
		poll(1);
		stepForwards(1, Duration.ofSeconds(20));
		poll(2);
		assertThat(this.steps).containsExactly("1 proven 29.9", "1 proven 19.9");
	}

	/** Slow replies leave open whether the clocks of the others were stepped. */
	@Test
	void nodesOfWhichTooLittleIsKnownDidNotStepAlike() {
		start(3);
		readSlowly(5, 200, 1, 200);
		stepForwards(1, Duration.ofMillis(50));
		readSlowly(5, 200, 1, 200);
		assertThat(this.steps).containsExactly("1 unproven 0.0");
		assertThat(this.ownSteps).isEmpty();
	}

	@Test
	void nodesThatMayHaveSteppedAlikeDoNotContradict() {
		start(3);
		readSlowly(5, 1, 400, 1);
		this.lostNanos += TimeUnit.SECONDS.toNanos(30);
		advance(Duration.ofSeconds(30));
		readSlowly(5, 1, 400, 1);
		assertThat(this.steps).isEmpty();
		assertThat(this.ownSteps).hasSize(1);
	}

	/**
	 * Their questions were sent later than that of the node, and before the suspension.
	 */
	@Test
	void repliesFromBeforeAStepOfThisMachineDoNotContradictTheNodeThatShowsIt() {
		start(3);
		poll(5);
		advance(Duration.ofSeconds(1));
		long sent = monotonic();
		read(0, 1);
		read(2, 1);
		this.lostNanos += TimeUnit.SECONDS.toNanos(30);
		advance(Duration.ofSeconds(30));
		this.clockSteps.read(1, sent, monotonic(), micros(1));
		poll(3);
		assertThat(this.steps).isEmpty();
		assertThat(this.ownSteps).hasSize(1);
	}

	/** All nodes are asked once a second, each of which takes its time. */
	private void readSlowly(int times, int... roundTripMillis) {
		for (int i = 0; i < times; i++) {
			advance(Duration.ofSeconds(1));
			for (int node = 0; node < roundTripMillis.length; node++) {
				read(node, roundTripMillis[node]);
			}
			this.clockSteps.check(monotonic());
		}
	}

	private void read(int node, int roundTripMillis) {
		Duration way = Duration.ofMillis(roundTripMillis).dividedBy(2);
		long sent = monotonic();
		advance(way);
		long time = micros(node);
		advance(way);
		this.clockSteps.read(node, sent, monotonic(), time);
	}

	/** A listener may wait for a thread that has just read a time. */
	@Test
	void listenersAreNotifiedOutsideOfTheLock() {
		start(1);
		List<Boolean> locked = new ArrayList<>();
		this.clockSteps.listen(0, new ClockSteps.Listener() {

			@Override
			public void onStep(Duration ahead, boolean proven, long noticedNanos) {
			}

			@Override
			public void onOwnStep(Duration ahead) {
				locked.add(Thread.holdsLock(ClockStepsTests.this.clockSteps));
			}

		});
		poll(5);
		stepForwards(0, Duration.ofSeconds(30));
		poll(2);
		assertThat(locked).containsExactly(false);
	}

	@Test
	void laterStepOfThisMachineIsSaidOnceMore() {
		start(3);
		poll(5);
		for (int i = 1; i <= 2; i++) {
			this.lostNanos += TimeUnit.SECONDS.toNanos(30);
			advance(Duration.ofSeconds(30));
			poll(20);
			assertThat(this.ownSteps).hasSize(i);
		}
		assertThat(this.steps).isEmpty();
	}

	/** The others have not replied yet when it is replaced. */
	@Test
	void stepOfAServerThatIsGoneIsNotThatOfTheOneBehindIt() {
		start(3);
		Membership members = new Membership(List.of("a:1", "b:1", "c:1"), "", this.clockSteps);
		members.claim(1, "first");
		poll(20);
		this.down[0] = true;
		this.down[2] = true;
		stepForwards(1, Duration.ofSeconds(30));
		poll(1);
		assertThat(this.clockSteps.isSuspecting()).isTrue();
		members.claim(1, "second");
		this.clockSteps.check(monotonic() + ClockSteps.PATIENCE.toNanos() * 2);
		assertThat(this.steps).isEmpty();
		assertThat(this.clockSteps.isSuspecting()).isFalse();
	}

	/** Nothing more is read from any node meanwhile. */
	@Test
	void stepThatCannotBeJudgedIsBelievedOnceThePatienceIsOver() {
		start(3);
		poll(20);
		this.down[0] = true;
		this.down[2] = true;
		stepForwards(1, Duration.ofSeconds(30));
		poll(1);
		this.down[1] = true;
		advance(ClockSteps.PATIENCE.minusSeconds(1));
		this.clockSteps.check(monotonic());
		assertThat(this.steps).isEmpty();
		advance(Duration.ofSeconds(2));
		this.clockSteps.check(monotonic());
		assertThat(this.steps).containsExactly("1 unproven 29.9");
		assertThat(this.clockSteps.isSuspecting()).isFalse();
	}

	@Test
	void slewingWithinTheDriftIsNone() {
		start(3);
		this.rates = new double[] { 1.009, 1, 0.991 };
		poll(300);
		assertThat(this.steps).isEmpty();
		assertThat(this.ownSteps).isEmpty();
	}

	/** Longer intervals show as much, but the others were not asked as early. */
	@Test
	void stepOfAClockThatRunsAsFastAsAllowedIsJudgedAtTheNextReplies() {
		for (int seed = 0; seed < 50; seed++) {
			this.random.setSeed(seed);
			start(3);
			this.rates = new double[] { 1 + DRIFT, 1, 1 };
			poll(5);
			stepForwards(0, Duration.ofSeconds(30));
			poll(2);
			assertThat(this.steps).as("seed %d", seed).containsExactly("0 proven 29.9");
		}
	}

	@Test
	void rateBeyondTheDriftIsAStep() {
		start(3);
		poll(5);
		this.rates = new double[] { 1.08, 1, 1 };
		poll(4);
		assertThat(this.steps).isNotEmpty().allMatch((step) -> step.startsWith("0 proven"));
	}

	@Test
	void suspendedNodeWhoseClockIsSetRightIsNone() {
		start(3);
		poll(5);
		this.down[1] = true;
		stepForwards(1, Duration.ofSeconds(-20));
		poll(20);
		stepForwards(1, Duration.ofSeconds(20));
		this.down[1] = false;
		poll(5);
		assertThat(this.steps).isEmpty();
	}

	@Test
	void stoppedProcessIsNone() {
		start(3);
		poll(5);
		long sent = monotonic();
		advance(Duration.ofSeconds(40));
		for (int node = 0; node < 3; node++) {
			this.clockSteps.read(node, sent, monotonic(), micros(node));
		}
		poll(5);
		assertThat(this.steps).isEmpty();
		assertThat(this.ownSteps).isEmpty();
	}

	/** As after a suspension that the monotonic clock did not count. */
	@Test
	void majorityThatStepsAlikeIsOurOwnClock() {
		for (int size = 1; size <= 7; size++) {
			start(size);
			poll(5);
			this.lostNanos += TimeUnit.SECONDS.toNanos(30);
			advance(Duration.ofSeconds(30));
			poll(20);
			assertThat(this.steps).as("%d nodes", size).isEmpty();
			assertThat(this.ownSteps).as("%d nodes", size).hasSize(1);
		}
	}

	@Test
	void ownClockThatStepsWhileANodeIsAwayBlamesNone() {
		start(5);
		poll(5);
		this.down[0] = true;
		poll(3);
		this.lostNanos += TimeUnit.SECONDS.toNanos(30);
		advance(Duration.ofSeconds(30));
		poll(5);
		assertThat(this.steps).isEmpty();
		this.down[0] = false;
		poll(5);
		assertThat(this.steps).isEmpty();
	}

	/** The machine of this instance and of one node, say. */
	@Test
	void nodeOnOurOwnSuspendedMachineDoesNotMakeTheOthersStep() {
		start(3);
		poll(5);
		this.lostNanos += TimeUnit.SECONDS.toNanos(30);
		advance(Duration.ofSeconds(30));
		stepForwards(2, Duration.ofSeconds(-30));
		poll(5);
		assertThat(this.steps).isEmpty();
		assertThat(this.ownSteps).hasSize(1);
	}

	@Test
	void stepOfANodeBesideOurOwnIsItsOwn() {
		start(5);
		poll(5);
		this.lostNanos += TimeUnit.SECONDS.toNanos(10);
		advance(Duration.ofSeconds(10));
		stepForwards(3, Duration.ofSeconds(30));
		poll(5);
		assertThat(this.steps).containsExactly("3 proven 39.9");
		assertThat(this.ownSteps).hasSize(1);
	}

	@Test
	void twoOfFiveThatStepAlikeAreExcluded() {
		start(5);
		poll(5);
		stepForwards(0, Duration.ofSeconds(30));
		stepForwards(1, Duration.ofSeconds(30));
		poll(3);
		assertThat(this.steps).containsExactlyInAnyOrder("0 proven 29.9", "1 proven 29.9");
	}

	/** Nobody else is told: this machine may have been suspended just as well. */
	@Test
	void stepThatTooFewNodesCanContradictIsBelievedByThisInstanceAlone() {
		start(3);
		this.down[2] = true;
		poll(5);
		stepForwards(0, Duration.ofSeconds(30));
		poll(2);
		assertThat(this.steps).isEmpty();
		assertThat(this.clockSteps.isSuspecting()).isTrue();
		poll(2);
		assertThat(this.steps).containsExactly("0 unproven 29.9");
		assertThat(this.clockSteps.isSuspecting()).isFalse();
	}

	@Test
	void halfOfFourThatStepAlikeAreExcludedByThisInstanceAlone() {
		start(4);
		poll(5);
		stepForwards(0, Duration.ofSeconds(30));
		stepForwards(1, Duration.ofSeconds(30));
		poll(5);
		assertThat(this.steps).containsExactlyInAnyOrder("0 unproven 29.9", "1 unproven 29.9");
	}

	@Test
	void anotherServerBehindTheAddressIsNotCompared() {
		start(3);
		poll(5);
		this.clockSteps.forget(1);
		stepForwards(1, Duration.ofSeconds(30));
		poll(5);
		assertThat(this.steps).isEmpty();
	}

	@Test
	void repliesFurtherApartThanALeaseAreNotCompared() {
		start(3);
		poll(5);
		this.down[1] = true;
		poll(70);
		stepForwards(1, Duration.ofSeconds(30));
		this.down[1] = false;
		poll(5);
		assertThat(this.steps).isEmpty();
	}

	@Test
	void nothingIsComparedWithoutAQuarantine() {
		start(3);
		this.clockSteps = new ClockSteps(3, Duration.ZERO, DRIFT);
		listen(3);
		poll(5);
		stepForwards(1, Duration.ofSeconds(30));
		poll(5);
		assertThat(this.steps).isEmpty();
	}

	/** Steps of nodes and of ours, slow replies and outages in any order. */
	@Test
	void clocksThatNobodyStepsAreNeverBlamed() {
		for (int seed = 0; seed < 200; seed++) {
			this.random.setSeed(seed);
			int size = 3 + this.random.nextInt(5);
			start(size);
			for (int node = 0; node < size; node++) {
				this.rates[node] = 1 + (this.random.nextDouble() * 2 - 1) * DRIFT * 0.99;
			}
			int victim = this.random.nextInt(size);
			for (int round = 0; round < 60; round++) {
				this.down[this.random.nextInt(size)] = this.random.nextInt(4) == 0;
				if (this.random.nextInt(10) == 0) {
					stepForwards(victim, Duration.ofMillis(this.random.nextInt(60_000)));
				}
				poll(1);
			}
			assertThat(this.steps).as("seed %d", seed).allMatch((step) -> step.startsWith(victim + " "));
			assertThat(this.ownSteps).as("seed %d", seed).isEmpty();
		}
	}

	private void start(int size) {
		this.aheadNanos = this.random.longs(size, 0, 1_000_000_000).toArray();
		this.rates = new double[size];
		this.down = new boolean[size];
		for (int node = 0; node < size; node++) {
			this.rates[node] = 1;
		}
		this.steps.clear();
		this.ownSteps.clear();
		this.clockSteps = new ClockSteps(size, WINDOW, DRIFT);
		listen(size);
	}

	private void listen(int size) {
		for (int i = 0; i < size; i++) {
			int node = i;
			this.clockSteps.listen(node, new ClockSteps.Listener() {

				@Override
				public void onStep(Duration ahead, boolean proven, long noticedNanos) {
					ClockStepsTests.this.noticed.add(noticedNanos);
					ClockStepsTests.this.steps.add("%d %s %.1f".formatted(node, proven ? "proven" : "unproven",
							Math.floor(ahead.toMillis() / 100.0) / 10));
				}

				@Override
				public void onOwnStep(Duration ahead) {
					ClockStepsTests.this.ownSteps.add(String.valueOf(ahead));
				}

			});
		}
	}

	private void advance(Duration duration) {
		this.nanos += duration.toNanos();
		for (int node = 0; node < this.aheadNanos.length; node++) {
			this.aheadNanos[node] += (long) (duration.toNanos() * (this.rates[node] - 1));
		}
	}

	private void stepForwards(int node, Duration step) {
		this.aheadNanos[node] += step.toNanos();
	}

	private long monotonic() {
		return this.nanos - this.lostNanos;
	}

	private long micros(int node) {
		return (this.nanos + this.aheadNanos[node]) / 1_000;
	}

	/** All nodes that are up are asked once a second, each round trip takes its time. */
	private void poll(int times) {
		for (int i = 0; i < times; i++) {
			advance(Duration.ofSeconds(1));
			for (int node = 0; node < this.aheadNanos.length; node++) {
				if (!this.down[node]) {
					long sent = monotonic();
					advance(Duration.ofNanos(this.random.nextInt(1_000_000)));
					long time = micros(node);
					advance(Duration.ofNanos(this.random.nextInt(1_000_000)));
					this.clockSteps.read(node, sent, monotonic(), time);
				}
			}
			this.clockSteps.check(monotonic());
		}
	}

	/** It may have any time: that is no step of the clock of the server before it. */
	@Test
	void clockOfAnotherServerIsNotComparedWithThatOfTheOneBefore() {
		start(3);
		Membership members = new Membership(List.of("a:1", "b:1", "c:1"), "", this.clockSteps);
		members.claim(1, "first");
		poll(20);
		members.claim(1, "second");
		stepForwards(1, Duration.ofSeconds(30));
		poll(20);
		assertThat(this.steps).isEmpty();
	}

}
