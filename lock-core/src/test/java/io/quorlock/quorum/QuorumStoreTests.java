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

package io.quorlock.quorum;

import java.time.Duration;
import java.util.List;

import org.junit.jupiter.api.AfterEach;

import io.quorlock.Settings;
import io.quorlock.quorum.node.InMemoryLockNode;
import io.quorlock.store.LeaseStore;
import io.quorlock.store.LeaseStoreContract;
import io.quorlock.time.SystemClock;
import io.quorlock.time.TimerThread;

/**
 * What every store must do, done by a quorum of nodes in memory.
 */
class QuorumStoreTests extends LeaseStoreContract {

	private final SystemClock clock = new SystemClock();

	private final TimerThread timer = new TimerThread("test-timer");

	private final List<InMemoryLockNode> nodes = List.of(node("a"), node("b"), node("c"));

	private InMemoryLockNode node(String name) {
		return new InMemoryLockNode(name, this.clock);
	}

	@Override
	protected LeaseStore startStore(String instanceId) {
		QuorumSettings settings = Settings.quorum(instanceId)
			.set(QuorumSettings::operationTimeout, Duration.ofSeconds(2))
			.build();
		LeaseStore store = new QuorumStore(settings,
				this.nodes.stream().map(InMemoryLockNode::forAnotherClient).toList(), this.clock, this.timer,
				List.of());
		store.start();
		return store;
	}

	@AfterEach
	void closeTimer() {
		this.timer.close();
	}

}
