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

import static org.assertj.core.api.Assertions.assertThat;

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

	private static long stepMicros(Duration maxLeaseTime, Duration retention) {
		return new Timing(QuorumSettings.builder("app").maxLeaseTime(maxLeaseTime).fencingRetention(retention).build())
			.readersStepMicros();
	}

}
