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
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/**
 * One Redisson client per node and process, shared by all Redisson subjects: each of them
 * has dozens of threads and connections.
 */
final class RedissonClients {

	private static final Map<Integer, RedissonClient> CLIENTS = new ConcurrentHashMap<>();

	private RedissonClients() {
	}

	static RedissonClient of(int port) {
		return CLIENTS.computeIfAbsent(port, (key) -> {
			Config config = new Config();
			config.useSingleServer().setAddress("redis://127.0.0.1:" + port).setConnectionPoolSize(128);
			return Redisson.create(config);
		});
	}

	static List<RedissonClient> of(List<Integer> ports) {
		return ports.stream().map(RedissonClients::of).toList();
	}

	static void close(List<Integer> ports) {
		for (Integer port : ports) {
			RedissonClient client = CLIENTS.remove(port);
			if (client != null) {
				client.shutdown();
			}
		}
	}

}
