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

package io.quorlock.benchmarks.subject;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

import redis.clients.jedis.RedisClient;
import redis.clients.jedis.exceptions.JedisException;

/**
 * Redlock as the Redis documentation describes it and most libraries write it: the nodes
 * are asked one after another on pooled connections, a majority within the validity, a
 * random pause before the next attempt, release on every node.
 */
final class CanonicalRedlock implements LockSubject {

	private static final int TIMEOUT_MILLIS = 100;

	private static final int RETRY_MILLIS = 200;

	private static final long WAIT_NANOS = Duration.ofSeconds(30).toNanos();

	private static final double DRIFT = 0.01;

	private final List<RedisClient> nodes;

	private final String sha;

	CanonicalRedlock(List<Integer> ports) {
		this.nodes = ports.stream().map((port) -> Drivers.pooledJedis(port, TIMEOUT_MILLIS)).toList();
		this.sha = ports.stream().map(RawScripts::load).toList().get(0);
	}

	@Override
	public Hold lock(String name) throws InterruptedException {
		long deadline = System.nanoTime() + WAIT_NANOS;
		while (System.nanoTime() < deadline) {
			String token = RawScripts.token();
			if (attempt(name, token)) {
				return () -> release(name, token);
			}
			release(name, token);
			Thread.sleep(ThreadLocalRandom.current().nextInt(RETRY_MILLIS));
		}
		throw new IllegalStateException("Not acquired: " + name);
	}

	private boolean attempt(String name, String token) {
		long begin = System.nanoTime();
		int granted = 0;
		for (RedisClient node : this.nodes) {
			try {
				if (RawScripts.acquire(node, name, token)) {
					granted++;
				}
			}
			catch (JedisException ex) {
				// A node that does not reply does not vote.
			}
		}
		double validityMillis = LEASE_MILLIS * (1 - DRIFT) - 2 - (System.nanoTime() - begin) / 1e6;
		return granted >= this.nodes.size() / 2 + 1 && validityMillis > 0;
	}

	private void release(String name, String token) {
		for (RedisClient node : this.nodes) {
			try {
				RawScripts.release(node, this.sha, name, token);
			}
			catch (JedisException ex) {
				// The lease expires on that node.
			}
		}
	}

	@Override
	public void close() {
		this.nodes.forEach(RedisClient::close);
	}

}
