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

import java.util.Objects;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import io.quorlock.quorum.membership.ClockHistory.Advance;
import io.quorlock.quorum.membership.ClockHistory.Sample;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ClockHistory}.
 */
class ClockHistoryTests {

	private static final long MILLI = 1_000_000;

	private static final long SECOND = 1_000 * MILLI;

	private final ClockHistory history = new ClockHistory(60 * SECOND, 0);

	/** Of a clock that nobody steps. */
	private static Sample sample(long sentMillis, long roundTripMillis) {
		return new Sample(sentMillis * MILLI, (sentMillis + roundTripMillis) * MILLI, sentMillis * 1_000);
	}

	private @Nullable Advance during(long fromMillis, long toMillis) {
		return this.history.advanceDuring(new Advance(sample(fromMillis, 1), sample(toMillis, 1), 0, 0));
	}

	/** A node is asked once a second for as long as the process runs. */
	@Test
	void samplesOfLongAgoAreForgotten() {
		for (int i = 0; i < 200; i++) {
			this.history.add(sample(i * 1_000, 1));
		}
		assertThat(during(150_500, 160_500)).isNotNull();
		assertThat(during(50_500, 160_500)).isNull();
	}

	@Test
	void advanceIsThatBetweenTheShortestQuestionsAroundTheOther() {
		this.history.add(sample(0, 1));
		this.history.add(sample(2_000, 50));
		this.history.add(sample(3_000, 5));
		this.history.add(sample(4_000, 20));
		Advance advance = Objects.requireNonNull(during(1_000, 1_500));
		assertThat(advance.after()).isEqualTo(sample(3_000, 5));
		assertThat(advance.before()).isEqualTo(sample(0, 1));
	}

	@Test
	void advanceNeedsAQuestionBeforeAndOneBehindTheOther() {
		this.history.add(sample(1_000, 1));
		assertThat(during(2_000, 3_000)).isNull();
		assertThat(during(0, 500)).isNull();
		this.history.add(sample(4_000, 1));
		assertThat(during(2_000, 3_000)).isNotNull();
	}

	/** Each time was read somewhere between the question and its reply. */
	@Test
	void advanceIsKnownAsWellAsTheRoundTripsAllow() {
		this.history.add(new Sample(0, 100 * MILLI, 50_000));
		Advance advance = Objects.requireNonNull(this.history.add(new Sample(1_000 * MILLI, 1_200 * MILLI, 1_100_000)));
		// It advanced by 1,050 ms in 900 to 1,200 ms, of which a microsecond is lost.
		assertThat(advance.minMicros()).isEqualTo(-150_001);
		assertThat(advance.maxMicros()).isEqualTo(150_001);
	}

	/** As fast or as slow as they may be, whichever makes the bound wider. */
	@Test
	void advanceIsKnownAsWellAsTheRatesOfTheClocksAllow() {
		ClockHistory drifting = new ClockHistory(60 * SECOND, 0.01);
		drifting.add(new Sample(0, 100 * MILLI, 50_000));
		Advance advance = Objects.requireNonNull(drifting.add(new Sample(1_000 * MILLI, 1_200 * MILLI, 1_100_000)));
		// It advanced by 1,050 ms in 891 to 1,212 ms.
		assertThat(advance.minMicros()).isBetween(-162_002L, -162_000L);
		assertThat(advance.maxMicros()).isBetween(159_000L, 159_002L);
	}

}
