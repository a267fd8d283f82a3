package io.quorlock.benchmarks.subject;

import java.util.concurrent.locks.Lock;

import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.integration.redis.util.RedisLockRegistry;
import org.springframework.integration.redis.util.RedisLockRegistry.RedisLockType;

/**
 * Spring Integration's {@link RedisLockRegistry}, spinning or subscribed.
 */
final class SpringIntegrationSubject implements LockSubject {

	private final RedisConnectionFactory connections;

	private final RedisLockRegistry registry;

	SpringIntegrationSubject(RedisConnectionFactory connections, RedisLockType type) {
		this.connections = connections;
		this.registry = new RedisLockRegistry(connections, "si-" + type, LEASE_MILLIS);
		this.registry.setRedisLockType(type);
	}

	@Override
	public Hold lock(String name) {
		Lock lock = this.registry.obtain(name);
		lock.lock();
		return lock::unlock;
	}

	@Override
	public void close() {
		this.registry.destroy();
		Drivers.close(this.connections);
	}

}
