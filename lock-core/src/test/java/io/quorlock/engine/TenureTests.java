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
import io.quorlock.Settings;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Tenure} (R17, R24).
 */
class TenureTests {

	private static final LockRequest ORDER = LockRequest.of("order");

	private static final Duration SECOND = Duration.ofSeconds(1);

	private static EngineSettings settings(int handoverMax) {
		return Settings.engine("app@host:1")
			.set(EngineSettings::handoverMax, handoverMax)
			.set(EngineSettings::handoverMaxDuration, Duration.ofMillis(50))
			.set(EngineSettings::retainTime, Duration.ofSeconds(5))
			.build();
	}

	@Test
	void onlyOneLockThatIsRenewedAndNeitherFairNorCoolsDownIsKeptUnused() {
		assertThat(Tenure.retainTime(settings(16), ORDER)).isEqualTo(Duration.ofSeconds(5));
		assertThat(Tenure.retainTime(settings(16), ORDER.retainTime(SECOND))).isEqualTo(SECOND);
		assertThat(Tenure.retainTime(settings(16), ORDER.retainTime(Duration.ZERO))).isZero();
		assertThat(Tenure.retainTime(settings(16), ORDER.leaseTime(SECOND))).isZero();
		assertThat(Tenure.retainTime(settings(16), ORDER.holdAtLeast(SECOND))).isZero();
		assertThat(Tenure.retainTime(settings(16), ORDER.fair())).isZero();
		assertThat(Tenure.retainTime(settings(16), ORDER.shared())).isZero();
		assertThat(Tenure.retainTime(settings(16), ORDER.permits(2))).isZero();
		assertThat(Tenure.retainTime(settings(16), LockRequest.ofAll("a", "b"))).isZero();
	}

	private static int size(int handoverMax, LockRequest request) {
		EngineSettings settings = settings(handoverMax);
		return TokenRange.size(settings, request, !Tenure.retainTime(settings, request).isZero());
	}

	@Test
	void requestTakesAsManyTokensAsHoldersMayFollowEachOther() {
		LockRequest released = ORDER.retainTime(Duration.ZERO);
		assertThat(size(16, released)).isEqualTo(16);
		assertThat(size(1, released)).isOne();
		assertThat(size(0, released)).isOne();
		assertThat(size(16, released.shared())).isOne();
		assertThat(size(16, released.fair())).isOne();
		assertThat(size(0, ORDER.retainTime(SECOND))).isEqualTo(TokenRange.FIRST_RETAINED);
	}

}
