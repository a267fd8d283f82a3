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
import java.util.function.UnaryOperator;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link EngineSettings}.
 */
class EngineSettingsTests {

	@Test
	void valuesOutOfRangeAreRefused() {
		refuses((builder) -> builder.waitTime(Duration.ofMillis(-1)), "wait time: PT-0.001S");
		refuses((builder) -> builder.leaseTime(Duration.ZERO), "lease time: PT0S");
		refuses((builder) -> builder.maxLeaseTime(Duration.ZERO), "longest lease: PT0S");
		refuses((builder) -> builder.maxHoldTime(Duration.ofMillis(-1)), "longest hold: PT-0.001S");
		refuses((builder) -> builder.maxAttempts(0), "attempts: 0");
		refuses((builder) -> builder.retainTime(Duration.ofMillis(-1)), "retain time: PT-0.001S");
	}

	@Test
	void everySettingIsTaken() {
		assertThat(EngineSettings.builder("app")
			.propertyPrefix("lock.")
			.waitTime(Duration.ofMillis(1))
			.leaseTime(Duration.ofMillis(2))
			.maxLeaseTime(Duration.ofMillis(3))
			.maxHoldTime(Duration.ofMillis(4))
			.immediateLimit(Duration.ofMillis(5))
			.maxAttempts(1)
			.unavailableFailFast(true)
			.handover(7, Duration.ofMillis(8))
			.retainTime(Duration.ofMillis(9))
			.recordingCallers(true)
			.confirmingReleases(false)
			.build())
			.isEqualTo(new EngineSettings("app", "lock.", Duration.ofMillis(1), Duration.ofMillis(2),
					Duration.ofMillis(3), Duration.ofMillis(4), Duration.ofMillis(5), 1, true, 7, Duration.ofMillis(8),
					Duration.ofMillis(9), true, false));
	}

	@Test
	void settingsOfTheSameValuesAreEqual() {
		assertThat(EngineSettings.builder("app").build()).isEqualTo(EngineSettings.builder("app").build());
	}

	private static void refuses(UnaryOperator<EngineSettings.Builder> change, String message) {
		EngineSettings.Builder builder = change.apply(EngineSettings.builder("app"));
		assertThatIllegalArgumentException().isThrownBy(builder::build).withMessageContaining(message);
	}

}
