/*
 * Copyright 2026-present the Quorlock authors.
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *      https://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */

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
	public Hold lock(String name) throws InterruptedException {
		Lock lock = this.registry.obtain(name);
		lock.lockInterruptibly();
		return lock::unlock;
	}

	@Override
	public void close() {
		this.registry.destroy();
		Drivers.close(this.connections);
	}

}
