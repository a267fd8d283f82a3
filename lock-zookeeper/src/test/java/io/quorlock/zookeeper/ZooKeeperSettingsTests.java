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

import org.apache.zookeeper.ZooDefs;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link ZooKeeperSettings}.
 */
class ZooKeeperSettingsTests {

	@Test
	void valuesOutOfRangeAreRefused() {
		refuses((builder) -> builder.sessionTimeout(Duration.ZERO), "session timeout: PT0S");
		refuses((builder) -> builder.operationTimeout(Duration.ZERO), "operation timeout: PT0S");
		refuses((builder) -> builder.clockDriftFactor(0.2), "drift factor: 0.2");
		refuses((builder) -> builder.clockDriftFactor(-0.01), "drift factor: -0.01");
		refuses((builder) -> builder.fencingFloor(-1), "floor: -1");
	}

	@Test
	void everyValueIsTaken() {
		byte[] secret = { 1, 2 };
		ZooKeeperSettings settings = builder().sessionTimeout(Duration.ofMillis(101))
			.operationTimeout(Duration.ofMillis(102))
			.root("/shop")
			.clockDriftFactor(0.1)
			.fencing(false)
			.fencingFloor(103)
			.acl(ZooDefs.Ids.CREATOR_ALL_ACL)
			.credentials("digest", secret)
			.build();
		secret[0] = 0; // a caller may erase it
		assertThat(settings.connectString()).isEqualTo("localhost:2181");
		assertThat(settings.instanceId()).isEqualTo("app");
		assertThat(settings.sessionTimeout()).isEqualTo(Duration.ofMillis(101));
		assertThat(settings.operationTimeout()).isEqualTo(Duration.ofMillis(102));
		assertThat(settings.root()).isEqualTo("/shop");
		assertThat(settings.clockDriftFactor()).isEqualTo(0.1);
		assertThat(settings.fencing()).isFalse();
		assertThat(settings.fencingFloor()).isEqualTo(103);
		assertThat(settings.acl()).isEqualTo(ZooDefs.Ids.CREATOR_ALL_ACL);
		assertThat(settings.credentials()).singleElement().satisfies((credentials) -> {
			assertThat(credentials.scheme()).isEqualTo("digest");
			assertThat(credentials.secret()).containsExactly(1, 2);
		});
	}

	@Test
	void whatIsNotSetIsAsDocumented() {
		ZooKeeperSettings settings = builder().build();
		assertThat(settings.sessionTimeout()).isEqualTo(Duration.ofSeconds(15));
		assertThat(settings.operationTimeout()).isEqualTo(Duration.ofSeconds(1));
		assertThat(settings.clockDriftFactor()).isEqualTo(0.01);
		assertThat(settings.fencing()).isTrue();
		assertThat(settings.fencingFloor()).isZero();
	}

	@Test
	void propertiesThatAreSetWinOverThoseThatAreSupplied() {
		ZooKeeperSettings settings = builder().clientProperty("a", "set")
			.clientProperties(() -> Map.of("a", "supplied", "b", "supplied"))
			.build();
		assertThat(settings.nextClientProperties()).containsOnly(Map.entry("a", "set"), Map.entry("b", "supplied"));
	}

	@Test
	void textOfSettingsShowsNoSecrets() {
		ZooKeeperSettings settings = builder().clientProperty("password", "secret").build();
		assertThat(settings).hasToString("ZooKeeperSettings[localhost:2181/quorlock]");
	}

	private static void refuses(UnaryOperator<ZooKeeperSettings.Builder> change, String message) {
		ZooKeeperSettings.Builder builder = change.apply(builder());
		assertThatIllegalArgumentException().isThrownBy(builder::build).withMessageContaining(message);
	}

	private static ZooKeeperSettings.Builder builder() {
		return ZooKeeperSettings.builder("localhost:2181", "app");
	}

}
