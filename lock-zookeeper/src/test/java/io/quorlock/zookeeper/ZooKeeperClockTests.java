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

package io.quorlock.zookeeper;

import java.time.Duration;
import java.util.List;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import io.quorlock.embedded.EmbeddedZooKeeper;
import io.quorlock.store.Grant;
import io.quorlock.store.TestClaim;
import io.quorlock.store.TestContender;
import io.quorlock.time.ManualTime;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What becomes of claims and cool-downs when the clock of a server is set.
 */
class ZooKeeperClockTests extends AbstractStoreTests {

	private final EmbeddedZooKeeper server = opened(EmbeddedZooKeeper.start());

	private final ServerClock clock = opened(new ServerClock());

	@Override
	String connectString() {
		return this.server.connectString();
	}

	@Test
	void refusesWhatIsHeldSinceALaterTimeThanItIsNow() {
		contend(store("a"), TestClaim.of("report")).granted();
		this.clock.set(Duration.ofHours(-1));
		ZooKeeperLeaseStore other = store("b");
		assertThat(contend(other, TestClaim.of("report")).refused().owner()).isEqualTo("a");
		assertThat(contend(other, TestClaim.of("report").waiting(Duration.ofMillis(200))).refused().owner())
			.isEqualTo("a");
	}

	@Test
	void tellsForHowLongTheFirstHasBeenInTheQueue() {
		ZooKeeperLeaseStore other = store("b");
		contend(store("a"), TestClaim.of("report")).granted();
		this.clock.set(Duration.ofHours(1));
		assertThat(contend(other, TestClaim.of("report")).refused().description())
			.matches("a is first in the queue, for 36\\d{5} ms so far");
	}

	@Test
	void grantsWhatHasCooledDownSinceLongBeforeItWasAskedFor() {
		ZooKeeperLeaseStore other = store("b");
		contend(store("a"), TestClaim.of("report")).release(Duration.ofMinutes(30), null);
		this.clock.set(Duration.ofHours(1));
		contend(other, TestClaim.of("report")).granted();
	}

	/** It may be about to give up. */
	@ParameterizedTest
	@CsvSource({ "PT1S, PT0.1S", "PT0.08S, PT0.04S" })
	void refusesNothingOnAccountOfANodeThatHasJustBeenSeen(Duration operationTimeout, Duration seen) {
		ManualTime time = new ManualTime();
		ZooKeeperLeaseStore other = new ZooKeeperLeaseStore(TestZooKeeperSettings.with(this.server.connectString(), "b")
			.set(ZooKeeperSettings::operationTimeout, operationTimeout)
			.build(), time, time, List.of());
		opened(other::close);
		other.start();
		ZooKeeperStores.awaitAvailable(other);
		contend(store("a"), TestClaim.of("report")).granted();
		this.clock.set(Duration.ofHours(-1));
		TestContender claim = TestContender.of(other, TestClaim.of("report"), time.nanoTime()).start();
		Awaitility.await().until(() -> time.isDueIn(seen) || claim.hasEnded());
		assertThat(claim.hasEnded()).isFalse();
		time.advance(seen);
		assertThat(claim.refused().owner()).isEqualTo("a");
		assertThat(claim.waitingReports()).isZero();
	}

	@Test
	void endsACooldownThatBeganAtALaterTimeThanItIsNow() {
		ZooKeeperLeaseStore first = store("a");
		TestContender holder = contend(first, TestClaim.of("report")).holds();
		holder.release(Duration.ofMillis(700), null);
		// Its own timer ends with it.
		first.close();
		this.clock.set(Duration.ofHours(-1));
		ZooKeeperLeaseStore other = store("b");
		TestContender waiter = contend(other, TestClaim.of("report").waiting(WAIT)).holds();
		assertThat(waiter.release()).isNotNull();
	}

	/** Nobody asks for the name meanwhile. */
	@Test
	void deletesACooldownThatBeganAtALaterTimeThanItIsNow() throws Exception {
		ZooKeeperLeaseStore first = store("a");
		TestContender holder = contend(first, TestClaim.of("report")).holds();
		holder.release(Duration.ofMillis(700), null);
		first.close();
		this.clock.set(Duration.ofHours(-1));
		try (RawClient admin = new RawClient(this.server.connectString())) {
			assertThat(admin.exists("/quorlock/%cooldowns/report")).isTrue();
			store("b");
			Awaitility.await().atMost(WAIT).until(() -> !admin.exists("/quorlock/%cooldowns/report"));
		}
	}

	@Test
	void reportsACooldownThatShrinks() {
		ZooKeeperLeaseStore first = store("a");
		TestContender holder = contend(first, TestClaim.of("report")).holds();
		holder.release(Duration.ofSeconds(2), null);
		first.close();
		this.clock.set(Duration.ofHours(-1));
		ZooKeeperLeaseStore other = store("b");
		contend(other, TestClaim.of("report")).refused();
		Awaitility.await().atMost(WAIT).until(() -> contend(other, TestClaim.of("report")).outcome() instanceof Grant);
	}

	/** The instance that noted the cool-down died before it began. */
	@Test
	void forgetsTheNoteOfACooldownThatHasNotBegunForAMinute() throws Exception {
		store("a");
		try (RawClient admin = new RawClient(this.server.connectString())) {
			admin.create("/quorlock/%cooldowns", "");
			admin.create("/quorlock/%cooldowns/report", "");
			this.clock.set(Duration.ofSeconds(61));
			store("b");
			Awaitility.await().until(() -> !admin.exists("/quorlock/%cooldowns/report"));
		}
	}

}
