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
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

import org.junit.jupiter.api.Test;

import io.quorlock.LockHandle;
import io.quorlock.LockRequest;
import io.quorlock.groups.GroupedLeaseStore;
import io.quorlock.groups.NamesOfGroups;
import io.quorlock.groups.Sharding;
import io.quorlock.quorum.QuorumStore;
import io.quorlock.time.ManualTime;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * R23: names of several groups, whose nodes take nearly an operation timeout to reply.
 */
class R23SlowGroupsTests {

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

}
