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

import redis.clients.jedis.RedisClient;

/**
 * The limit for many threads with the usual driver: the same two commands, a pooled
 * connection for each.
 */
final class RawPool implements LockSubject {

	private final RedisClient jedis;

	private final String sha;

	RawPool(int port) {
		this.jedis = Drivers.pooledJedis(port, 2_000);
		this.sha = RawScripts.load(port);
	}

	@Override
	public Hold lock(String name) {
		String token = RawScripts.token();
		if (!RawScripts.acquire(this.jedis, name, token)) {
			throw new IllegalStateException("Held: " + name);
		}
		return () -> RawScripts.release(this.jedis, this.sha, name, token);
	}

	@Override
	public void close() {
		this.jedis.close();
	}

}
