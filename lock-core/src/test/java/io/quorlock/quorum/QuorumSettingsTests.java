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
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link QuorumSettings}.
 */
class QuorumSettingsTests {

	@Test
	void valuesOutOfRangeAreRefused() {
		refuses((builder) -> builder.operationTimeout(Duration.ZERO), "operation timeout: PT0S");
		refuses((builder) -> builder.retryDelay(Duration.ofMillis(2), Duration.ofMillis(1)), "retry delay: PT0.002S");
		refuses((builder) -> builder.retryDelay(Duration.ofMillis(-1), Duration.ofMillis(1)), "delay: PT-0.001S");
		refuses((builder) -> builder.maxLeaseTime(Duration.ZERO), "lease: PT0S");
		refuses((builder) -> builder.clockDriftFactor(-0.01), "drift factor: -0.01");
		refuses((builder) -> builder.clockDriftFactor(0.11), "drift factor: 0.11");
		refuses((builder) -> builder.clockDriftFactor(Double.NaN), "drift factor: NaN");
		refuses((builder) -> builder.fencingRetention(Duration.ofMillis(-1)), "retention: PT-0.001S");
		refuses((builder) -> builder.fencingFloor(-1), "floor: -1");
	}

	@Test
	void valuesAtTheEndsOfTheirRangesAreTaken() {
		Duration pause = Duration.ofMillis(2);
		QuorumSettings settings = QuorumSettings.builder("app").retryDelay(pause, pause).clockDriftFactor(0.1).build();
		assertThat(settings.retryMinDelay()).isEqualTo(settings.retryMaxDelay());
		assertThat(settings.clockDriftFactor()).isEqualTo(0.1);
	}

	@Test
	void everySettingIsTaken() {
		LongSupplier random = () -> 42;
		assertThat(QuorumSettings.builder("app")
			.operationTimeout(Duration.ofMillis(1))
			.retryDelay(Duration.ofMillis(2), Duration.ofMillis(3))
			.maxLeaseTime(Duration.ofMillis(4))
			.clockDriftFactor(0.05)
			.fencing(false)
			.fencingRetention(Duration.ofMillis(6))
			.fencingFloor(7)
			.handoverMaxDuration(Duration.ofMillis(8))
			.random(random)
			.build())
			.isEqualTo(new QuorumSettings("app", Duration.ofMillis(1), Duration.ofMillis(2), Duration.ofMillis(3),
					Duration.ofMillis(4), 0.05, false, Duration.ofMillis(6), 7, Duration.ofMillis(8), random, random));
	}

	/** Two processes with one instance id must not take each other's keys for theirs. */
	@Test
	void identityIsAnotherForEachStartAndPausesAreRandom() {
		QuorumSettings settings = QuorumSettings.builder("app").build();
		assertThat(settings.identity().getAsLong()).isNotEqualTo(settings.identity().getAsLong());
		assertThat(settings.random().getAsLong()).isNotEqualTo(settings.random().getAsLong());
	}

	@Test
	void sourceOfRandomNumbersDistinguishesTheOwnerToo() {
		QuorumSettings settings = QuorumSettings.builder("app").random(() -> 42).build();
		assertThat(settings.identity().getAsLong()).isEqualTo(42);
	}

	private static void refuses(UnaryOperator<QuorumSettings.Builder> change, String message) {
		QuorumSettings.Builder builder = change.apply(QuorumSettings.builder("app"));
		assertThatIllegalArgumentException().isThrownBy(builder::build).withMessageContaining(message);
	}

}
