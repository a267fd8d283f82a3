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

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assumptions.assumeThat;

/**
 * Processes lock while links between their hosts and those of the servers are cut and
 * healed. Not one of the usual tests, as {@link ChaosRun}: all cuts once, and again for
 * {@code chaos.minutes}.
 */
class NetworkRun {

	private static final Duration LONG = Duration.ofSeconds(20);

	@BeforeAll
	static void requireNamespaces() {
		assumeThat(Network.isPossible()).as("Network namespaces, which need Linux, root, ip, unshare and nsenter")
			.isTrue();
	}

	@Test
	void noCutBetweenHostsLetsTwoHoldALockOnRedis(@TempDir Path directory) throws Exception {
		try (Network network = new Network(); RedisNetworkChaos chaos = new RedisNetworkChaos(network, directory)) {
			long end = System.nanoTime() + ChaosCluster.duration().toNanos();
			chaos.begin();
			chaos.cutEverything(LONG);
			while (System.nanoTime() - end < 0) {
				chaos.cutEverything(LONG.multipliedBy(3));
			}
			NetworkReport report = chaos.report();
			System.out.println(report);
			report.check(1_200, 2_500, 6_500, 60);
		}
	}

	@Test
	void noCutBetweenHostsLetsTwoHoldALockOnZooKeeper(@TempDir Path directory) throws Exception {
		try (Network network = new Network();
				ZooKeeperNetworkChaos chaos = new ZooKeeperNetworkChaos(network, directory)) {
			long end = System.nanoTime() + ChaosCluster.duration().toNanos();
			chaos.begin();
			do {
				chaos.cutEverything(LONG);
			}
			while (System.nanoTime() - end < 0);
			NetworkReport report = chaos.report();
			System.out.println(report);
			report.check(10_000, 10_000, 10_000, 60);
		}
	}

}
