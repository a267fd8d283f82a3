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

package io.quorlock.health;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

import org.assertj.core.api.InstanceOfAssertFactories;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import io.quorlock.engine.LockInspector;
import io.quorlock.engine.ObservedEngine;
import io.quorlock.leader.LeaderElection;
import io.quorlock.store.NodeState;
import io.quorlock.store.StoreStatus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link LockHealthIndicator} and {@link LeaderHealthIndicator}.
 */
@ExtendWith(OutputCaptureExtension.class)
class LockHealthIndicatorTests {

	private final ObservedEngine observed = new ObservedEngine(3).start();

	private final Map<String, String> notes = new HashMap<>();

	private final LockHealthIndicator indicator = new LockHealthIndicator(this.observed.inspector(), () -> this.notes,
			false);

	private final LeaderElection election = mock(LeaderElection.class);

	private final LeaderHealthIndicator leaders = new LeaderHealthIndicator(this.election);

	@AfterEach
	void stop() {
		this.observed.close();
	}

	@Test
	void isUpWithAllNodes() {
		Health health = this.indicator.health();
		assertThat(health.getStatus()).isEqualTo(Status.UP);
		assertThat(health.getDetails()).containsEntry("voting", 3).containsEntry("quorum", 2);
	}

	@Test
	void isUpWithAQuorumAndSaysWhatIsWrongWithTheOthers() {
		this.observed.nodes.get(1).cutOff();
		Health health = this.indicator.health();
		assertThat(health.getStatus()).isEqualTo(Status.UP);
		assertThat(health.getDetails()).containsEntry("voting", 2)
			.containsEntry("nodes", Map.of("node0:6379", Map.of("state", "voting"), "node1:6379",
					Map.of("state", "down", "reason", "connection refused"), "node2:6379", Map.of("state", "voting")));
	}

	@Test
	void reportsNotesOnANodeThatVotes() {
		this.notes.put("node1:6379", "a replacement of a node is under way");
		Health health = this.indicator.health();
		assertThat(health.getStatus()).isEqualTo(Status.UP);
		assertThat(health.getDetails().get("nodes"))
			.asInstanceOf(InstanceOfAssertFactories.map(String.class, Object.class))
			.containsEntry("node0:6379", Map.of("state", "voting"))
			.containsEntry("node1:6379", Map.of("state", "voting", "note", "a replacement of a node is under way"));
	}

	@Test
	void saysWhichClockIsFarOff() {
		StoreStatus status = new StoreStatus(true, 1,
				List.of(node("a", 7_000_000L), node("b", -5_000_001L), node("c", 5_000_000L), node("d", null)));
		assertThat(LockHealthIndicator.describe(status, Map.of()).get("nodes"))
			.isEqualTo(Map.of("a", Map.of("state", "voting", "clock", "7 s ahead of the clock of this instance"), "b",
					Map.of("state", "voting", "clock", "5 s behind the clock of this instance"), "c",
					Map.of("state", "voting"), "d", Map.of("state", "voting")));
	}

	private static NodeState node(String name, @Nullable Long clockOffsetMicros) {
		return new NodeState(name, true, "voting", "", Duration.ZERO, null, null, clockOffsetMicros);
	}

	@Test
	void groupsAreDescribedEachWithItsNotes() {
		LockInspector inspector = mock(LockInspector.class);
		StoreStatus up = new StoreStatus(true, 1, List.of(node("a1", null)));
		StoreStatus lost = new StoreStatus(false, 1,
				List.of(new NodeState("b1", false, "down", "connection refused", Duration.ZERO, "7.0.15", null, null)));
		given(inspector.status()).willReturn(new StoreStatus(true, 2,
				Stream.of(up, lost).flatMap((group) -> group.nodes().stream()).toList(), Map.of("a", up, "b", lost)));
		this.notes.put("a1", "a replacement of a node is under way");
		Health health = new LockHealthIndicator(inspector, () -> this.notes, false).health();
		assertThat(health.getStatus()).isEqualTo(Status.UP);
		assertThat(health.getDetails())
			.isEqualTo(Map.of("groups", Map.of("a",
					Map.of("status", "UP", "voting", 1, "quorum", 1, "nodes",
							Map.of("a1", Map.of("state", "voting", "note", "a replacement of a node is under way"))),
					"b",
					Map.of("status", "DOWN", "voting", 0, "quorum", 1, "nodes",
							Map.of("b1",
									Map.of("state", "down", "version", "7.0.15", "reason", "connection refused")))),
					"degraded", "names of these groups cannot be locked: b"));
	}

	@Test
	void groupsThatAreAllLostAreDown() {
		LockInspector inspector = mock(LockInspector.class);
		StoreStatus lost = new StoreStatus(false, 1, List.of(node("a1", null)));
		given(inspector.status())
			.willReturn(new StoreStatus(false, 2, lost.nodes(), new TreeMap<>(Map.of("a", lost, "b", lost))));
		Health health = new LockHealthIndicator(inspector, () -> this.notes, false).health();
		assertThat(health.getStatus()).isEqualTo(Status.DOWN);
		assertThat(health.getDetails()).containsOnlyKeys("groups", "degraded")
			.containsEntry("degraded", "names of these groups cannot be locked: a, b");
	}

	@Test
	void checkThatFailsIsDownAndSaysWhatWasChecked(CapturedOutput output) {
		LockInspector inspector = mock(LockInspector.class);
		given(inspector.status()).willThrow(new IllegalStateException("test"));
		Health health = new LockHealthIndicator(inspector, () -> this.notes, false).health();
		assertThat(health.getStatus()).isEqualTo(Status.DOWN);
		assertThat(output).contains("Distributed lock health check failed");
	}

	@Test
	void locksOfThisInstanceAloneAreSaidToBeThat() {
		Health health = new LockHealthIndicator(this.observed.inspector(), Map::of, true).health();
		assertThat(health.getDetails()).containsEntry("scope",
				"this instance only: other instances do not see these locks");
		assertThat(this.indicator.health().getDetails()).doesNotContainKey("scope");
	}

	@Test
	void isDownWhereTooManyNodesAreInQuarantine() {
		this.observed.nodes.get(0).quarantine(Duration.ofMillis(57_001));
		this.observed.nodes.get(1).quarantine(Duration.ofMillis(57_001));
		Health health = this.indicator.health();
		assertThat(health.getStatus()).isEqualTo(Status.DOWN);
		assertThat(health.getDetails().get("nodes"))
			.asInstanceOf(InstanceOfAssertFactories.map(String.class, Object.class))
			.containsEntry("node0:6379", Map.of("state", "quarantined", "reason", "restarted empty", "votesInSeconds",
					58L, "version", "7.0.15"));
	}

	@Test
	void isDownOnceTheEngineIsStopped() {
		this.observed.engine().stop();
		assertThat(this.indicator.health().getStatus()).isEqualTo(Status.DOWN);
	}

	@Test
	void rolesAreUpWhoeverLeadsAndListedByName() {
		given(this.election.roles()).willReturn(Set.of("scheduler", "importer", "reporter"));
		given(this.election.isLeader("importer")).willReturn(true);
		given(this.election.currentLeader("importer")).willReturn(Optional.of("shop@a:1"));
		given(this.election.currentLeader("reporter")).willReturn(Optional.of("shop@b:1"));
		given(this.election.currentLeader("scheduler")).willReturn(Optional.empty());
		Health health = this.leaders.health();
		assertThat(health.getStatus()).isEqualTo(Status.UP);
		assertThat(health.getDetails()).hasToString("{importer={leader=true, currentLeader=shop@a:1}, "
				+ "reporter={leader=false, currentLeader=shop@b:1}, scheduler={leader=false}}");
	}

	@Test
	void checkOfTheRolesThatFailsIsDownAndSaysWhatWasChecked(CapturedOutput output) {
		given(this.election.roles()).willThrow(new IllegalStateException("test"));
		assertThat(this.leaders.health().getStatus()).isEqualTo(Status.DOWN);
		assertThat(output).contains("Leader election health check failed");
	}

}
