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

import org.junit.jupiter.api.Test;

import io.quorlock.quorum.AcquireDecision.Settlement;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Settlement} (R4).
 */
class SettlementTests {

	private static final long MILLI = 1_000_000;

	private final Settlement settlement = new Settlement(200 * MILLI, 100 * MILLI);

	/** A quarter of an operation timeout, so that replies can come in time. */
	@Test
	void settlementIsOverWhenThereIsNoTimeForAnotherQuestion() {
		assertThat(this.settlement.isOver(175 * MILLI - 1)).isFalse();
		assertThat(this.settlement.isOver(175 * MILLI)).isTrue();
		assertThat(this.settlement.untilLastQuestionNanos(150 * MILLI)).isEqualTo(25 * MILLI);
		assertThat(this.settlement.askAgainNanos(100 * MILLI, 170 * MILLI)).isEqualTo(5 * MILLI);
		assertThat(this.settlement.remainingNanos(150 * MILLI)).isEqualTo(50 * MILLI);
	}

	@Test
	void ownerThatIsSeenForHalfAnOperationTimeoutIsPassedOver() {
		assertThat(this.settlement.isPassedOver("one", 10 * MILLI)).isFalse();
		assertThat(this.settlement.isPassedOver("other", 30 * MILLI)).isFalse();
		assertThat(this.settlement.isPassedOver("one", 60 * MILLI - 1)).isFalse();
		assertThat(this.settlement.isPassedOver("one", 60 * MILLI)).isTrue();
		assertThat(this.settlement.isPassedOver("other", 60 * MILLI)).isFalse();
	}

	/** They begin with half a round trip. */
	@Test
	void pausesOfWhoComesFirstDoubleUpToAQuarterOfAnOperationTimeout() {
		assertThat(this.settlement.askAgainNanos(MILLI, 0)).isEqualTo(MILLI);
		assertThat(this.settlement.askAgainNanos(MILLI, 0)).isEqualTo(2 * MILLI);
		assertThat(this.settlement.askAgainNanos(4 * MILLI, 0)).isEqualTo(8 * MILLI);
		assertThat(this.settlement.askAgainNanos(MILLI, 0)).isEqualTo(8 * MILLI);
		for (int i = 0; i < 100; i++) {
			assertThat(this.settlement.askAgainNanos(MILLI, 0)).isBetween(16 * MILLI, 25 * MILLI);
		}
		assertThat(this.settlement.askAgainNanos(MILLI, 0)).isEqualTo(25 * MILLI);
	}

	/** Meanwhile whoever comes first asks again. */
	@Test
	void pausesOfTheOthersDoubleUpToAQuarterOfAnOperationTimeout() {
		assertThat(this.settlement.standBackNanos(MILLI / 2)).isEqualTo(4 * MILLI);
		assertThat(this.settlement.standBackNanos(2 * MILLI)).isEqualTo(16 * MILLI);
		for (int i = 0; i < 100; i++) {
			assertThat(this.settlement.standBackNanos(MILLI)).isBetween(16 * MILLI, 25 * MILLI);
		}
		assertThat(this.settlement.standBackNanos(MILLI)).isEqualTo(25 * MILLI);
	}

}
