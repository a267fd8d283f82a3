package io.quorlock.benchmarks.subject;

import java.time.Duration;
import java.time.Instant;

import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.SimpleLock;
import net.javacrumbs.shedlock.provider.redis.spring.RedisLockProvider;

import org.springframework.data.redis.connection.RedisConnectionFactory;

/**
 * ShedLock's provider for Redis. It never waits.
 */
final class ShedLockSubject implements LockSubject {

	private final RedisConnectionFactory connections;

	private final RedisLockProvider provider;

	ShedLockSubject(RedisConnectionFactory connections) {
		this.connections = connections;
		this.provider = new RedisLockProvider(connections, "benchmark");
	}

	@Override
	public Hold lock(String name) {
		SimpleLock lock = this.provider
			.lock(new LockConfiguration(Instant.now(), name, Duration.ofMillis(LEASE_MILLIS), Duration.ZERO))
			.orElseThrow();
		return lock::unlock;
	}

	@Override
	public void close() {
		Drivers.close(this.connections);
	}

}
