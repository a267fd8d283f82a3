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

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import io.quorlock.embedded.EmbeddedZooKeeper;
import io.quorlock.leader.DefaultLeaderElection;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The election of leaders over a real ZooKeeper server.
 */
class ZooKeeperLeaderTests {

	private static final Duration WAIT = Duration.ofSeconds(30);

	private static final List<String> ROLES = List.of("scheduler", "importer");

	private EmbeddedZooKeeper server;

	private final List<RealZooKeeperEngine> engines = new ArrayList<>();

	private final List<DefaultLeaderElection> elections = new ArrayList<>();

	@BeforeEach
	void start() {
		this.server = EmbeddedZooKeeper.start();
		for (int i = 0; i < 4; i++) {
			RealZooKeeperEngine engine = RealZooKeeperEngine.start(RealEngine.settings("app@host:" + i),
					this.server.connectString(), Duration.ofSeconds(30));
			this.engines.add(engine);
			DefaultLeaderElection election = new DefaultLeaderElection(ROLES, "app@host:" + i, engine.template,
					(event) -> {
					});
			this.elections.add(election);
			election.start();
		}
	}

	@AfterEach
	void stop() {
		this.elections.forEach(DefaultLeaderElection::stop);
		this.engines.forEach(RealZooKeeperEngine::close);
		this.server.close();
	}

	@Test
	@Tag("long")
	void electionAtRestSendsNothingButHeartbeats() {
		ROLES.forEach((role) -> Awaitility.await().atMost(WAIT).until(() -> leaders(role) == 1));
		Awaitility.await().atMost(WAIT).until(() -> requestsWithin(Duration.ofSeconds(7)) == 0);
	}

	@Test
	void leaderThatResignsIsFollowedByAnotherThatAllGetToKnow() {
		String role = ROLES.get(0);
		Awaitility.await().atMost(WAIT).until(() -> leaders(role) == 1);
		DefaultLeaderElection first = leader(role);
		first.resign(role);
		Awaitility.await().atMost(WAIT).until(() -> leaders(role) == 1 && leader(role) != first);
		String name = leader(role).currentLeader(role).orElseThrow();
		Awaitility.await()
			.atMost(WAIT)
			.until(() -> this.elections.stream()
				.allMatch((each) -> each.currentLeader(role).equals(Optional.of(name))));
		assertThat(leaders(role)).isOne();
	}

	private int requestsWithin(Duration time) {
		int before = requests();
		long begun = System.nanoTime();
		Awaitility.await().atMost(WAIT).until(() -> System.nanoTime() - begun > time.toNanos());
		return requests() - before;
	}

	private int requests() {
		return this.engines.stream().mapToInt((engine) -> engine.requests.get()).sum();
	}

	private long leaders(String role) {
		return this.elections.stream().filter((election) -> election.isLeader(role)).count();
	}

	private DefaultLeaderElection leader(String role) {
		return this.elections.stream().filter((election) -> election.isLeader(role)).findFirst().orElseThrow();
	}

}
