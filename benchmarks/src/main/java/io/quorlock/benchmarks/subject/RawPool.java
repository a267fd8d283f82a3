package io.quorlock.benchmarks.subject;

import redis.clients.jedis.RedisClient;

/**
 * The limit for many threads with the usual driver: the same two commands, a pooled
 * connection for each.
 */
final class RawPool implements LockSubject {

	private final RedisClient jedis;

	private final String sha;

	RawPool(int port) {
		this.jedis = Drivers.pooledJedis(port, 2_000);
		this.sha = RawScripts.load(port);
	}

	@Override
	public Hold lock(String name) {
		String token = RawScripts.token();
		if (!RawScripts.acquire(this.jedis, name, token)) {
			throw new IllegalStateException("Held: " + name);
		}
		return () -> RawScripts.release(this.jedis, this.sha, name, token);
	}

	@Override
	public void close() {
		this.jedis.close();
	}

}
