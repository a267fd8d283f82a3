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

import java.util.List;

import redis.clients.jedis.Jedis;
import redis.clients.jedis.params.SetParams;

/**
 * The limit for one thread: only two commands on one connection.
 */
final class RawConnection implements LockSubject {

	private final Jedis jedis;

	private final String sha;

	RawConnection(int port) {
		this.jedis = new Jedis("127.0.0.1", port);
		this.sha = RawScripts.load(port);
	}

	@Override
	public Hold lock(String name) {
		String token = RawScripts.token();
		if (this.jedis.set(name, token, SetParams.setParams().nx().px(LEASE_MILLIS)) == null) {
			throw new IllegalStateException("Held: " + name);
		}
		return () -> this.jedis.evalsha(this.sha, List.of(name), List.of(token));
	}

	@Override
	public void close() {
		this.jedis.close();
	}

}
