package io.quorlock.benchmarks.subject;

import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

import redis.clients.jedis.Jedis;
import redis.clients.jedis.UnifiedJedis;
import redis.clients.jedis.params.SetParams;

/**
 * The two commands of a canonical Redis lock: {@code SET NX PX} and a compare-and-delete.
 */
final class RawScripts {

	static final String RELEASE = "if redis.call('get',KEYS[1])==ARGV[1] then return redis.call('del',KEYS[1]) else return 0 end";

	private static final AtomicLong COUNTER = new AtomicLong();

	private static final String OWNER = "raw@" + ProcessHandle.current().pid() + ":";

	private RawScripts() {
	}

	static String token() {
		return OWNER + COUNTER.incrementAndGet();
	}

	static String load(int port) {
		try (Jedis jedis = new Jedis("127.0.0.1", port, 10_000)) {
			return jedis.scriptLoad(RELEASE);
		}
	}

	static boolean acquire(UnifiedJedis jedis, String name, String token) {
		return jedis.set(name, token, SetParams.setParams().nx().px(LockSubject.LEASE_MILLIS)) != null;
	}

	static void release(UnifiedJedis jedis, String sha, String name, String token) {
		jedis.evalsha(sha, List.of(name), List.of(token));
	}

}
