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

package io.quorlock.autoconfigure;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.function.UnaryOperator;

import org.junit.jupiter.api.Test;
import org.mockito.ArgumentCaptor;

import org.springframework.boot.ssl.SslBundle;

import io.quorlock.LockRequest;
import io.quorlock.engine.DefaultLockTemplate;
import io.quorlock.engine.EngineSettings;
import io.quorlock.engine.LockInspector;
import io.quorlock.memory.InMemoryLockNode;
import io.quorlock.quorum.QuorumSettings;
import io.quorlock.quorum.membership.Layout;
import io.quorlock.quorum.node.LockNode;
import io.quorlock.redis.NodeAddress;
import io.quorlock.redis.client.RedisNodes;
import io.quorlock.store.LeaseStore;
import io.quorlock.store.NodeState;
import io.quorlock.store.StoreObserver;
import io.quorlock.time.LockClock;
import io.quorlock.time.SystemClock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.argThat;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.atLeastOnce;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.verify;

/**
 * Tests for {@link GroupedBackend}.
 */
class GroupedBackendTests {

	private final RedlockNodes redlock = mock(RedlockNodes.class);

	private final LockClock clock = new SystemClock();

	/** One for each group, by its id. */
	private final List<RedisNodes> groups = new ArrayList<>();

	private final ArgumentCaptor<NodeEndpoints> endpoints = ArgumentCaptor.forClass(NodeEndpoints.class);

	private final ArgumentCaptor<Layout> layouts = ArgumentCaptor.forClass(Layout.class);

	@Test
	void sealIsOldWhenEveryLeaseHasEndedAndEveryNodeVotes() {
		create("60s", "5s", "70s");
		// With the drift of the clocks, and a second since seconds are stored.
		assertThat(this.layouts.getAllValues()).extracting(Layout::age).containsOnly(Duration.ofSeconds(78));
		create("60s", "5s", "0s");
		assertThat(this.layouts.getValue().age()).isEqualTo(Duration.ofMillis(72_500));
	}

	@Test
	void groupsAreConnectedToWithTheCertificatesOfAllNodes() {
		LockConnectionDetails details = create("60s", "0s", "70s");
		assertThat(details.getSslBundle()).isNotNull();
		assertThat(this.endpoints.getAllValues()).hasSize(2)
			.allSatisfy((group) -> assertThat(group.sslBundle()).isEqualTo(details.getSslBundle()));
	}

	@Test
	void groupsAreLoggedInToAsAllNodesAre() {
		LockConnectionDetails details = mock(LockConnectionDetails.class);
		given(details.getUsername()).willReturn("ann");
		given(details.getPassword()).willReturn("secret");
		move(details, UnaryOperator.identity());
		assertThat(this.endpoints.getAllValues()).flatExtracting(NodeEndpoints::addresses)
			.extracting(NodeAddress::username, NodeAddress::password)
			.containsExactly(tuple("ann", "secret"), tuple("ann", "secret"));
	}

	@Test
	void noteOfEachNodeAndTheVersionAreTold() {
		LockBackend backend = move(mock(LockConnectionDetails.class), UnaryOperator.identity(), "sharding.version",
				"1");
		given(this.groups.get(0).notes()).willReturn(Map.of("a:6379", "restarted"));
		given(this.groups.get(1).notes()).willReturn(Map.of("b:6379", "a replica"));
		assertThat(backend.notes().get()).containsExactly(Map.entry("a:6379", "restarted"),
				Map.entry("b:6379", "a replica"), Map.entry("sharding", "version 1"));
		assertThat(backend.name()).isEqualTo("redlock");
		assertThat(backend.local()).isFalse();
	}

	/** What is set for all nodes, and who observes them. */
	@Test
	void groupsAreQuorumsOfTheNodesAsTheyAreCustomized() {
		List<String> replied = new CopyOnWriteArrayList<>();
		LockBackend backend = move(mock(LockConnectionDetails.class),
				(node) -> new InMemoryLockNode("instead of " + node.name(), this.clock), "lock-delay", "7s");
		LockEngineLifecycle lifecycle = lifecycle((storeClock, timer, observers) -> {
			LeaseStore store = Objects.requireNonNull(backend.store()).create(storeClock, timer, observers);
			assertThat(store).extracting("lockDelay").isEqualTo(Duration.ofSeconds(7));
			return store;
		}, replied);
		try {
			lifecycle.start();
			new DefaultLockTemplate(lifecycle.engine())
				.acquire(LockRequest.ofAll("order:1", "order:2", "order:3").shared())
				.close();
			this.groups.forEach((group) -> verify(group, atLeastOnce()).greatestTokenBefore());
			assertThat(new LockInspector(lifecycle.engine()).status().nodes()).extracting(NodeState::name)
				.containsExactly("instead of node 0", "instead of node 1");
			assertThat(replied).contains("instead of node 0", "instead of node 1");
		}
		finally {
			lifecycle.destroy();
		}
	}

	/** Two instances would hold a name, one by the old groups, one by the new ones. */
	@Test
	void namesOfAPrefixComeFromTheGroupOfTheirPrefix() {
		Set<String> replied = new ConcurrentSkipListSet<>();
		LockBackend backend = move(mock(LockConnectionDetails.class), UnaryOperator.identity(), "sharding.by", "prefix",
				"sharding.version", "2", "sharding.previous.c.nodes", "redis://c:6379", "sharding.previous.d.nodes",
				"redis://d:6379");
		LockEngineLifecycle lifecycle = lifecycle(Objects.requireNonNull(backend.store()), replied);
		try {
			lifecycle.start();
			for (int i = 0; i < 16; i++) {
				new DefaultLockTemplate(lifecycle.engine()).acquire(LockRequest.of("order:" + i)).close();
			}
			assertThat(replied).hasSize(2).containsAnyOf("node 0", "node 1").containsAnyOf("node 2", "node 3");
		}
		finally {
			lifecycle.destroy();
		}
	}

	private LockEngineLifecycle lifecycle(LeaseStoreFactory store, Collection<String> replied) {
		this.groups.forEach((group) -> given(group.nodes())
			.willReturn(List.of(new InMemoryLockNode("node " + this.groups.indexOf(group), this.clock))));
		StoreObserver observer = (node, operation, outcome, error, nanos) -> replied.add(node);
		return new LockEngineLifecycle(EngineSettings.builder("shop@host:1").build(), store, this.clock,
				Executors.newCachedThreadPool(), List.of(), List.of(observer), List.of());
	}

	@Test
	void groupsWithoutAVersionSealNothing() {
		List<RedisNodes> groups = move();
		assertThat(this.layouts.getAllValues()).extracting(Layout::version, Layout::seal)
			.containsOnly(tuple(0, 0))
			.hasSize(2);
		groups.forEach((group) -> verify(group, never()).follow(any()));
	}

	@Test
	void versionThatBeginsAMoveSealsNothingYet() {
		List<RedisNodes> groups = move("sharding.version", "2", "sharding.previous.a.nodes", "redis://a:6379",
				"sharding.previous.c.nodes", "redis://c:6379");
		assertThat(this.layouts.getAllValues()).extracting(Layout::version, Layout::seal)
			.containsOnly(tuple(2, 0))
			.hasSize(3);
		groups.forEach((group) -> verify(group, never()).follow(any()));
	}

	/** Names may come from each of the groups that were there before. */
	@Test
	void versionThatEndsAMoveSealsItAndFollowsTheGroupsBefore() {
		List<RedisNodes> groups = move("sharding.version", "3", "sharding.previous.a.nodes", "redis://a:6379",
				"sharding.previous.c.nodes", "redis://c:6379");
		assertThat(this.layouts.getAllValues()).extracting(Layout::version, Layout::seal)
			.containsOnly(tuple(3, 2))
			.hasSize(3);
		assertThat(this.endpoints.getAllValues()).extracting(NodeEndpoints::toString)
			.containsExactly("a:6379", "b:6379", "c:6379");
		groups.forEach((group) -> verify(group)
			.follow(argThat((before) -> Set.copyOf(before).equals(Set.of(groups.get(0), groups.get(2))))));
	}

	/** The others have no names that may move. */
	@Test
	void moveIsOverWhenTheSealsOfAllGroupsBeforeAreOldEnough() {
		LockBackend backend = move(mock(LockConnectionDetails.class), UnaryOperator.identity(), "sharding.version", "3",
				"sharding.previous.a.nodes", "redis://a:6379", "sharding.previous.c.nodes", "redis://c:6379");
		given(this.groups.get(0).sealWaitNanos()).willReturn(Duration.ofSeconds(7).toNanos());
		given(this.groups.get(1).sealWaitNanos()).willReturn(Long.MAX_VALUE);
		given(this.groups.get(2).sealWaitNanos()).willReturn(Duration.ofSeconds(9).toNanos(), -1L);
		String both = "version 3: names that change their group are locked in the old and in the new one for another ";
		assertThat(backend.notes().get()).containsEntry("sharding", both + "9 s");
		assertThat(backend.notes().get()).containsEntry("sharding", both + "7 s");
		given(this.groups.get(0).sealWaitNanos()).willReturn(0L);
		assertThat(backend.notes().get()).containsEntry("sharding",
				"version 3: names are locked in their new groups alone");
	}

	private List<RedisNodes> move(String... sharding) {
		move(mock(LockConnectionDetails.class), UnaryOperator.identity(), sharding);
		return this.groups;
	}

	private LockBackend move(LockConnectionDetails details, UnaryOperator<LockNode> customizer, String... sharding) {
		given(this.redlock.create(any(), any())).will((invocation) -> {
			this.groups.add(mock(RedisNodes.class));
			return this.groups.get(this.groups.size() - 1);
		});
		List<String> properties = new ArrayList<>(
				List.of("groups.a.nodes", "redis://a:6379", "groups.b.nodes", "redis://b:6379"));
		properties.addAll(List.of(sharding));
		LockBackend backend = GroupedBackend.create(LockSettingsFactoryTests.bind(properties.toArray(String[]::new)),
				details, QuorumSettings.builder("shop@host:1").build(), this.redlock, customizer);
		verify(this.redlock, atLeastOnce()).create(this.endpoints.capture(), this.layouts.capture());
		return backend;
	}

	private LockConnectionDetails create(String maxLeaseTime, String lockDelay, String quarantine) {
		LockConnectionDetails details = mock(LockConnectionDetails.class);
		SslBundle bundle = mock(SslBundle.class);
		given(details.getSslBundle()).willReturn(bundle);
		given(this.redlock.create(any(), any())).willReturn(mock(RedisNodes.class));
		GroupedBackend.create(
				LockSettingsFactoryTests.bind("groups.a.nodes", "redis://a:6379", "groups.b.nodes", "redis://b:6379",
						"sharding.version", "3", "sharding.previous.a.nodes", "redis://a:6379", "max-lease-time",
						maxLeaseTime, "lock-delay", lockDelay, "restart-quarantine", quarantine, "clock-drift-factor",
						"0.1"),
				details, QuorumSettings.builder("shop@host:1").build(), this.redlock, UnaryOperator.identity());
		verify(this.redlock, atLeastOnce()).create(this.endpoints.capture(), this.layouts.capture());
		return details;
	}

}
