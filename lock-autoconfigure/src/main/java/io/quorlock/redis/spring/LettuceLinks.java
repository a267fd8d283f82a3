package io.quorlock.redis.spring;

import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import io.quorlock.redis.spring.RedisTopology.Kind;

/**
 * Chooses the link for Lettuce. A class of its own, since Lettuce may be absent.
 */
final class LettuceLinks {

	private LettuceLinks() {
	}

	static RedisLink of(RedisConnectionFactory factory, RedisTopology topology, boolean waits) {
		LettuceConnectionFactory lettuce = (LettuceConnectionFactory) factory;
		return (topology.kind() == Kind.CLUSTER) ? new LettuceClusterLink(lettuce, waits)
				: new LettuceServerLink(lettuce, waits);
	}

}
