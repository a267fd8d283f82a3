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

package io.quorlock.system;

import java.nio.file.Path;
import java.time.Duration;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A short form of {@link ChaosRun}.
 */
@Tag("long")
class ChaosTests {

	@Test
	void locksOfAllKindsOnRedisWhileAMinorityAndProcessesFail() throws Exception {
		try (RedisChaos chaos = new RedisChaos()) {
			chaos.beWell(Duration.ofSeconds(2));
			chaos.torment("minority of nodes, processes paused", 2, true, Duration.ofSeconds(8));
			chaos.recover();
			ChaosReport report = chaos.end();
			System.out.println(report);
			report.checkSafety();
			assertThat(report.history().grants()).isPositive();
		}
	}

	@Test
	@Tag("proof")
	void locksOfAllKindsInGroupsWhileAMinorityAndProcessesFail(@TempDir Path logs) throws Exception {
		try (GroupedChaos chaos = new GroupedChaos(logs)) {
			chaos.roll();
			ChaosReport report = chaos.end();
			System.out.println(report);
			report.checkSafety();
			assertThat(report.history().grants()).isPositive();
		}
	}

	@Test
	void locksOfAllKindsOnZooKeeperWhileConnectionsAndTheLeaderFail() throws Exception {
		try (ZooKeeperChaos chaos = new ZooKeeperChaos()) {
			chaos.beWell(Duration.ofSeconds(2));
			chaos.tormentConnections(Duration.ofSeconds(6));
			chaos.stopLeader();
			chaos.recover();
			ChaosReport report = chaos.end();
			System.out.println(report);
			report.checkSafety();
			assertThat(report.history().grants()).isPositive();
		}
	}

}
