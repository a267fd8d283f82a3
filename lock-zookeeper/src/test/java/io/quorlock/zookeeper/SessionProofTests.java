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

import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * R22: what heartbeats with a reply prove. Times in milliseconds, the timeout is 12 s.
 */
class SessionProofTests {

	private static final long TIMEOUT = 12_000;

	private static final double DRIFT = 0.01;

	private static final long VALIDITY = TIMEOUT - 120 - 2;

	private final SessionProof proof = new SessionProof(nanos(TIMEOUT), DRIFT, nanos(1_000));

	@Test
	void provesANewSessionFromWhenItsConnectWasBegun() {
		assertProven(1_000 + VALIDITY);
	}

	@Test
	void provesTheLatestEarlierHeartbeatAThirdOfTheTimeoutBefore() {
		beat(2_000);
		beat(4_000);
		assertProven(1_000 + VALIDITY);
		beat(6_000);
		assertProven(2_000 + VALIDITY);
		beat(8_000);
		assertProven(4_000 + VALIDITY);
	}

	@Test
	void doesNotProveTheHeartbeatThatIsRepliedTo() {
		beat(20_000);
		assertProven(1_000 + VALIDITY);
	}

	@Test
	void learnsNothingFromBunchedHeartbeats() {
		beat(2_000);
		for (int i = 0; i < 50; i++) {
			beat(4_000 + i);
		}
		assertProven(1_000 + VALIDITY);
	}

	@Test
	void learnsNothingFromAHeartbeatThatTheNetworkDeliveredWithTheNext() {
		SessionProof.Heartbeat held = this.proof.sent(nanos(2_000));
		SessionProof.Heartbeat next = this.proof.sent(nanos(6_000));
		// Both replies come together: the first may have arrived with the second.
		this.proof.replied(held, nanos(6_010));
		this.proof.replied(next, nanos(6_011));
		assertProven(1_000 + VALIDITY);
		beat(10_000);
		assertProven(6_000 + VALIDITY);
	}

	@Test
	void learnsNothingFromAHeartbeatWithoutAReply() {
		this.proof.sent(nanos(2_000));
		beat(7_000);
		assertProven(1_000 + VALIDITY);
	}

	/** Of the last that was replied to, the leader may not know yet. */
	@Test
	void learnsNothingFromAHeartbeatLessThanAThirdOfTheTimeoutBefore() {
		beat(2_000);
		beat(5_999);
		assertProven(1_000 + VALIDITY);
		beat(6_000);
		assertProven(2_000 + VALIDITY);
	}

	@Test
	void remembersAFewHeartbeatsOnly() {
		beat(2_000);
		for (int i = 0; i < 32; i++) {
			this.proof.sent(nanos(2_001));
		}
		beat(6_000);
		assertProven(1_000 + VALIDITY);
	}

	@Test
	void tellsSinceWhenItCounts() {
		assertThat(this.proof.provenSince()).isEqualTo(nanos(1_000));
		beat(2_000);
		assertThat(this.proof.provenSince()).isEqualTo(nanos(1_000));
		beat(6_000);
		assertThat(this.proof.provenSince()).isEqualTo(nanos(2_000));
	}

	@Test
	void acceptsTheExactBounds() {
		SessionProof.Heartbeat first = this.proof.sent(nanos(2_000));
		this.proof.replied(first, nanos(3_000));
		beat(5_999);
		assertProven(1_000 + VALIDITY);
		beat(6_000);
		assertProven(2_000 + VALIDITY);
	}

	@Test
	void endsWithTheProof() {
		long end = 1_000 + VALIDITY;
		int number = this.proof.current(nanos(1_100));
		assertThat(this.proof.current(nanos(end) - 1)).isEqualTo(number);
		assertThat(this.proof.current(nanos(end))).isNotEqualTo(number);
		assertThat(this.proof.current(nanos(end))).isNegative();
	}

	@Test
	void isFinalOnceItWasSeenToHaveEnded() {
		beat(2_000);
		SessionProof.Heartbeat late = this.proof.sent(nanos(6_500));
		int number = this.proof.current(nanos(3_000));
		long end = 1_000 + VALIDITY;
		assertThat(this.proof.current(nanos(end))).isNotEqualTo(number);
		// A reply with an older reading of the clock does not revive it.
		this.proof.replied(late, nanos(end) - 5);
		assertThat(this.proof.current(nanos(end) + 1)).isNotEqualTo(number);
	}

	/** What it proves ended before the reply came. */
	@Test
	void isNotRenewedByAReplyThatComesTooLate() {
		beat(6_000);
		SessionProof.Heartbeat last = this.proof.sent(nanos(12_000));
		long end = 6_000 + VALIDITY;
		assertThat(this.proof.replied(last, nanos(end))).isFalse();
		assertProven(end);
		assertThat(this.proof.current(nanos(end))).isNegative();
	}

	@Test
	void noticesAnEndThatWasNotSeen() {
		int number = this.proof.current(nanos(1_100));
		beat(6_000);
		SessionProof.Heartbeat last = this.proof.sent(nanos(12_000));
		// The process slept from 12 s to 14 s; the session lives, and was not proven.
		assertThat(this.proof.replied(last, nanos(14_000))).isTrue();
		assertThat(this.proof.current(nanos(14_000))).isNotEqualTo(number);
		assertThat(this.proof.current(nanos(14_000))).isNotEqualTo(number).isNotNegative();
	}

	@Test
	void goesOnWithoutAGapWhileHeartbeatsAreRepliedTo() {
		int number = this.proof.current(nanos(1_100));
		for (long t = 2_000; t < 600_000; t += 2_000) {
			beat(t);
			assertThat(this.proof.current(nanos(t + 1_999))).isEqualTo(number);
			assertThat(this.proof.provenUntil() - nanos(t)).isGreaterThan(nanos(TIMEOUT / 3));
		}
	}

	@Test
	void neverMovesTheEndBack() {
		beat(2_000);
		beat(6_100);
		long until = this.proof.provenUntil();
		beat(6_200);
		assertThat(this.proof.provenUntil()).isEqualTo(until);
	}

	@Test
	void goesOnBehindAReconnectThatLiesFarBack() {
		this.proof.moved(nanos(2_000), nanos(2_050));
		for (long t = 2_050; t <= 20_050; t += 2_000) {
			beat(t);
		}
		assertProven(16_050 + VALIDITY);
		assertThat(this.proof.provenSince()).isEqualTo(nanos(16_050));
	}

	@Test
	void provesAReconnectWithTheFirstHeartbeatBehindIt() {
		beat(2_000);
		this.proof.moved(nanos(9_000), nanos(9_050));
		assertProven(1_000 + VALIDITY);
		beat(9_050);
		assertProven(9_000 + VALIDITY);
	}

	@Test
	void learnsNothingFromAReconnectThatNoHeartbeatWasSentBehind() {
		SessionProof.Heartbeat before = this.proof.sent(nanos(1_500));
		this.proof.moved(nanos(3_000), nanos(3_050));
		// A leader that was cut off lets a session move as well.
		this.proof.replied(before, nanos(3_100));
		assertProven(1_000 + VALIDITY);
	}

	@Test
	void learnsNothingOfAConnectionFromAHeartbeatOnTheNext() {
		this.proof.moved(nanos(2_000), nanos(2_050));
		SessionProof.Heartbeat queued = this.proof.sent(nanos(2_100));
		this.proof.moved(nanos(3_000), nanos(3_050));
		this.proof.replied(queued, nanos(3_060));
		assertProven(1_000 + VALIDITY);
	}

	private void beat(long millis) {
		this.proof.replied(this.proof.sent(nanos(millis)), nanos(millis));
	}

	private void assertProven(long untilMillis) {
		assertThat(this.proof.provenUntil()).isEqualTo(nanos(untilMillis));
	}

	private static long nanos(long millis) {
		return TimeUnit.MILLISECONDS.toNanos(millis);
	}

}
