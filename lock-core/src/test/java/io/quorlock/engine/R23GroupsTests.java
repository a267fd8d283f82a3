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

package io.quorlock.engine;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import io.quorlock.LockAtRiskEvent;
import io.quorlock.LockHandle;
import io.quorlock.LockRequest;
import io.quorlock.groups.GroupedLeaseStore;
import io.quorlock.groups.NamesOfGroups;
import io.quorlock.groups.Sharding;
import io.quorlock.quorum.QuorumStore;
import io.quorlock.time.ManualTime;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * R23: locks with names of several groups, of one node each.
 */
class R23GroupsTests {

	private static final Duration SLOW = Duration.ofMillis(90);

	private final ManualTime time = new ManualTime();

	private final Map<String, ScriptedNode> nodes = new TreeMap<>(
			Map.of("a", new ScriptedNode("a"), "b", new ScriptedNode("b"), "c", new ScriptedNode("c")));

	private final Sharding sharding = new Sharding(this.nodes.keySet(), Sharding.By.NAME);

	private final LockEngine engine = start();

	private LockEngine start() {
		TestSettings settings = TestSettings.defaults("app@host:1");
		Map<String, QuorumStore> stores = new TreeMap<>();
		this.nodes.forEach((id, node) -> stores.put(id, new QuorumStore(settings.quorumBuilder(() -> 42).build(),
				List.of(node), this.time, this.time, List.of())));
		GroupedLeaseStore store = new GroupedLeaseStore(this.sharding, stores, this.time::nanoTime);
		LockEngine started = new LockEngine(settings.engineBuilder().build(), store, this.time, this.time,
				Runnable::run);
		started.start();
		return started;
	}

	private String nameIn(String group) {
		return NamesOfGroups.nameIn(this.sharding, group);
	}

	/** Each takes nearly an operation timeout to reply. */
	@Test
	void requestWithoutAWaitGivesEachGroupItsTime() {
		LockRequest request = LockRequest.ofAll(this.nodes.keySet().stream().map(this::nameIn).toList());
		CompletableFuture<LockHandle> lock = this.engine.acquireAsync(request, Duration.ZERO);
		this.nodes.values().forEach((node) -> {
			this.time.advance(SLOW);
			assertThat(lock).isNotDone();
			node.last().grant();
		});
		assertThat(lock).isCompletedWithValueMatching(LockHandle::isHeld);
	}

	/** R26; a lock of another group is not. */
	@Test
	void lockOfTwoGroupsIsAtRiskWithOneOfThem() {
		this.nodes.values().forEach(ScriptedNode::granting);
		String otherInA = Stream.iterate("other", (name) -> name + "+")
			.filter((name) -> this.sharding.groupOf(name).equals("a"))
			.findFirst()
			.orElseThrow();
		LockHandle both = acquire(LockRequest.ofAll(nameIn("a"), nameIn("b")));
		LockHandle other = acquire(LockRequest.of(otherInA));
		List<LockAtRiskEvent> events = new ArrayList<>();
		List<LockAtRiskEvent> others = new ArrayList<>();
		both.onAtRisk(events::add);
		other.onAtRisk(others::add);
		Objects.requireNonNull(this.nodes.get("b")).silent();
		this.time.advance(Duration.ofSeconds(25));
		assertThat(events).singleElement().satisfies((event) -> {
			assertThat(event.atRisk()).isTrue();
			assertThat(event.reason()).contains("node b: no reply");
		});
		assertThat(both.isHeld()).isTrue();
		this.time.advance(Duration.ofSeconds(10));
		assertThat(both.isHeld()).isFalse();
		assertThat(events).hasSize(1);
		assertThat(other.isHeld()).isTrue();
		assertThat(others).isEmpty();
	}

	private LockHandle acquire(LockRequest request) {
		return this.engine.acquireAsync(request, Duration.ZERO).join();
	}

}
