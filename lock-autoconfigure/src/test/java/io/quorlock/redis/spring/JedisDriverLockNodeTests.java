package io.quorlock.redis.spring;

import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;

/**
 * Tests for {@link SpringRedisLockNode} over Jedis.
 */
class JedisDriverLockNodeTests extends SpringRedisContract {

	@Override
	RedisConnectionFactory connect(RedisStandaloneConfiguration configuration) {
		JedisConnectionFactory factory = new JedisConnectionFactory(configuration);
		factory.afterPropertiesSet();
		factory.start();
		return factory;
	}

}
