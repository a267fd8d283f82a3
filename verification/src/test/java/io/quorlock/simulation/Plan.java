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

import java.time.Duration;

import org.jspecify.annotations.Nullable;

import io.quorlock.Settings;
import io.quorlock.engine.TestSettings;
import io.quorlock.quorum.QuorumSettings;

/**
 * What one schedule is like: drawn from its seed, so that some are calm and others bad in
 * one way or in several.
 */
final class Plan {

	/** Whether one node is replaced by another, and in what order. */
	enum Replacement {

		NONE, OLD_NODE_STOPPED_FIRST, NEW_LISTS_FIRST

	}

	static final long MILLI = 1_000_000;

	static final double DRIFT = 0.05;

	final int nodes;

	final int clients;

	final int users;

	final int names;

	final int requests;

	final long leaseMillis;

	final long retentionMillis;

	private static final long MAX_DELAY_MILLIS = 200;

	final long operationMillis;

	final int handoverMax;

	final long handoverMillis;

	/** How often one command or answer in so many is late, and how late at most. */
	final int lateOnceIn;

	final long lateMillis;

	/** How often a client stands still between two events, or in the midst of one. */
	final int pauseOnceIn;

	final int pauseInsideOnceIn;

	/** How long clients, nodes and the network may stand still. */
	final long pauseMillis;

	final int faults;

	final boolean crashes;

	/** How many processes are killed or shut down. */
	final int endings;

	final Replacement replacement;

	final boolean skewedClocks;

	final boolean severalNames;

	final boolean fixedLeases;

	final boolean holdAtLeast;

	final boolean extensions;

	/** Whether faults wait for their moment, too. */
	final boolean ambush;

	/** Whether locks are taken often and held briefly. */
	final boolean brisk;

	/** Whether locks are held for so long that renewals matter. */
	final boolean longHolds;

	/**
	 * Whether many users of a process want the same one or two names all the time,
	 * without faults.
	 */
	final boolean crowded;

	/** How long the faults go on. */
	final long troubleMillis;

	/** How the names are locked, other than exclusively. */
	final Kind kind;

	/** Whether all but one of a crowd only read, so that some reader always does. */
	final boolean singleWriter;

	/** Whether permits are given to a crowd in the order of asking. */
	final boolean fairPermits;

	/** Whether leases are kept although nobody uses them (R24). */
	final boolean retained;

	/** How many instances want one name, without a fault but messages; 0 for others. */
	final int crowd;

	/** Whether two instances with lists that differ are all there is. */
	final boolean pair;

	/** What few schedules have. */
	final Rarities rare;

	/** Whose clocks are to be stepped, where a run is about that. */
	final @Nullable ClockScenario clocks;

	Plan(Chance chance, long seed, boolean unsafeReplacement, int crowd, @Nullable ClockScenario clocks, boolean pair) {
		this.pair = pair;
		this.clocks = clocks;
		this.crowd = crowd;
		this.crowded = !pair && !unsafeReplacement && crowd == 0 && clocks == null && chance.onceIn(25);
		this.ambush = !pair && !this.crowded && crowd == 0 && clocks == null && chance.onceIn(6);
		this.replacement = unsafeReplacement ? Replacement.NEW_LISTS_FIRST
				: (!pair && !this.crowded && crowd == 0 && clocks == null && chance.onceIn(10))
						? Replacement.OLD_NODE_STOPPED_FIRST : Replacement.NONE;
		boolean replacing = this.replacement != Replacement.NONE;
		this.nodes = pair ? PairOfLists.SERVERS
				: (crowd > 0 || clocks == ClockScenario.TWO_AHEAD) ? 5 : (clocks != null) ? (int) chance.oneOf(3, 5)
						: (replacing || this.ambush) ? 3 : (int) chance.oneOf(3, 3, 3, 3, 3, 5, 5, 1);
		this.clients = (crowd > 0) ? crowd : pair ? 2 : (int) chance.oneOf(2, 2, 3);
		int users = (crowd > 0 || pair) ? 1 : this.crowded ? 5 : (int) chance.oneOf(1, 1, 2, 3);
		this.severalNames = this.crowded || (crowd == 0 && !pair && !this.ambush && chance.onceIn(5));
		this.names = this.severalNames ? 3 : 1;
		this.brisk = this.crowded || crowd > 0 || chance.onceIn(3);
		this.requests = (this.crowded || crowd > 0 || pair) ? Integer.MAX_VALUE
				: replacing ? 20 : this.brisk ? 8 : (int) chance.oneOf(2, 3, 4);
		this.leaseMillis = (crowd > 0) ? 3_000
				: (replacing || this.ambush || pair) ? chance.oneOf(600, 1000) : chance.oneOf(600, 1000, 3000, 10_000);
		this.operationMillis = (crowd > 0) ? 100 : this.ambush ? 250 : chance.oneOf(100, 100, 250);
		this.handoverMax = (int) chance.oneOf(0, 4);
		this.handoverMillis = chance.oneOf(50, 500);
		boolean quiet = this.crowded || (this.ambush && chance.even()) || (clocks != null && seed % 2 == 0);
		this.lateOnceIn = (crowd > 0) ? (int) chance.oneOf(0, 0, 1_000)
				: quiet ? 0 : (int) chance.oneOf(0, 3, 6, 12, 40);
		this.lateMillis = Math.min(4000, chance.oneOf(20, 90, 150, 600, this.leaseMillis, 2 * this.leaseMillis));
		this.pauseOnceIn = (quiet || crowd > 0) ? 0 : (int) chance.oneOf(0, 0, 10, 50);
		this.pauseInsideOnceIn = (quiet || crowd > 0) ? 0 : (int) chance.oneOf(0, 0, 20, 100);
		this.pauseMillis = chance.oneOf(20, 150, this.leaseMillis * 3 / 2);
		this.endings = this.crowded ? 0 : (int) chance.oneOf(0, 0, 0, 1, 2);
		// By so much what two clients propose may differ (R9), and an answer be late.
		this.retentionMillis = (clocks != null || chance.even()) ? 600_000
				: this.leaseMillis * 4 / 5 + 2 * this.operationMillis + 50;
		this.faults = quiet ? 0 : (int) chance.oneOf(0, 2, 4, 8);
		this.crashes = chance.even() && clocks == null;
		this.skewedClocks = chance.even();
		this.fixedLeases = chance.onceIn(3);
		this.holdAtLeast = !this.crowded && crowd == 0 && chance.onceIn(5);
		this.extensions = chance.onceIn(3);
		this.longHolds = !this.brisk && (this.ambush ? chance.even() : chance.onceIn(3));
		Kind kind = Kind.values()[(int) chance.below(Kind.values().length)];
		boolean plain = replacing || pair || crowd > 0 || chance.even()
				|| (!this.crowded && kind == Kind.PERMITS && this.severalNames);
		this.kind = plain ? Kind.PLAIN : kind;
		boolean others = this.crowded && (this.kind == Kind.SHARED || this.kind == Kind.PERMITS) && chance.even();
		this.singleWriter = others && this.kind == Kind.SHARED;
		this.fairPermits = others && this.kind == Kind.PERMITS;
		// Whoever stands behind others of its process has asked long before its turn.
		this.users = (this.crowded && (this.kind == Kind.FAIR || this.fairPermits)) ? 3 : users;
		this.troubleMillis = (this.crowded || crowd > 0) ? 2_500
				: pair ? 1_500 : replacing ? 2 * quarantineEndMillis() : this.brisk ? 1000
						: this.longHolds ? 3 * this.leaseMillis : chance.oneOf(1000, 2000, 2 * this.leaseMillis);
		this.retained = (this.kind == Kind.PLAIN || this.kind == Kind.SHARED) && chance.onceIn(3);
		this.rare = new Rarities(chance, this, seed);
	}

	/** What the requests of a schedule ask for. */
	enum Kind {

		PLAIN, SHARED, PERMITS, FAIR

	}

	TestSettings settings(String client) {
		return new TestSettings(client, Duration.ofSeconds(5), Duration.ofMillis(this.leaseMillis),
				Duration.ofMillis(this.leaseMillis), Duration.ofMillis(this.rare.maxHoldMillis),
				Duration.ofMillis(this.operationMillis), Duration.ofMillis(20), Duration.ofMillis(MAX_DELAY_MILLIS),
				this.rare.maxAttempts, DRIFT, true, Duration.ofMillis(this.retentionMillis), this.handoverMax,
				Duration.ofMillis(this.handoverMillis));
	}

	/** What the settings of tests do not have. */
	Settings<QuorumSettings> customize(Settings<QuorumSettings> quorum) {
		return quorum.set(QuorumSettings::fencingFloor, this.rare.fencingFloor);
	}

	Duration quarantine() {
		return Duration.ofMillis(this.leaseMillis);
	}

	/** Whether instances know the nodes by lists that differ, and keep records (R10). */
	boolean isListsDiffering() {
		return this.pair || this.replacement != Replacement.NONE;
	}

	/** As the driver: the longest lease, and by how much a record may be late. */
	Duration listsRemembered() {
		return Duration.ofMillis((long) (this.leaseMillis * (1 + DRIFT)) + 11_000);
	}

	/** By when a node that is up all the time counts, for every client. */
	long quarantineEndMillis() {
		return (long) (this.leaseMillis * (1 + DRIFT) * (1 + DRIFT)) + 2_500;
	}

	/** By how much two claims may differ that are served in another order (R21). */
	long fairToleranceMillis() {
		// What a client takes for the nodes' time drifts away until it is read again.
		long offset = this.skewedClocks ? (long) (2 * DRIFT * this.troubleMillis) : 0;
		// One in eight messages is lost here. A ticket whose offer is lost is dropped
		// after two operation timeouts, and stands again when its claim asks after a
		// pause: of up to two of the longest, since it was second when it asked last. One
		// pause less is exceeded in one of three hundred crowds.
		return 2 * this.operationMillis + 2 * MAX_DELAY_MILLIS + offset;
	}

	/** How many requests of one process may ask the nodes for a name at once. */
	int askers() {
		boolean readersShareNoLease = this.kind == Kind.SHARED && this.handoverMax == 0;
		return readersShareNoLease ? this.users : (this.kind == Kind.PERMITS) ? SimUser.PERMITS : 1;
	}

	/** After what time nothing is under way any more that faults have held up. */
	long drainMillis() {
		return this.lateMillis + 2 * this.pauseMillis;
	}

	/** Whether messages take no longer than they must, and nobody stands still. */
	boolean isPunctual() {
		return this.lateOnceIn == 0 && this.pauseOnceIn == 0 && this.pauseInsideOnceIn == 0 && this.faults == 0;
	}

	boolean isCalm() {
		return isPunctual() && !this.ambush && !this.pair && this.rare.isCalm();
	}

	@Override
	public String toString() {
		return ("nodes=%d clients=%d users=%d names=%d requests=%d lease=%d retention=%d handover=%d/%d late=1:%d/%d "
				+ "pause=1:%d,1:%d/%d faults=%d crashes=%s endings=%d replacement=%s ambush=%s skewed=%s fixed=%s "
				+ "atLeast=%s extend=%s brisk=%s long=%s crowded=%s kind=%s trouble=%d retained=%s "
				+ "singleWriter=%s fairPermits=%s crowd=%d %s")
			.formatted(this.nodes, this.clients, this.users, this.names, this.requests, this.leaseMillis,
					this.retentionMillis, this.handoverMax, this.handoverMillis, this.lateOnceIn, this.lateMillis,
					this.pauseOnceIn, this.pauseInsideOnceIn, this.pauseMillis, this.faults, this.crashes, this.endings,
					this.replacement, this.ambush, this.skewedClocks, this.fixedLeases, this.holdAtLeast,
					this.extensions, this.brisk, this.longHolds, this.crowded, this.kind, this.troubleMillis,
					this.retained, this.singleWriter, this.fairPermits, this.crowd, this.rare);
	}

}
