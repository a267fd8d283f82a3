package io.quorlock.redis.spring;

import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * Tests for {@link SpringRedisLockNode} over Lettuce.
 */
class LettuceLockNodeTests extends SpringRedisContract {

	@Override
	RedisConnectionFactory connect(RedisStandaloneConfiguration configuration) {
		LettuceConnectionFactory factory = new LettuceConnectionFactory(configuration);
		factory.afterPropertiesSet();
		factory.start();
		return factory;
	}

}
