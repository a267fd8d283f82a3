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

package io.quorlock.groups;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

import org.junit.jupiter.api.AfterEach;

import io.quorlock.Settings;
import io.quorlock.quorum.QuorumSettings;
import io.quorlock.quorum.QuorumStore;
import io.quorlock.quorum.node.InMemoryLockNode;
import io.quorlock.store.LeaseStore;
import io.quorlock.store.LeaseStoreContract;
import io.quorlock.time.SystemClock;
import io.quorlock.time.TimerThread;

/**
 * What every store must do, done by two groups of nodes in memory.
 */
class GroupedLeaseStoreContractTests extends LeaseStoreContract {

	private final SystemClock clock = new SystemClock();

	private final TimerThread timer = new TimerThread("test-timer");

	private final Map<String, List<InMemoryLockNode>> nodes = Map.of("a", group("a"), "b", group("b"));

	private List<InMemoryLockNode> group(String id) {
		return Stream.of("1", "2", "3").map((node) -> new InMemoryLockNode(id + node, this.clock)).toList();
	}

	@Override
	protected LeaseStore startStore(String instanceId) {
		QuorumSettings settings = Settings.quorum(instanceId)
			.set(QuorumSettings::operationTimeout, Duration.ofSeconds(2))
			.build();
		Map<String, LeaseStore> stores = new TreeMap<>();
		this.nodes.forEach((id, group) -> stores.put(id, new QuorumStore(settings,
				group.stream().map(InMemoryLockNode::forAnotherClient).toList(), this.clock, this.timer, List.of())));
		LeaseStore store = new GroupedLeaseStore(new Sharding(stores.keySet(), Sharding.By.NAME), stores,
				this.clock::nanoTime);
		store.start();
		return store;
	}

	@AfterEach
	void closeTimer() {
		this.timer.close();
	}

}
