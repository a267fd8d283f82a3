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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import io.quorlock.LockAtRiskEvent;
import io.quorlock.LockHandle;
import io.quorlock.LockRequest;
import io.quorlock.Settings;
import io.quorlock.engine.DefaultLockTemplate;
import io.quorlock.engine.EngineSettings;
import io.quorlock.engine.LockEngine;
import io.quorlock.engine.SwitchableNode;
import io.quorlock.quorum.QuorumStore;
import io.quorlock.quorum.node.InMemoryLockNode;
import io.quorlock.time.SystemClock;
import io.quorlock.time.TimerThread;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * R26 with groups (R23): a lock of names of several groups is at risk when one of its
 * parts is, and a lock of another group is not.
 */
@Timeout(60)
class GroupsAtRiskTests {

	private static final Duration LEASE = Duration.ofSeconds(3);

	private final SystemClock clock = new SystemClock();

	private final TimerThread timer = new TimerThread("test-timer");

	private final ExecutorService callbacks = Executors.newCachedThreadPool();

	private final Map<String, List<SwitchableNode>> nodes = new TreeMap<>();

	private final Sharding sharding = new Sharding(List.of("a", "b"), Sharding.By.NAME);

	private final LockEngine engine;

	private final DefaultLockTemplate template;

	GroupsAtRiskTests() {
		Map<String, QuorumStore> stores = new TreeMap<>();
		for (String id : List.of("a", "b")) {
			List<SwitchableNode> group = new ArrayList<>();
			for (int i = 0; i < 3; i++) {
				group.add(new SwitchableNode(new InMemoryLockNode(id + i, this.clock)));
			}
			this.nodes.put(id, group);
			stores.put(id,
					new QuorumStore(Settings.quorum("app@host:1").build(), group, this.clock, this.timer, List.of()));
		}
		GroupedLeaseStore store = new GroupedLeaseStore(this.sharding, stores, this.clock::nanoTime);
		this.engine = new LockEngine(Settings.engine("app@host:1").set(EngineSettings::leaseTime, LEASE).build(), store,
				this.clock, this.timer, this.callbacks);
		this.template = new DefaultLockTemplate(this.engine);
		this.engine.start();
	}

	@AfterEach
	void close() {
		this.engine.stop();
		this.timer.close();
		this.callbacks.shutdownNow();
	}

	private String nameIn(String group) {
		return NamesOfGroups.nameIn(this.sharding, group);
	}

	@Test
	void lockOfTwoGroupsIsAtRiskWithOneOfThem() {
		LockHandle both = this.template.acquire(LockRequest.ofAll(nameIn("a"), nameIn("b")));
		LockHandle other = this.template.acquire(LockRequest.of(nameIn("a") + "/other").key(idInA()));
		List<LockAtRiskEvent> events = new CopyOnWriteArrayList<>();
		List<LockAtRiskEvent> others = new CopyOnWriteArrayList<>();
		both.onAtRisk(events::add);
		other.onAtRisk(others::add);
		Objects.requireNonNull(this.nodes.get("b")).forEach(SwitchableNode::silence);
		Awaitility.await().until(() -> !events.isEmpty());
		assertThat(events.get(0).atRisk()).isTrue();
		assertThat(events.get(0).reason()).contains("node b0: no reply");
		Awaitility.await().until(() -> !both.isHeld());
		assertThat(events).hasSize(1);
		assertThat(other.isHeld()).isTrue();
		assertThat(others).isEmpty();
		other.close();
	}

	private int idInA() {
		return IntStream.iterate(0, (i) -> i + 1)
			.filter((id) -> this.sharding.groupOf(nameIn("a") + "/other:" + id).equals("a"))
			.findFirst()
			.orElseThrow();
	}

}
