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

package io.quorlock.engine;

import java.time.Duration;

import org.junit.jupiter.api.Test;

import io.quorlock.LockRequest;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link HandOvers} (R17, R24).
 */
class HandOversTests {

	private static final LockRequest ORDER = LockRequest.of("order");

	private static final Duration SECOND = Duration.ofSeconds(1);

	private static EngineSettings settings(int handoverMax) {
		return EngineSettings.builder("app@host:1")
			.handover(handoverMax, Duration.ofMillis(50))
			.retainTime(Duration.ofSeconds(5))
			.build();
	}

	@Test
	void onlyOneLockThatIsRenewedAndNeitherFairNorCoolsDownIsKeptUnused() {
		assertThat(HandOvers.retainTime(settings(16), ORDER)).isEqualTo(Duration.ofSeconds(5));
		assertThat(HandOvers.retainTime(settings(16), ORDER.retainTime(SECOND))).isEqualTo(SECOND);
		assertThat(HandOvers.retainTime(settings(16), ORDER.retainTime(Duration.ZERO))).isZero();
		assertThat(HandOvers.retainTime(settings(16), ORDER.leaseTime(SECOND))).isZero();
		assertThat(HandOvers.retainTime(settings(16), ORDER.holdAtLeast(SECOND))).isZero();
		assertThat(HandOvers.retainTime(settings(16), ORDER.fair())).isZero();
		assertThat(HandOvers.retainTime(settings(16), ORDER.shared())).isZero();
		assertThat(HandOvers.retainTime(settings(16), ORDER.permits(2))).isZero();
		assertThat(HandOvers.retainTime(settings(16), LockRequest.ofAll("a", "b"))).isZero();
	}

	@Test
	void requestTakesAsManyTokensAsHoldersMayFollowEachOther() {
		assertThat(HandOvers.range(settings(16), ORDER, false)).isEqualTo(16);
		assertThat(HandOvers.range(settings(1), ORDER, false)).isOne();
		assertThat(HandOvers.range(settings(0), ORDER, false)).isOne();
		assertThat(HandOvers.range(settings(16), ORDER.shared(), false)).isOne();
		assertThat(HandOvers.range(settings(16), ORDER.fair(), false)).isOne();
		assertThat(HandOvers.range(settings(0), ORDER, true)).isEqualTo(TokenRange.FIRST_RETAINED);
	}

}
