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

package io.quorlock.benchmarks;

import java.util.List;

import redis.clients.jedis.Jedis;

import io.quorlock.embedded.EmbeddedRedis;
import io.quorlock.embedded.EmbeddedRedisNode;

/**
 * Helper methods for the Redis nodes.
 */
final class Nodes {

	private Nodes() {
	}

	static List<Integer> ports(EmbeddedRedis redis) {
		return redis.nodes().stream().map(EmbeddedRedisNode::port).toList();
	}

	static List<Jedis> connect(List<Integer> ports) {
		return ports.stream().map((port) -> new Jedis("127.0.0.1", port, 10_000)).toList();
	}

	/**
	 * Return what stands before the braces in the keys of the subject that has a lock, or
	 * had it a moment ago.
	 */
	static String keyPrefix(List<Jedis> nodes, String name) {
		String end = "{" + name + "}:fence";
		return nodes.stream()
			.flatMap((node) -> node.keys("*" + end).stream())
			.map((key) -> key.substring(0, key.length() - end.length()))
			.findFirst()
			.orElseThrow();
	}

	static double pingMicros(Jedis node) {
		long begin = System.nanoTime();
		node.ping();
		return (System.nanoTime() - begin) / 1e3;
	}

}
