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

package io.quorlock.test;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.context.annotation.Configuration;

import io.quorlock.leader.LeaderElection;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for a leader that is elected in memory, as docs/scheduling.md describes them.
 */
@SpringBootTest(webEnvironment = WebEnvironment.NONE, properties = "distributed-lock.leader.roles=scheduler")
@AutoConfigureTestLocks
class SimulatedLeaderTests {

	@Test
	void applicationLeadsUntilAnotherInstanceDoes(@Autowired LeaderElection election, @Autowired LockSimulator locks) {
		Awaitility.await().until(() -> election.isLeader("scheduler"));
		locks.lose("leader:scheduler");
		assertThat(election.isLeader("scheduler")).isFalse();
		locks.heldElsewhere("leader:scheduler");
		Awaitility.await()
			.untilAsserted(() -> assertThat(election.currentLeader("scheduler"))
				.hasValueSatisfying((leader) -> assertThat(leader).startsWith("elsewhere@test")));
		assertThat(election.isLeader("scheduler")).isFalse();
		locks.free("leader:scheduler");
		Awaitility.await().until(() -> election.isLeader("scheduler"));
	}

	@Configuration(proxyBeanMethods = false)
	static class Application {

	}

}
