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

}
