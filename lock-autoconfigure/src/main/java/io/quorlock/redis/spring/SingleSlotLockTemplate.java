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

package io.quorlock.redis.spring;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;

import org.springframework.data.redis.connection.ClusterSlotHashUtil;

import io.quorlock.LockHandle;
import io.quorlock.LockKeyException;
import io.quorlock.LockRequest;
import io.quorlock.LockTemplate;
import io.quorlock.redis.RedisKeys;
import io.quorlock.spi.DelegatingLockTemplate;

/**
 * Refuses to lock several names together that a Cluster keeps on different masters: no
 * script could lock all of them or none.
 *
 * @since 0.1.0
 */
public final class SingleSlotLockTemplate implements DelegatingLockTemplate {

	private final LockTemplate delegate;

	private final RedisKeys keys;

	/**
	 * Create the template.
	 * @param delegate takes the locks
	 * @param keys the keys of locks
	 */
	public SingleSlotLockTemplate(LockTemplate delegate, RedisKeys keys) {
		this.delegate = delegate;
		this.keys = keys;
	}

	@Override
	public LockTemplate getDelegate() {
		return this.delegate;
	}

	private LockRequest check(LockRequest request) {
		List<String> names = request.names();
		int slot = slotOf(names.get(0));
		for (int i = 1; i < names.size(); i++) {
			if (slotOf(names.get(i)) != slot) {
				throw new LockKeyException(
						("Locks '%s' and '%s' are in different slots of the Redis Cluster, so that they "
								+ "cannot be locked together. Lock one name for both, or list independent nodes in "
								+ "distributed-lock.nodes")
							.formatted(names.get(0), names.get(i)));
			}
		}
		return request;
	}

	private int slotOf(String name) {
		return ClusterSlotHashUtil.calculateSlot(this.keys.lockKey(name));
	}

	@Override
	public LockHandle acquire(LockRequest request) {
		return this.delegate.acquire(check(request));
	}

	@Override
	public Optional<LockHandle> tryAcquire(LockRequest request) {
		return this.delegate.tryAcquire(check(request));
	}

	@Override
	public CompletionStage<LockHandle> acquireAsync(LockRequest request) {
		try {
			return this.delegate.acquireAsync(check(request));
		}
		catch (LockKeyException ex) {
			return CompletableFuture.failedFuture(ex);
		}
	}

	@Override
	public boolean requestRelease(String name, Duration deadline) {
		return this.delegate.requestRelease(name, deadline);
	}

	@Override
	public Lock asLock(String name) {
		return this.delegate.asLock(name);
	}

	@Override
	public ReadWriteLock asReadWriteLock(String name) {
		return this.delegate.asReadWriteLock(name);
	}

}
