package io.quorlock.benchmarks.subject;

import java.util.List;

import redis.clients.jedis.Jedis;
import redis.clients.jedis.params.SetParams;

/**
 * The limit for one thread: only two commands on one connection.
 */
final class RawConnection implements LockSubject {

	private final Jedis jedis;

	private final String sha;

	RawConnection(int port) {
		this.jedis = new Jedis("127.0.0.1", port);
		this.sha = RawScripts.load(port);
	}

	@Override
	public Hold lock(String name) {
		String token = RawScripts.token();
		if (this.jedis.set(name, token, SetParams.setParams().nx().px(LEASE_MILLIS)) == null) {
			throw new IllegalStateException("Held: " + name);
		}
		return () -> this.jedis.evalsha(this.sha, List.of(name), List.of(token));
	}

	@Override
	public void close() {
		this.jedis.close();
	}

}
