package io.quorlock.system;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

import io.quorlock.embedded.EmbeddedRedis;
import io.quorlock.engine.DefaultLockTemplate;

/**
 * The kinds of locks over two groups of nodes (R23).
 */
class GroupedLockKindsTests extends LockKindsContract {

	private static final List<RealEngine> instances = new ArrayList<>();

	private static EmbeddedRedis redis;

	@BeforeAll
	static void start() {
		redis = EmbeddedRedis.start(4);
		List<String> uris = redis.uris();
		Map<String, List<String>> groups = Map.of("a", uris.subList(0, 3), "b", uris.subList(3, 4));
		for (int i = 0; i < 2; i++) {
			instances.add(RealEngine.start("app@host:" + i, groups));
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
