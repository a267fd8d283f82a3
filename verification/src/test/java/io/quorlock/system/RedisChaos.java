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

package io.quorlock.system;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import org.awaitility.Awaitility;

import io.quorlock.embedded.EmbeddedRedis;
import io.quorlock.embedded.LoopbackProxy;

/**
 * Processes that take locks on five Redis nodes behind proxies.
 */
final class RedisChaos extends ChaosCluster {

	private static final int NODES = 5;

	static final int QUORUM = NODES / 2 + 1;

	/** Clients need so long at most to connect to a node that is well again. */
	static final Duration RECONNECT = Duration.ofSeconds(3);

	private final EmbeddedRedis redis = EmbeddedRedis.start(NODES);

	private final List<LoopbackProxy> proxies = new ArrayList<>();

	private final Nemesis nemesis;

	private final RealEngine observer;

	RedisChaos() throws IOException {
		this.redis.nodes().forEach((node) -> this.proxies.add(LoopbackProxy.to(node)));
		List<String> uris = this.proxies.stream().map(LoopbackProxy::uri).toList();
		this.observer = RealEngine.start(ChaosClient.settings("observer@test:0"), uris);
		startProcesses(uris);
		this.nemesis = new Nemesis(this.redis, this.proxies, this::processes);
	}

	void torment(String phase, int nodes, boolean processes, Duration time) throws Exception {
		phase(phase, () -> this.nemesis.torment(nodes, processes, time));
	}

	/** What the quarantine is for: a majority forgets what was held. */
	void cutPower() throws Exception {
		phase("majority restarted at once", () -> {
			this.nemesis.cutPower(QUORUM);
			Thread.sleep(ChaosClient.LEASE.toMillis());
		});
	}

	/** Until as many nodes may fail again as before. */
	void recover() throws Exception {
		phase("recovery", () -> {
			Thread.sleep(RECONNECT.toMillis());
			Awaitility.await()
				.atMost(Duration.ofSeconds(60))
				.until(() -> this.observer.nodes.stream().allMatch((node) -> node.status().isVoting()));
		});
	}

	@Override
	long left() {
		return left(this.redis);
	}

	/** Keys of all kinds but fences, which outlive their locks. */
	static long left(EmbeddedRedis redis) {
		return redis.nodes().stream().mapToLong((node) -> (Long) node.execute("EVAL", """
				local left = 0
				for _, key in ipairs(redis.call('KEYS', 'lock:{*')) do
					if string.sub(key, -6) ~= ':fence' then left = left + 1 end
				end
				return left""", "0")).sum();
	}

	/** One lease later. */
	@Override
	long leftInTheEnd() throws InterruptedException {
		Thread.sleep(ChaosClient.LEASE.toMillis());
		return left();
	}

	@Override
	public void close() throws Exception {
		super.close();
		this.observer.close();
		this.proxies.forEach(LoopbackProxy::close);
		this.redis.close();
	}

}
