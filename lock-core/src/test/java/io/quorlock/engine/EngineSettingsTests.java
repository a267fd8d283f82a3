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

import io.quorlock.Settings;

import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link EngineSettings}.
 */
class EngineSettingsTests {

	@Test
	void valuesOutOfRangeAreRefused() {
		refuses((builder) -> builder.set(EngineSettings::waitTime, Duration.ofMillis(-1)), "wait time: PT-0.001S");
		refuses((builder) -> builder.set(EngineSettings::leaseTime, Duration.ZERO), "lease time: PT0S");
		refuses((builder) -> builder.set(EngineSettings::maxLeaseTime, Duration.ZERO), "longest lease: PT0S");
		refuses((builder) -> builder.set(EngineSettings::maxHoldTime, Duration.ofMillis(-1)),
				"longest hold: PT-0.001S");
		refuses((builder) -> builder.set(EngineSettings::maxAttempts, 0), "attempts: 0");
		refuses((builder) -> builder.set(EngineSettings::retainTime, Duration.ofMillis(-1)), "retain time: PT-0.001S");
	}

	private static void refuses(UnaryOperator<Settings<EngineSettings>> change, String message) {
		Settings<EngineSettings> builder = change.apply(Settings.engine("app"));
		assertThatIllegalArgumentException().isThrownBy(builder::build).withMessageContaining(message);
	}

}
