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

package io.quorlock.metrics;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import io.quorlock.LockRequest;
import io.quorlock.engine.LockInspector;
import io.quorlock.leader.LeaderElection;
import io.quorlock.store.NodeState;
import io.quorlock.store.StoreStatus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.atMostOnce;
import static org.mockito.Mockito.clearInvocations;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.verify;

/**
 * Tests for {@link LockGauges}.
 */
class LockGaugesTests {

	private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

	private final LockInspector inspector = mock(LockInspector.class);

	@Test
	void eachGroupHasItsOwnNodesVotesAndQuorum() {
		StoreStatus well = new StoreStatus(true, 2, List.of(node("a1", true), node("a2", true), node("a3", false)));
		StoreStatus lost = new StoreStatus(false, 3, List.of(node("b1", true), node("b2", false)));
		Map<String, StoreStatus> groups = new LinkedHashMap<>(Map.of("a", well, "b", lost));
		List<NodeState> all = new ArrayList<>(well.nodes());
		all.addAll(lost.nodes());
		given(this.inspector.status()).willReturn(new StoreStatus(true, 1, all, groups));
		new LockGauges(this.inspector, new LockTags(), List.of()).bindTo(this.registry);
		assertThat(List.of(group("available", "a"), group("nodes", "a"), group("votes", "a"), group("quorum", "a")))
			.containsExactly(1, 3, 2, 2);
		assertThat(List.of(group("available", "b"), group("nodes", "b"), group("votes", "b"), group("quorum", "b")))
			.containsExactly(0, 2, 1, 3);
	}

	@Test
	void eachRoleHasAGaugeThatFollowsItsLeader() {
		LeaderElection election = mock(LeaderElection.class);
		given(election.roles()).willReturn(Set.of("scheduler", "importer"));
		given(election.isLeader("importer")).willReturn(true);
		given(this.inspector.status()).willReturn(new StoreStatus(true, 1, List.of()));
		new LockGauges(this.inspector, new LockTags(), List.of(election)).bindTo(this.registry);
		assertThat(leading("importer")).isOne();
		assertThat(leading("scheduler")).isZero();
		given(election.isLeader("importer")).willReturn(false);
		assertThat(leading("importer")).isZero();
	}

	@Test
	void roleOfSeveralElectionsIsLedIfOneOfThemLeadsIt() {
		LeaderElection first = mock(LeaderElection.class);
		given(first.roles()).willReturn(Set.of("importer"));
		LeaderElection second = mock(LeaderElection.class);
		given(second.roles()).willReturn(Set.of("importer", "scheduler"));
		given(second.isLeader("importer")).willReturn(true);
		given(this.inspector.status()).willReturn(new StoreStatus(true, 1, List.of()));
		new LockGauges(this.inspector, new LockTags(), List.of(first, second)).bindTo(this.registry);
		assertThat(leading("importer")).isOne();
		assertThat(leading("scheduler")).isZero();
	}

	private double leading(String role) {
		return this.registry.get("distributed.lock.leader").tag("role", role).gauge().value();
	}

	/** As the alerts ask for it, whether there are several groups or not. */
	@Test
	void nodesWithoutGroupsAreTheDefaultGroup() {
		given(this.inspector.status())
			.willReturn(new StoreStatus(true, 2, List.of(node("a1", true), node("a2", true), node("a3", false))));
		new LockGauges(this.inspector, new LockTags(), List.of()).bindTo(this.registry);
		assertThat(List.of(group("available", "default"), group("nodes", "default"), group("votes", "default"),
				group("quorum", "default")))
			.containsExactly(1, 3, 2, 2);
	}

	/** Each request of any thread asks for a tag. */
	@Test
	void threadThatFindsANewTagKeepsNoOtherWaiting() throws Exception {
		LockTags tags = new LockTags();
		List<String> seen = new CopyOnWriteArrayList<>();
		for (Runnable use : List.<Runnable>of(() -> tags.forEach(seen::add), () -> tags.forEachWithPermits(seen::add),
				() -> tags.valueOf("order"), () -> tags.of(LockRequest.of("export").permits(2)))) {
			use.run();
			Thread other = new Thread(() -> tags.of(LockRequest.of("other" + seen.size()).permits(2)));
			other.setDaemon(true);
			other.start();
			other.join(20_000);
			assertThat(other.isAlive()).isFalse();
		}
		assertThat(seen).contains("order", "export");
	}

	@Test
	void nodeWhoseListContradictsOursIsAMismatch() {
		NodeState mismatch = new NodeState("a2", true, "voting", "", Duration.ZERO, null, null, null, true);
		given(this.inspector.status()).willReturn(new StoreStatus(true, 2, List.of(node("a1", true), mismatch)));
		new LockGauges(this.inspector, new LockTags(), List.of()).bindTo(this.registry);
		assertThat(gauge("distributed.lock.node.mismatch", "node", "a1")).isZero();
		assertThat(gauge("distributed.lock.node.mismatch", "node", "a2")).isOne();
	}

	@Test
	void whatIsHeldWaitedForAndUsedUpIsCountedByItself() {
		LockTags tags = bindWithTwoNames();
		tags.of(LockRequest.of("order").permits(5));
		given(this.inspector.heldByBaseName()).willReturn(Map.of("order", 1));
		given(this.inspector.waitingByBaseName()).willReturn(Map.of("order", 2));
		given(this.inspector.permitsByBaseName()).willReturn(Map.of("order", 3));
		assertThat(gauge("distributed.lock.active", "lock", "order")).isEqualTo(1);
		assertThat(gauge("distributed.lock.waiting", "lock", "order")).isEqualTo(2);
		assertThat(gauge("distributed.lock.permits", "lock", "order")).isEqualTo(3);
	}

	/** Each look at the engine goes through all locks. */
	@Test
	void gaugesOfOneScrapeLookAtTheEngineOnce() {
		bindWithTwoNames();
		given(this.inspector.heldByBaseName()).willReturn(Map.of("order", 1, "stock", 2));
		Awaitility.await().untilAsserted(() -> {
			clearInvocations(this.inspector);
			assertThat(gauge("distributed.lock.active", "lock", "order")).isEqualTo(1);
			assertThat(gauge("distributed.lock.active", "lock", "stock")).isEqualTo(2);
			verify(this.inspector, atMostOnce()).heldByBaseName();
		});
	}

	private LockTags bindWithTwoNames() {
		LockTags tags = new LockTags();
		tags.valueOf("order");
		tags.valueOf("stock");
		given(this.inspector.status()).willReturn(new StoreStatus(true, 1, List.of(node("a1", true))));
		new LockGauges(this.inspector, tags, List.of()).bindTo(this.registry);
		return tags;
	}

	private static NodeState node(String name, boolean voting) {
		return new NodeState(name, voting, "", "", Duration.ZERO, null, null, null);
	}

	private int group(String meter, String id) {
		return gauge("distributed.lock.group." + meter, "group", id);
	}

	private int gauge(String name, String tag, String value) {
		return (int) this.registry.get(name).tag(tag, value).gauge().value();
	}

}
