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

package io.quorlock.simulation.queue;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What the queue promises, measured in its model, and rules whose absence must show. R4,
 * R21.
 */
@Tag("long")
class QueueModelTests {

	private static final long SECOND = 1_000_000;

	/** Two round trips and more. */
	private static final int STRAY = 10_000;

	@ParameterizedTest
	@ValueSource(ints = { 2, 5, 40, 300 })
	void grantsFollowTheOrderAndCostTheSameForFewAndForMany(int instances) {
		QueueModel model = new QueueModel(rules(instances)).run(4 * SECOND);
		assertHealthy(model);
		assertThat(model.grantsPerSecond()).as("%s", model).isGreaterThan(300);
		assertThat(model.commandsPerGrant()).as("%s", model).isLessThan(6);
		assertThat(model.messagesPerGrant()).as("%s", model).isLessThan(3);
		assertThat(model.most() - model.least()).as("%s", model).isLessThanOrEqualTo(3);
		assertThat(model.longestWait).as("%s", model).isLessThan(5 * instances * 4 * SECOND / model.grants);
		assertThat(model.strayTickets(STRAY)).as("%s", model).isZero();
	}

	@ParameterizedTest
	@ValueSource(ints = { 0, 1, 2 })
	void newcomersPassTheFirstTicketNoMoreOftenThanAllowed(int passes) {
		QueueRules rules = rules(40);
		rules.passes = passes;
		QueueModel model = new QueueModel(rules).run(4 * SECOND);
		assertHealthy(model);
		assertThat(model.mostPasses()).as("%s", model).isEqualTo(passes);
		assertThat(model.commandsPerGrant()).as("%s", model).isLessThan(6);
	}

	@ParameterizedTest
	@ValueSource(longs = { 1, 2, 3 })
	void crashesAndBrokenConnectionsLeaveNoFreeNameUnasked(long seed) {
		QueueRules rules = rules(40);
		rules.seed = seed;
		rules.lease = 3 * SECOND;
		rules.countReceivers = true;
		rules.crashes = SECOND;
		rules.breaks = 50_000;
		assertHealthy(new QueueModel(rules).run(20 * SECOND));
	}

	@ParameterizedTest
	@ValueSource(longs = { 1, 2, 3 })
	void faultsLeaveNoFreeNameUnasked(long seed) {
		QueueRules rules = rules(40);
		rules.seed = seed;
		rules.lease = 3 * SECOND;
		rules.lostMessages = 0.05;
		rules.lateMessages = 0.001;
		rules.breaks = 50_000;
		rules.crashes = SECOND;
		rules.restarts = 6 * SECOND;
		rules.clockSteps = 10 * SECOND;
		rules.countReceivers = true;
		QueueModel model = new QueueModel(rules).run(20 * SECOND);
		assertSafe(model);
		// Two faults may meet, such as a lost message and a dead second.
		assertThat(model.longestIdle).as("%s", model).isLessThan(2 * allowedIdle(rules));
		assertThat(model.least()).as("%s", model).isGreaterThan(5);
		assertThat(model.commandsPerGrant()).as("%s", model).isLessThan(25);
		assertThat(model.messagesPerGrant()).as("%s", model).isLessThanOrEqualTo(3);
		// A ticket that a broken connection left is dropped when it is offered the name.
		assertThat(model.strayTickets(STRAY)).as("%s", model).isLessThan(rules.nodes);
	}

	@Test
	void aDeadFirstCostsTwoOperationTimeouts() {
		QueueRules rules = rules(40);
		rules.dead = 1;
		QueueModel model = new QueueModel(rules).run(4 * SECOND);
		assertHealthy(model);
		assertThat(model.longestGap).as("%s", model).isBetween(200_000L, 250_000L);
	}

	@Test
	void deadInstancesThatNobodyListensForCostNothing() {
		QueueRules rules = rules(40);
		rules.dead = 20;
		rules.countReceivers = true;
		QueueModel model = new QueueModel(rules).run(4 * SECOND);
		assertHealthy(model);
		assertThat(model.longestGap).as("%s", model).isLessThan(50_000);
	}

	@Test
	void oneThousandInstancesAreServedInTurn() {
		assertServed(1_000);
	}

	@Test
	@Tag("proof")
	void tenThousandInstancesAreServedInTurn() {
		assertServed(10_000);
	}

	@Test
	@Tag("proof")
	void hundredsOfFaultySchedulesLeaveNoFreeNameUnasked() {
		for (long seed = 100; seed < 300; seed++) {
			faultsLeaveNoFreeNameUnasked(seed);
		}
	}

	@Test
	void waitersBehindALongHoldAskSeldom() {
		QueueRules rules = rules(2);
		rules.hold = 20 * SECOND;
		QueueModel model = new QueueModel(rules).run(300 * SECOND);
		assertHealthy(model);
		assertThat(model.asks).as("%s", model).isLessThan(10 * model.grants);
		rules.calm = false;
		assertThat(new QueueModel(rules).run(300 * SECOND).asks).isGreaterThan(40 * model.grants);
	}

	@Test
	void nobodyWhoseWaitEndsIsToldOfDividedVotes() {
		QueueRules rules = rules(100);
		rules.wait = 200_000;
		rules.hold = 20_000;
		QueueModel model = new QueueModel(rules).run(5 * SECOND);
		assertHealthy(model);
		assertThat(model.gaveUp).isPositive();
	}

	// Rules whose absence must show

	@Test
	void anOwnFailedRoundThatWakesItsClaimKeepsItAskingBehindABareMajority() {
		QueueRules rules = rules(2);
		rules.hold = 50_000;
		assertThat(new QueueModel(rules).run(20 * SECOND).mostAttempts).isLessThan(6);
		rules.ownReleaseWakes = true;
		rules.offersToOwn = true;
		assertThat(new QueueModel(rules).run(20 * SECOND).mostAttempts).isGreaterThan(12);
	}

	@Test
	void withoutAWithdrawBehindLateRefusalsTicketsStay() {
		QueueRules rules = rules(40);
		rules.withdrawLate = false;
		rules.answerUnknown = false;
		assertThat(new QueueModel(rules).run(4 * SECOND).strayTickets(STRAY)).isGreaterThan(10);
	}

	@Test
	void anOfferThatNeverEndsStopsEverybodyBehindADeadFirst() {
		QueueRules rules = rules(40);
		rules.dead = 3;
		rules.offerEnds = false;
		assertThat(new QueueModel(rules).run(4 * SECOND).grants).isLessThan(100);
	}

	@Test
	void aSecondThatIsNotToldLeavesTheNameIdle() {
		QueueRules rules = rules(40);
		rules.dead = 3;
		rules.tellSecond = false;
		assertThat(new QueueModel(rules).run(10 * SECOND).longestIdle).isGreaterThan(allowedIdle(rules));
	}

	private static QueueRules rules(int instances) {
		QueueRules rules = new QueueRules();
		rules.instances = instances;
		return rules;
	}

	private static void assertServed(int instances) {
		QueueRules rules = rules(instances);
		rules.once = true;
		rules.arrival = SECOND;
		QueueModel model = new QueueModel(rules).run(120 * SECOND);
		assertHealthy(model);
		assertThat(model.grants).as("%s", model).isEqualTo(instances);
		assertThat(model.commandsPerGrant()).as("%s", model).isLessThan(10);
		assertThat(model.messagesPerGrant()).as("%s", model).isLessThan(3);
		assertThat(model.strayTickets(STRAY)).as("%s", model).isZero();
	}

	private static void assertSafe(QueueModel model) {
		assertThat(model.violation).isNull();
		assertThat(model.untruthful).as("%s", model).isZero();
	}

	private static void assertHealthy(QueueModel model) {
		assertSafe(model);
		assertThat(model.longestIdle).as("%s", model).isLessThan(allowedIdle(new QueueRules()));
	}

	/** Two operation timeouts and a pause. */
	private static long allowedIdle(QueueRules rules) {
		return 2 * rules.operationTimeout + rules.maxDelay;
	}

}
