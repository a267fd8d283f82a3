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
