package io.quorlock.system;

import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

import io.quorlock.embedded.EmbeddedRedis;
import io.quorlock.engine.DefaultLockTemplate;

/**
 * The kinds of locks of two instances on five servers.
 */
class RedisLockKindsTests extends LockKindsContract {

	private static final List<RealEngine> instances = new ArrayList<>();

	private static EmbeddedRedis redis;

	@BeforeAll
	static void start() {
		redis = EmbeddedRedis.start(5);
		for (int i = 0; i < 2; i++) {
			instances.add(RealEngine.start(RealEngine.settings("app@host:" + i), redis.uris()));
		}
	}

	@AfterAll
	static void stop() {
		instances.forEach(RealEngine::close);
		instances.clear();
		redis.close();
	}

	@Override
	DefaultLockTemplate instance(int number) {
		return instances.get(number).template;
	}

}
