package io.quorlock.redis.jedis;

import java.util.List;

import io.quorlock.core.LockNode;
import io.quorlock.core.LockNodeContract;
import io.quorlock.embedded.EmbeddedRedisNode;
import io.quorlock.redis.NodeAddress;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/**
 * What every node must do, done by a real server.
 */
class JedisLockNodeTests extends LockNodeContract {

	private static EmbeddedRedisNode redis;

	@BeforeAll
	static void startRedis() {
		redis = EmbeddedRedisNode.start();
	}

	@AfterAll
	static void stopRedis() {
		redis.close();
	}

	@Override
	protected LockNode createNode() {
		redis.execute("FLUSHALL");
		return JedisNodes.create(List.of(NodeAddress.parse(redis.uri())), NodeProbe.options()).nodes().get(0);
	}

}
