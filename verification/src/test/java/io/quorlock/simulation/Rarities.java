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
 * Settings that few applications change, and what operators and the clocks of servers do
 * now and then. Most schedules have none of it.
 */
final class Rarities {

	final long maxHoldMillis;

	/** The least token, or 0. */
	final long fencingFloor;

	final int maxAttempts;

	final int forcedReleases;

	final int releaseRequests;

	/** How many steps the clock of one node makes, and how far they are. */
	final int clockSteps;

	final long forwardMillis;

	final long backwardMillis;

	/** Whose clocks are stepped. */
	final ClockScenario clocks;

	/** How many leases one process takes at an instant, so that they are due together. */
	final int dueTogether;

	/** How many of their fences are overwritten with what is no number. */
	final int spoiltFences;

	/** Whether clients read the nodes' clocks all the time, as they do in reality. */
	final boolean clocksRead;

	Rarities(Chance chance, Plan plan, long seed) {
		boolean some = !plan.pair && !plan.crowded && plan.crowd == 0 && chance.onceIn(3)
				|| (plan.clocks != null && plan.crowd == 0);
		// Nodes that forget, or are to be caught at forgetting, have no other faults.
		boolean remember = some && !plan.crashes && !plan.ambush && plan.replacement == Plan.Replacement.NONE;
		long lease = plan.leaseMillis;
		this.maxHoldMillis = (some && chance.onceIn(3)) ? chance.oneOf(lease / 2, lease, 3 * lease / 2) : 0;
		// Above the clock, nothing but the stored fences orders the tokens.
		this.fencingFloor = (remember && plan.retentionMillis >= 100 * lease && chance.even())
				? World.WALL_MICROS + chance.oneOf(-1, 1, 24) * 3_600_000_000L : 0;
		this.maxAttempts = (some && chance.onceIn(4)) ? (int) chance.oneOf(1, 2, 5) : Integer.MAX_VALUE;
		this.forcedReleases = (some && plan.clocks == null && chance.onceIn(3)) ? 4 : 0;
		this.releaseRequests = (some && chance.even()) ? 8 : 0;
		boolean steps = remember && chance.onceIn(2);
		// No fence may expire early, since nothing else orders the tokens then.
		boolean fencesStay = plan.retentionMillis >= 100 * lease;
		boolean ahead = steps && chance.even() && fencesStay;
		// Drawn apart, so that the other schedules stay as they are.
		Chance apart = new Chance(~seed);
		this.clocks = (plan.clocks != null) ? plan.clocks
				: steps ? ClockScenario.draw(apart, ahead, plan.nodes, fencesStay) : ClockScenario.NONE;
		this.clocksRead = this.clocks != ClockScenario.NONE || plan.clocks != null
				|| (plan.skewedClocks && !plan.pair && !plan.crowded && plan.crowd == 0 && apart.onceIn(8));
		boolean plain = !plan.pair && !plan.crowded && plan.crowd == 0 && plan.clocks == null
				&& (plan.kind == Plan.Kind.PLAIN || plan.kind == Plan.Kind.SHARED);
		Chance together = new Chance(~seed ^ 0x5DEECE66DL);
		this.dueTogether = (plain && together.onceIn(6)) ? (int) together.oneOf(2, 2, 4, 8, 8, 16, 80) : 0;
		this.spoiltFences = (this.dueTogether > 0 && together.even()) ? (int) together.oneOf(1, 4) : 0;
		this.clockSteps = (this.clocks != ClockScenario.NONE) ? 2 : 0;
		boolean forwards = this.clocks.ahead;
		this.forwardMillis = forwards ? chance.oneOf(lease / 2, lease, 5 * lease) : 0;
		this.backwardMillis = (this.clockSteps > 0 && !forwards) ? chance.oneOf(lease / 4, lease) : 0;
	}

	/** For how much longer than a lease a key may stay that nobody releases. */
	long lingerMillis() {
		long behind = this.clockSteps * this.backwardMillis
				+ ((this.clocks == ClockScenario.SUSPENDED) ? this.forwardMillis : 0);
		return (long) (behind * (1 + Plan.DRIFT));
	}

	/** How long a lock is held that is not renewed for so long, 0 for no limit. */
	long longestHoldMillis(long leaseMillis) {
		return (this.maxHoldMillis > 0) ? 5 * leaseMillis : 0;
	}

	boolean isCalm() {
		return this.forcedReleases == 0 && this.clockSteps == 0 && this.spoiltFences == 0;
	}

	/** Whether keys stay or go in ways that are not followed. */
	boolean obscuresHolders() {
		return !isCalm();
	}

	@Override
	public String toString() {
		return "hold=%d floor=%d attempts=%d forced=%d requests=%d together=%d/%d steps=%d/+%d/-%d %s".formatted(
				this.maxHoldMillis, this.fencingFloor, this.maxAttempts, this.forcedReleases, this.releaseRequests,
				this.dueTogether, this.spoiltFences, this.clockSteps, this.forwardMillis, this.backwardMillis,
				this.clocksRead ? "clocks=" + this.clocks : "");
	}

}
