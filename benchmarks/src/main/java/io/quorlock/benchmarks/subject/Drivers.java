package io.quorlock.benchmarks.subject;

import java.time.Duration;

import redis.clients.jedis.ConnectionPoolConfig;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.RedisClient;

import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.jedis.JedisClientConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * Driver set-up that is the same for all subjects. Pools are large enough that no thread
 * ever waits for a connection.
 */
final class Drivers {

	private static final int CONNECTIONS = 128;

	private Drivers() {
	}

	static ConnectionPoolConfig pool() {
		ConnectionPoolConfig pool = new ConnectionPoolConfig();
		pool.setMaxTotal(CONNECTIONS);
		pool.setMaxIdle(CONNECTIONS);
		pool.setTimeBetweenEvictionRuns(Duration.ofMillis(-1));
		return pool;
	}

	static RedisClient pooledJedis(int port, int timeoutMillis) {
		return RedisClient.builder()
			.hostAndPort("127.0.0.1", port)
			.clientConfig(DefaultJedisClientConfig.builder().timeoutMillis(timeoutMillis).build())
			.poolConfig(pool())
			.build();
	}

	static JedisConnectionFactory springJedis(int port) {
		JedisClientConfiguration client = JedisClientConfiguration.builder().usePooling().poolConfig(pool()).build();
		return started(new JedisConnectionFactory(new RedisStandaloneConfiguration("127.0.0.1", port), client));
	}

	static LettuceConnectionFactory springLettuce(int port) {
		return started(new LettuceConnectionFactory(new RedisStandaloneConfiguration("127.0.0.1", port)));
	}

	static void close(RedisConnectionFactory factory) {
		if (factory instanceof JedisConnectionFactory jedis) {
			jedis.destroy();
		}
		else if (factory instanceof LettuceConnectionFactory lettuce) {
			lettuce.destroy();
		}
	}

	private static JedisConnectionFactory started(JedisConnectionFactory factory) {
		factory.afterPropertiesSet();
		factory.start();
		return factory;
	}

	private static LettuceConnectionFactory started(LettuceConnectionFactory factory) {
		factory.afterPropertiesSet();
		factory.start();
		return factory;
	}

}
