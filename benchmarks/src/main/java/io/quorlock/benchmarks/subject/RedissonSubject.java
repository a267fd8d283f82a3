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
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

import org.redisson.RedissonMultiLock;
import org.redisson.RedissonRedLock;
import org.redisson.api.RLock;
import org.redisson.api.RPermitExpirableSemaphore;
import org.redisson.api.RedissonClient;

/**
 * Redisson: {@code RLock} with watchdog or lease, {@code RedissonMultiLock},
 * {@code RedissonRedLock}.
 */
final class RedissonSubject implements LockSubject {

	private final List<Integer> ports;

	private final Function<String, RLock> locks;

	private final boolean watchdog;

	private final RedissonClient client;

	private final Map<String, RPermitExpirableSemaphore> semaphores = new ConcurrentHashMap<>();

	private RedissonSubject(List<Integer> ports, Function<String, RLock> locks, boolean watchdog) {
		this.ports = ports;
		this.locks = locks;
		this.watchdog = watchdog;
		this.client = RedissonClients.of(ports.get(0));
	}

	static RedissonSubject lock(int port, boolean watchdog) {
		return new RedissonSubject(List.of(port), RedissonClients.of(port)::getLock, watchdog);
	}

	static RedissonSubject multiLock(List<Integer> ports) {
		List<RedissonClient> clients = RedissonClients.of(ports);
		return new RedissonSubject(ports, (name) -> new RedissonMultiLock(locks(clients, name)), true);
	}

	@SuppressWarnings("deprecation") // It is deprecated, but still widely used.
	static RedissonSubject redLock(List<Integer> ports) {
		List<RedissonClient> clients = RedissonClients.of(ports);
		return new RedissonSubject(ports, (name) -> new RedissonRedLock(locks(clients, name)), true);
	}

	private static RLock[] locks(List<RedissonClient> clients, String name) {
		return clients.stream().map((client) -> client.getLock(name)).toArray(RLock[]::new);
	}

	@Override
	public Hold lock(String name) {
		RLock lock = this.locks.apply(name);
		if (this.watchdog) {
			lock.lock();
		}
		else {
			lock.lock(LEASE_MILLIS, TimeUnit.MILLISECONDS);
		}
		return lock::unlock;
	}

	@Override
	public Hold write(String name) {
		return locked(this.client.getReadWriteLock(name).writeLock());
	}

	@Override
	public Hold read(String name) {
		return locked(this.client.getReadWriteLock(name).readLock());
	}

	/** {@code RSemaphore} has no leases, so the one that has them is measured. */
	@Override
	public Hold permit(String name, int permits) throws InterruptedException {
		RPermitExpirableSemaphore semaphore = this.semaphores.computeIfAbsent(name, (key) -> {
			RPermitExpirableSemaphore created = this.client.getPermitExpirableSemaphore(key);
			created.trySetPermits(permits);
			return created;
		});
		String permit = semaphore.acquire(LEASE_MILLIS, TimeUnit.MILLISECONDS);
		return () -> semaphore.release(permit);
	}

	@Override
	public Hold fair(String name) {
		return locked(this.client.getFairLock(name));
	}

	private static Hold locked(RLock lock) {
		lock.lock();
		return lock::unlock;
	}

	@Override
	public void close() {
		RedissonClients.close(this.ports);
	}

}
