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
import java.util.concurrent.atomic.AtomicInteger;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;

import io.quorlock.embedded.EmbeddedRedis;
import io.quorlock.quorum.membership.Layout;
import io.quorlock.quorum.node.LockNode;
import io.quorlock.quorum.node.SealContract;
import io.quorlock.redis.NodeAddress;

/**
 * The seal of a real server.
 */
@Timeout(120)
class SealTests extends SealContract {

	private static final Duration AGE = Duration.ofSeconds(40);

	private static EmbeddedRedis redis;

	private static final AtomicInteger tests = new AtomicInteger();

	private final String prefix = "test" + tests.incrementAndGet() + ":";

	private final TestClock clock = new TestClock();

	@BeforeAll
	static void startRedis() {
		redis = EmbeddedRedis.start(1);
	}

	@AfterAll
	static void stopRedis() {
		redis.close();
	}

	@Override
	protected LockNode createNode(int version) {
		return nodes(List.of(redis.uris().get(0)), version, 0).nodes().get(0);
	}

	@Override
	protected void seal(int version) {
		RedisNodes nodes = nodes(List.of(redis.uris().get(0)), version, version);
		NodeProbe probe = new NodeProbe(nodes.nodes().get(0));
		Awaitility.await().until(() -> sealOf(0) >= version);
		probe.close();
	}

	private int sealOf(int index) {
		Object seal = redis.node(index).execute("HGET", this.prefix + "nodes", "seal");
		return (seal != null) ? Integer.parseInt(seal.toString()) : -1;
	}

	private RedisNodes nodes(List<String> uris, int version, int seal) {
		RedisNodeOptions options = RedisNodeOptions.builder(this.clock)
			.operationTimeout(Duration.ofSeconds(2))
			.quarantine(Duration.ZERO)
			.keyPrefix(this.prefix)
			.build();
		return RedisNodes.create(uris.stream().map(NodeAddress::parse).toList(), options,
				new Layout("group a of a by name" + ((version > 0) ? " version " + version : ""), version, seal, AGE));
	}

}
