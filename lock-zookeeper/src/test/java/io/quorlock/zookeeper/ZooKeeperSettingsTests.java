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

package io.quorlock.zookeeper;

import java.time.Duration;
import java.util.Map;
import java.util.function.UnaryOperator;

import org.junit.jupiter.api.Test;

import io.quorlock.Settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link ZooKeeperSettings}.
 */
class ZooKeeperSettingsTests {

	@Test
	void valuesOutOfRangeAreRefused() {
		refuses((builder) -> builder.set(ZooKeeperSettings::sessionTimeout, Duration.ZERO), "session timeout: PT0S");
		refuses((builder) -> builder.set(ZooKeeperSettings::operationTimeout, Duration.ZERO),
				"operation timeout: PT0S");
		refuses((builder) -> builder.set(ZooKeeperSettings::clockDriftFactor, 0.2), "drift factor: 0.2");
		refuses((builder) -> builder.set(ZooKeeperSettings::clockDriftFactor, -0.01), "drift factor: -0.01");
		refuses((builder) -> builder.set(ZooKeeperSettings::fencingFloor, -1L), "floor: -1");
	}

	@Test
	void propertiesThatAreSetWinOverThoseThatAreSupplied() {
		ZooKeeperSettings settings = builder().set(ZooKeeperSettings::clientProperties, Map.of("a", "set"))
			.set(ZooKeeperSettings::moreClientProperties, () -> Map.of("a", "supplied", "b", "supplied"))
			.build();
		assertThat(settings.nextClientProperties()).containsOnly(Map.entry("a", "set"), Map.entry("b", "supplied"));
	}

	@Test
	void textOfSettingsShowsNoSecrets() {
		ZooKeeperSettings settings = builder().set(ZooKeeperSettings::clientProperties, Map.of("password", "secret"))
			.build();
		assertThat(settings).hasToString("ZooKeeperSettings[localhost:2181/quorlock]");
	}

	private static void refuses(UnaryOperator<Settings<ZooKeeperSettings>> change, String message) {
		Settings<ZooKeeperSettings> builder = change.apply(builder());
		assertThatIllegalArgumentException().isThrownBy(builder::build).withMessageContaining(message);
	}

	private static Settings<ZooKeeperSettings> builder() {
		return TestZooKeeperSettings.with("localhost:2181", "app");
	}

}
