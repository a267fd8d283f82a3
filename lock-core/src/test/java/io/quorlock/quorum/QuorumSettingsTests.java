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
import java.util.function.UnaryOperator;

import org.junit.jupiter.api.Test;

import io.quorlock.Settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link QuorumSettings}.
 */
class QuorumSettingsTests {

	@Test
	void valuesOutOfRangeAreRefused() {
		refuses((builder) -> builder.set(QuorumSettings::operationTimeout, Duration.ZERO), "operation timeout: PT0S");
		refuses((builder) -> builder.set(QuorumSettings::retryMinDelay, Duration.ofMillis(2))
			.set(QuorumSettings::retryMaxDelay, Duration.ofMillis(1)), "retry delay: PT0.002S");
		refuses((builder) -> builder.set(QuorumSettings::retryMinDelay, Duration.ofMillis(-1))
			.set(QuorumSettings::retryMaxDelay, Duration.ofMillis(1)), "delay: PT-0.001S");
		refuses((builder) -> builder.set(QuorumSettings::maxLeaseTime, Duration.ZERO), "lease: PT0S");
		refuses((builder) -> builder.set(QuorumSettings::clockDriftFactor, -0.01), "drift factor: -0.01");
		refuses((builder) -> builder.set(QuorumSettings::clockDriftFactor, 0.11), "drift factor: 0.11");
		refuses((builder) -> builder.set(QuorumSettings::clockDriftFactor, Double.NaN), "drift factor: NaN");
		refuses((builder) -> builder.set(QuorumSettings::fencingRetention, Duration.ofMillis(-1)),
				"retention: PT-0.001S");
		refuses((builder) -> builder.set(QuorumSettings::fencingFloor, -1L), "floor: -1");
	}

	@Test
	void valuesAtTheEndsOfTheirRangesAreTaken() {
		Duration pause = Duration.ofMillis(2);
		QuorumSettings settings = Settings.quorum("app")
			.set(QuorumSettings::retryMinDelay, pause)
			.set(QuorumSettings::retryMaxDelay, pause)
			.set(QuorumSettings::clockDriftFactor, 0.1)
			.build();
		assertThat(settings.retryMinDelay()).isEqualTo(settings.retryMaxDelay());
		assertThat(settings.clockDriftFactor()).isEqualTo(0.1);
	}

	private static void refuses(UnaryOperator<Settings<QuorumSettings>> change, String message) {
		Settings<QuorumSettings> builder = change.apply(Settings.quorum("app"));
		assertThatIllegalArgumentException().isThrownBy(builder::build).withMessageContaining(message);
	}

}
