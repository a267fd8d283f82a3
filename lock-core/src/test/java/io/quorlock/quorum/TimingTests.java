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

package io.quorlock.quorum;

import java.time.Duration;

import org.junit.jupiter.api.Test;

import io.quorlock.Settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link Timing}.
 */
class TimingTests {

	/** Two steps are less than what the quarantine and the retention outlast (R19). */
	@Test
	void tokensOfReadersFollowTheClockInStepsOfAFewSecondsAtMost() {
		assertThat(stepMicros(Duration.ofSeconds(60), Duration.ofMinutes(10))).isEqualTo(3_000_000);
		assertThat(stepMicros(Duration.ofDays(20), Duration.ofDays(40))).isEqualTo(3_000_000);
		assertThat(stepMicros(Duration.ofSeconds(60), Duration.ofMillis(Long.MAX_VALUE))).isEqualTo(3_000_000);
		assertThat(stepMicros(Duration.ofSeconds(2), Duration.ofMinutes(10))).isEqualTo(100_000);
		assertThat(stepMicros(Duration.ofSeconds(60), Duration.ofSeconds(1))).isEqualTo(100_000);
		assertThat(stepMicros(Duration.ofSeconds(60), Duration.ZERO)).isEqualTo(1);
	}

	private final Timing timing = new Timing(Settings.quorum("app")
		.set(QuorumSettings::operationTimeout, Duration.ofMillis(100))
		.set(QuorumSettings::retryMinDelay, Duration.ofMillis(50))
		.set(QuorumSettings::retryMaxDelay, Duration.ofMillis(500))
		.set(QuorumSettings::maxLeaseTime, Duration.ofSeconds(60))
		.set(QuorumSettings::clockDriftFactor, 0.01)
		.set(QuorumSettings::fencingRetention, Duration.ofMinutes(10))
		.build());

	/** R8: until then a release is repeated. */
	@Test
	void keyOutlivesTheLongestLeaseByTheDriftAndTheTimeout() {
		assertThat(this.timing.longestLifeNanos).isEqualTo(Duration.ofMillis(60_000 + 602 + 100).toNanos());
	}

	@Test
	void fencesLiveForTheLeaseAndTheirRetention() {
		long lease = Duration.ofSeconds(30).toNanos();
		assertThat(this.timing.driftMarginNanos(lease)).isEqualTo(Duration.ofMillis(302).toNanos());
		assertThat(this.timing.fenceMillis(lease)).isEqualTo(630_000);
	}

	@Test
	void ticketLivesAsLongAsTheClaimWaitsButForHalfAMinuteAtMost() {
		assertThat(this.timing.offerMillis()).isEqualTo(200);
		assertThat(this.timing.ticketMillis(Duration.ofSeconds(20).toNanos())).isEqualTo(20_200);
		assertThat(this.timing.ticketMillis(-5)).isEqualTo(200);
		assertThat(this.timing.ticketMillis(Duration.ofDays(1).toNanos())).isEqualTo(30_000);
	}

	@Test
	void pausesGrowFromTheShortestToTheLongest() {
		for (int attempts = 1; attempts < 100; attempts++) {
			long max = Math.min(500, 50L << Math.min(attempts, 10));
			for (long random : new long[] { 0, 1, -1, Long.MAX_VALUE, Long.MIN_VALUE, max * 1_000_000 - 50_000_001 }) {
				assertThat(paused(random, attempts)).isBetween(50_000_000L, max * 1_000_000 - 1);
			}
			assertThat(paused(-1, attempts)).isEqualTo(max * 1_000_000 - 1);
		}
	}

	private static long paused(long random, int attempts) {
		return new Timing(Settings.quorum("app")
			.set(QuorumSettings::retryMinDelay, Duration.ofMillis(50))
			.set(QuorumSettings::retryMaxDelay, Duration.ofMillis(500))
			.set(QuorumSettings::random, () -> random)
			.set(QuorumSettings::identity, () -> random)
			.build()).backOffNanos(attempts);
	}

	@Test
	void leaseIsTooShortIfTheDriftTakesAllOfIt() {
		this.timing.checkLease(3_000_000, "order");
		assertThatIllegalArgumentException().isThrownBy(() -> this.timing.checkLease(2_000_000, "order"))
			.withMessage(
					"Lease time 2 ms of lock 'order' is too short: clock drift takes 2 ms of it; the least is 3 ms");
		Timing drifting = new Timing(Settings.quorum("app").set(QuorumSettings::clockDriftFactor, 0.1).build());
		drifting.checkLease(3_000_000, "order");
		assertThatIllegalArgumentException().isThrownBy(() -> drifting.checkLease(2_200_000, "order"))
			.withMessageEndingWith("the least is 3 ms");
	}

	private static long stepMicros(Duration maxLeaseTime, Duration retention) {
		return new Timing(Settings.quorum("app")
			.set(QuorumSettings::maxLeaseTime, maxLeaseTime)
			.set(QuorumSettings::fencingRetention, retention)
			.build()).readersStepMicros();
	}

}
