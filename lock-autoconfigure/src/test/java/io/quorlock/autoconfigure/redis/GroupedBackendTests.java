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

package io.quorlock.autoconfigure.redis;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CopyOnWriteArrayList;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.mockito.ArgumentCaptor;

import org.springframework.beans.factory.support.StaticListableBeanFactory;
import org.springframework.boot.ssl.SslBundle;

import io.quorlock.LockRequest;
import io.quorlock.Settings;
import io.quorlock.autoconfigure.LeaseStoreFactory;
import io.quorlock.autoconfigure.LockBackend;
import io.quorlock.autoconfigure.LockConnectionDetails;
import io.quorlock.autoconfigure.TestProperties;
import io.quorlock.engine.DefaultLockTemplate;
import io.quorlock.engine.LockEngine;
import io.quorlock.engine.LockInspector;
import io.quorlock.quorum.node.InMemoryLockNode;
import io.quorlock.redis.NodeAddress;
import io.quorlock.redis.client.RedisNodes;
import io.quorlock.store.NodeState;
import io.quorlock.store.StoreObserver;
import io.quorlock.time.LockClock;
import io.quorlock.time.SystemClock;
import io.quorlock.time.TimerThread;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.BDDMockito.given;
import static org.mockito.BDDMockito.willAnswer;
import static org.mockito.Mockito.atLeastOnce;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.spy;
import static org.mockito.Mockito.verify;

/**
 * Tests for {@link RedlockNodes} of several groups.
 */
class GroupedBackendTests {

	private final LockClock clock = new SystemClock();

	private final TimerThread timer = new TimerThread("groups");

	/** One for each group, by its id. */
	private final List<RedisNodes> groups = new ArrayList<>();

	private final ArgumentCaptor<NodeEndpoints> endpoints = ArgumentCaptor.forClass(NodeEndpoints.class);

	private final ArgumentCaptor<String> layouts = ArgumentCaptor.forClass(String.class);

	@AfterEach
	void endTimer() {
		this.timer.close();
	}

	@Test
	void groupsAreConnectedToWithTheCertificatesOfAllNodes() {
		LockConnectionDetails details = create();
		assertThat(details.getSslBundle()).isNotNull();
		assertThat(this.endpoints.getAllValues()).hasSize(2)
			.allSatisfy((group) -> assertThat(group.sslBundle()).isEqualTo(details.getSslBundle()));
	}

	@Test
	void groupsAreLoggedInToAsAllNodesAre() {
		LockConnectionDetails details = mock(LockConnectionDetails.class);
		given(details.getUsername()).willReturn("ann");
		given(details.getPassword()).willReturn("secret");
		backend(details);
		assertThat(this.endpoints.getAllValues()).flatExtracting(NodeEndpoints::addresses)
			.extracting(NodeAddress::username, NodeAddress::password)
			.containsExactly(tuple("ann", "secret"), tuple("ann", "secret"));
	}

	@Test
	void noteOfEachNodeIsTold() {
		LockBackend backend = backend(mock(LockConnectionDetails.class));
		given(this.groups.get(0).notes()).willReturn(Map.of("a:6379", "restarted"));
		given(this.groups.get(1).notes()).willReturn(Map.of("b:6379", "a replica"));
		assertThat(backend.notes().get()).containsExactly(Map.entry("a:6379", "restarted"),
				Map.entry("b:6379", "a replica"));
		assertThat(backend.name()).isEqualTo("redlock");
		assertThat(backend.local()).isFalse();
	}

	/** What is set for all nodes, and who observes them. */
	@Test
	void groupsAreQuorumsOfTheirNodes() {
		List<String> replied = new CopyOnWriteArrayList<>();
		LockBackend backend = backend(mock(LockConnectionDetails.class));
		LockEngine engine = engine((storeClock, timer, observers) -> Objects.requireNonNull(backend.store())
			.create(storeClock, timer, observers), replied);
		try {
			engine.start();
			new DefaultLockTemplate(engine).acquire(LockRequest.ofAll("order:1", "order:2", "order:3").shared())
				.close();
			assertThat(new LockInspector(engine).status().nodes()).extracting(NodeState::name)
				.containsExactly("node 0", "node 1");
			assertThat(replied).contains("node 0", "node 1");
		}
		finally {
			engine.stop();
		}
	}

	@Test
	void namesOfAPrefixComeFromTheGroupOfTheirPrefix() {
		Set<String> replied = new ConcurrentSkipListSet<>();
		LockBackend backend = backend(mock(LockConnectionDetails.class), "sharding.by", "prefix");
		LockEngine engine = engine(Objects.requireNonNull(backend.store()), replied);
		try {
			engine.start();
			for (int i = 0; i < 16; i++) {
				new DefaultLockTemplate(engine).acquire(LockRequest.of("order:" + i)).close();
			}
			assertThat(replied).hasSize(1);
			assertThat(this.layouts.getAllValues()).containsExactly("group a of a,b by prefix",
					"group b of a,b by prefix");
		}
		finally {
			engine.stop();
		}
	}

	private LockEngine engine(LeaseStoreFactory store, Collection<String> replied) {
		this.groups.forEach((group) -> given(group.nodes())
			.willReturn(List.of(new InMemoryLockNode("node " + this.groups.indexOf(group), this.clock))));
		StoreObserver observer = (node, operation, outcome, error, nanos) -> replied.add(node);
		return new LockEngine(Settings.engine("shop@host:1").build(),
				store.create(this.clock, this.timer, List.of(observer)), this.clock, this.timer, Runnable::run);
	}

	private LockBackend backend(LockConnectionDetails details, String... sharding) {
		List<String> properties = new ArrayList<>(
				List.of("groups.a.nodes", "redis://a:6379", "groups.b.nodes", "redis://b:6379"));
		properties.addAll(List.of(sharding));
		RedlockNodes redlock = spy(new RedlockNodes(TestProperties.bind(properties.toArray(String[]::new)),
				List.of(details), this.clock, "shop@host:1", new StaticListableBeanFactory()));
		willAnswer((invocation) -> {
			this.groups.add(mock(RedisNodes.class));
			return this.groups.get(this.groups.size() - 1);
		}).given(redlock).create(any(), any());
		LockBackend backend = redlock.backend(details, Settings.quorum("shop@host:1").build());
		verify(redlock, atLeastOnce()).create(this.endpoints.capture(), this.layouts.capture());
		return backend;
	}

	private LockConnectionDetails create() {
		LockConnectionDetails details = mock(LockConnectionDetails.class);
		SslBundle bundle = mock(SslBundle.class);
		given(details.getSslBundle()).willReturn(bundle);
		backend(details);
		return details;
	}

}
