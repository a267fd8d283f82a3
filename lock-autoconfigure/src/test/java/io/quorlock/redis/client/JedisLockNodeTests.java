package io.quorlock.redis.client;

import java.util.List;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

import io.quorlock.embedded.EmbeddedRedisNode;
import io.quorlock.quorum.node.LockNode;
import io.quorlock.quorum.node.LockNodeContract;
import io.quorlock.redis.NodeAddress;

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
