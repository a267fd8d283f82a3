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

	/**
	 * Keys of all kinds but fences, which outlive their locks: node, key, type, what is
	 * left of its life, and contents, of sorted sets with each score less the node's
	 * time. A queue in which no ticket stands any more is as good as gone: whoever asks
	 * for the name removes it, and where nobody does, it expires soon.
	 */
	static final String LEFT = """
			local left = {}
			local time = redis.call('TIME')
			local now = time[1] * 1000 + math.floor(time[2] / 1000)
			for _, key in ipairs(redis.call('KEYS', 'lock:{*')) do
				local lock = string.match(key, '^(.*):line$') or string.match(key, '^(.*):ends$')
				local dead = lock and redis.call('ZCOUNT', lock .. ':ends', now, '+inf') == 0
				if string.sub(key, -6) ~= ':fence' and not dead then
					local type = redis.call('TYPE', key).ok
					local contents = {}
					if type == 'zset' then
						local members = redis.call('ZRANGE', key, 0, 15, 'WITHSCORES')
						for i = 1, #members, 2 do
							local score = tonumber(members[i + 1])
							local millis = score > 1e14 and score / 1000 or score
							contents[#contents + 1] = string.format('%s at %+.0f ms', members[i], millis - now)
						end
						contents[#contents + 1] = redis.call('ZCARD', key) .. ' in all'
					else
						contents[1] = type == 'string' and redis.call('GET', key) or nil
					end
					left[#left + 1] = string.format('%s, a %s for %d ms: %s', key, type,
						redis.call('PTTL', key), table.concat(contents, ', '))
				end
			end
			return left""";

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
	List<String> left() {
		return left(this.redis);
	}

	/** What {@link #LEFT} finds on each node. */
	static List<String> left(EmbeddedRedis redis) {
		return redis.nodes()
			.stream()
			.flatMap(
					(node) -> ((List<?>) node.execute("EVAL", LEFT, "0")).stream().map((key) -> node.uri() + " " + key))
			.toList();
	}

	/** One lease later. */
	@Override
	List<String> leftInTheEnd() throws InterruptedException {
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
