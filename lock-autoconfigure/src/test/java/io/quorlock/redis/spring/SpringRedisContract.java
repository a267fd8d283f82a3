package io.quorlock.redis.spring;

import java.time.Duration;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;

import io.quorlock.embedded.EmbeddedRedisNode;
import io.quorlock.quorum.node.LockNode;
import io.quorlock.quorum.node.LockNodeContract;
import io.quorlock.redis.RedisKeys;

/**
 * What {@link SpringRedisLockNode} must do, with each driver.
 */
abstract class SpringRedisContract extends LockNodeContract {

	private static EmbeddedRedisNode redis;

	private @Nullable RedisConnectionFactory factory;

	@BeforeAll
	static void startRedis() {
		redis = EmbeddedRedisNode.start();
	}

	@AfterAll
	static void stopRedis() {
		redis.close();
	}

	abstract RedisConnectionFactory connect(RedisStandaloneConfiguration configuration);

	@Override
	protected LockNode createNode() {
		redis.execute("FLUSHALL");
		RedisConnectionFactory factory = connect(new RedisStandaloneConfiguration("127.0.0.1", redis.port()));
		this.factory = factory;
		return new SpringRedisLockNode(factory, new RedisKeys("lock:"), 0, Duration.ofSeconds(1));
	}

	@Override
	protected void closeStore() throws Exception {
		if (this.factory instanceof DisposableBean bean) {
			bean.destroy();
		}
	}

}
