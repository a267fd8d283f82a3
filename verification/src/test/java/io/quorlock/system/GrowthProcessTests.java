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

import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.io.TempDir;

import io.quorlock.embedded.EmbeddedRedis;
import io.quorlock.system.ChaosClient.Pace;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Grows from three nodes to five and shrinks again as {@code docs/changes.md} says, with
 * processes that are restarted one after the other while they take locks of all kinds.
 * Another process, this one, is the witness of who held what when.
 */
@Tag("long")
@Timeout(value = 400, threadMode = ThreadMode.SEPARATE_THREAD)
class GrowthProcessTests {

	private static final int INSTANCES = 2;

	private static final int THREADS = 4;

	private final EmbeddedRedis redis = EmbeddedRedis.start(5);

	@TempDir
	private Path logs;

	private ChaosServer server;

	private Fleet fleet;

	@BeforeEach
	void start() throws Exception {
		this.server = new ChaosServer(InetAddress.getLoopbackAddress());
		this.fleet = new Fleet(new Fleet.Settings(THREADS, Pace.STEADY, this.server.port(), this.logs,
				List.of("distributed-lock.lease-time=2s", "distributed-lock.max-lease-time=2s",
						"distributed-lock.restart-quarantine=2s", "distributed-lock.wait-time=20s",
						"distributed-lock.connection.operation-timeout=500ms")));
	}

	@AfterEach
	void stop() throws Exception {
		this.fleet.close();
		this.server.close();
		this.redis.close();
	}

	@Test
	void threeNodesBecomeFiveAndThreeAgainUnderLoad() throws Exception {
		this.fleet.deploy(INSTANCES, nodes(3));
		awaitVotes(3);
		for (int size : List.of(5, 3)) {
			this.fleet.roll(nodes(size));
			awaitVotes(size);
			awaitGrants();
		}
		this.fleet.stopAndCheck(this.server, "Growth");
		Awaitility.await()
			.atMost(Duration.ofSeconds(30))
			.untilAsserted(() -> assertThat(RedisChaos.left(this.redis)).isEmpty());
	}

	private List<String> nodes(int count) {
		return List.of("distributed-lock.nodes=" + String.join(",", this.redis.uris().subList(0, count)));
	}

	/** All nodes of the list, in each instance. */
	private void awaitVotes(int count) {
		this.fleet.instances()
			.forEach((instance) -> Awaitility.await()
				.atMost(Duration.ofSeconds(120))
				.untilAsserted(() -> assertThat(health(instance)).startsWith("UP").contains("voting=" + count)));
	}

	private static String health(FleetInstance instance) throws IOException {
		return instance.health();
	}

	private void awaitGrants() {
		long before = this.server.history().grants();
		Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> this.server.history().grants() > before + 50);
	}

}
