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

import java.util.List;
import java.util.concurrent.TimeUnit;

import org.redisson.Redisson;
import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/**
 * Redisson with a client of its own, for one thread: as many of its threads and
 * connections as that needs.
 */
final class RedissonClientSubject implements LockSubject {

	private static final int THREADS = 2;

	private static final int CONNECTIONS = 4;

	private final RedissonClient client;

	RedissonClientSubject(List<Integer> ports) {
		Config config = new Config().setThreads(THREADS).setNettyThreads(THREADS);
		config.useSingleServer()
			.setAddress("redis://127.0.0.1:" + ports.get(0))
			.setConnectionPoolSize(CONNECTIONS)
			.setConnectionMinimumIdleSize(1)
			.setSubscriptionConnectionPoolSize(CONNECTIONS);
		this.client = Redisson.create(config);
	}

	@Override
	public Hold lock(String name) throws InterruptedException {
		return locked(this.client.getLock(name));
	}

	@Override
	public Hold fair(String name) throws InterruptedException {
		return locked(this.client.getFairLock(name));
	}

	private static Hold locked(RLock lock) throws InterruptedException {
		lock.lockInterruptibly();
		return lock::unlock;
	}

	@Override
	public void close() {
		this.client.shutdown(0, 2, TimeUnit.SECONDS);
	}

}
