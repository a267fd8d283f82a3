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
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;

import org.junit.jupiter.api.Test;
import org.mockito.ArgumentCaptor;

import org.springframework.boot.ssl.SslBundle;

import io.quorlock.quorum.QuorumSettings;
import io.quorlock.quorum.membership.Layout;
import io.quorlock.redis.client.RedisNodes;

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

	private List<RedisNodes> move(String... sharding) {
		List<RedisNodes> groups = new ArrayList<>();
		given(this.redlock.create(any(), any())).will((invocation) -> {
			groups.add(mock(RedisNodes.class));
			return groups.get(groups.size() - 1);
		});
		List<String> properties = new ArrayList<>(
				List.of("groups.a.nodes", "redis://a:6379", "groups.b.nodes", "redis://b:6379"));
		properties.addAll(List.of(sharding));
		GroupedBackend.create(LockSettingsFactoryTests.bind(properties.toArray(String[]::new)),
				mock(LockConnectionDetails.class), QuorumSettings.builder("shop@host:1").build(), this.redlock,
				UnaryOperator.identity());
		verify(this.redlock, atLeastOnce()).create(this.endpoints.capture(), this.layouts.capture());
		return groups;
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
