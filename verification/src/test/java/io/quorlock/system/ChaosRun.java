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

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Three processes with eight threads each take locks of all kinds, while servers, network
 * and processes fail. Not one of the usual tests: runs with the profile {@code chaos},
 * for {@code chaos.minutes} on each backend. {@link ChaosTests} is a short form of it.
 */
class ChaosRun {

	@Test
	void noFaultOfRedisLetsTwoHoldTheLockOrALateWritePass() throws Exception {
		try (RedisChaos chaos = new RedisChaos()) {
			long end = System.nanoTime() + ChaosCluster.duration().toNanos();
			do {
				chaos.beWell(Duration.ofSeconds(5));
				chaos.torment("minority of nodes", 2, false, Duration.ofSeconds(10));
				chaos.recover();
				chaos.torment("processes paused", 0, true, Duration.ofSeconds(8));
				chaos.torment("minority of nodes, processes paused", 2, true, Duration.ofSeconds(10));
				chaos.recover();
				chaos.cutPower();
				chaos.recover();
				chaos.torment("majority of nodes", RedisChaos.QUORUM, false, Duration.ofSeconds(5));
				chaos.torment("all nodes, processes paused", 5, true, Duration.ofSeconds(5));
				chaos.recover();
			}
			while (System.nanoTime() - end < 0);
			ChaosReport report = chaos.end();
			System.out.println(report);
			report.check();
		}
	}

	@Test
	void noFaultOfRedisLetsTwoHoldALockOfAGroup(@TempDir Path logs) throws Exception {
		try (GroupedChaos chaos = new GroupedChaos(logs)) {
			long end = System.nanoTime() + ChaosCluster.duration().toNanos();
			do {
				chaos.beWell(Duration.ofSeconds(5));
				chaos.torment("minority of each group", () -> Thread.sleep(10_000));
				chaos.recover();
				chaos.roll();
				chaos.tormentAllNodes(Duration.ofSeconds(5));
				chaos.recover();
				chaos.cutPower();
				chaos.recover();
			}
			while (System.nanoTime() - end < 0);
			ChaosReport report = chaos.end();
			System.out.println(report);
			report.check();
		}
	}

	@Test
	void noFaultOfZooKeeperLetsTwoHoldTheLockOrALateWritePass() throws Exception {
		try (ZooKeeperChaos chaos = new ZooKeeperChaos()) {
			long end = System.nanoTime() + ChaosCluster.duration().toNanos();
			do {
				chaos.beWell(Duration.ofSeconds(5));
				chaos.cutFollower();
				chaos.recover();
				chaos.tormentConnections(Duration.ofSeconds(8));
				chaos.pauseProcesses(Duration.ofSeconds(8));
				chaos.recover();
				chaos.stopLeader();
				chaos.recover();
				chaos.stopServers("majority of servers stopped", 2);
				chaos.recover();
				chaos.stopServers("all servers stopped", 3);
				chaos.recover();
			}
			while (System.nanoTime() - end < 0);
			ChaosReport report = chaos.end();
			System.out.println(report);
			report.check();
		}
	}

}
