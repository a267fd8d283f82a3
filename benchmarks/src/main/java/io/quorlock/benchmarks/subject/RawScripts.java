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
import java.util.concurrent.atomic.AtomicLong;

import redis.clients.jedis.Jedis;
import redis.clients.jedis.UnifiedJedis;
import redis.clients.jedis.params.SetParams;

/**
 * The two commands of a canonical Redis lock: {@code SET NX PX} and a compare-and-delete.
 */
final class RawScripts {

	static final String RELEASE = "if redis.call('get',KEYS[1])==ARGV[1] then return redis.call('del',KEYS[1]) else return 0 end";

	private static final AtomicLong COUNTER = new AtomicLong();

	private static final String OWNER = "raw@" + ProcessHandle.current().pid() + ":";

	private RawScripts() {
	}

	static String token() {
		return OWNER + COUNTER.incrementAndGet();
	}

	static String load(int port) {
		try (Jedis jedis = new Jedis("127.0.0.1", port, 10_000)) {
			return jedis.scriptLoad(RELEASE);
		}
	}

	static boolean acquire(UnifiedJedis jedis, String name, String token) {
		return jedis.set(name, token, SetParams.setParams().nx().px(LockSubject.LEASE_MILLIS)) != null;
	}

	static void release(UnifiedJedis jedis, String sha, String name, String token) {
		jedis.evalsha(sha, List.of(name), List.of(token));
	}

}
