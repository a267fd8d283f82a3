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

package io.quorlock.redis.client;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

import io.quorlock.Settings;
import io.quorlock.embedded.EmbeddedRedisNode;
import io.quorlock.quorum.QuorumSettings;
import io.quorlock.quorum.QuorumStore;
import io.quorlock.redis.NodeAddress;
import io.quorlock.store.LeaseStore;
import io.quorlock.store.LeaseStoreContract;
import io.quorlock.store.NodeState;
import io.quorlock.time.SystemClock;
import io.quorlock.time.TimerThread;

/**
 * What every store must do, done by a quorum of real servers.
 */
class RedisQuorumStoreTests extends LeaseStoreContract {

	private static final SystemClock CLOCK = new SystemClock();

	private static final TimerThread TIMER = new TimerThread("test-timer");

	private static List<EmbeddedRedisNode> servers;

	@BeforeAll
	static void startServers() {
		servers = Stream.generate(EmbeddedRedisNode::start).limit(3).toList();
	}

	@AfterAll
	static void stopServers() {
		servers.forEach(EmbeddedRedisNode::close);
		TIMER.close();
	}

	@Override
	protected LeaseStore startStore(String instanceId) {
		RedisNodeOptions options = TestOptions.with(CLOCK)
			.set(RedisNodeOptions::operationTimeout, Duration.ofSeconds(2))
			.set(RedisNodeOptions::trustFirstSeen, true)
			.build();
		List<NodeAddress> addresses = servers.stream().map((server) -> NodeAddress.parse(server.uri())).toList();
		LeaseStore store = new QuorumStore(
				Settings.quorum(instanceId).set(QuorumSettings::operationTimeout, Duration.ofSeconds(2)).build(),
				RedisNodes.create(addresses, options).nodes(), CLOCK, TIMER, List.of());
		store.start();
		Awaitility.await().until(() -> store.status().nodes().stream().allMatch(NodeState::voting));
		return store;
	}

}
