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

package io.quorlock.integration;

import java.time.Duration;
import java.util.ConcurrentModificationException;
import java.util.Deque;

import org.jspecify.annotations.Nullable;

import org.springframework.integration.support.locks.DistributedLock;
import org.springframework.integration.support.locks.ExpirableLockRegistry;
import org.springframework.integration.support.locks.RenewableLockRegistry;

import io.quorlock.LockRequest;
import io.quorlock.LockTemplate;

/**
 * Spring Integration's lock registry over a {@link LockTemplate}. The lock of a key is
 * {@code <registry key>:<key>}.
 * <ul>
 * <li>Locks belong to the thread that locked them and are re-entrant. {@code lock()}
 * waits without a limit; conditions are not supported.</li>
 * <li>A lock without a time-to-live is renewed until it is unlocked, without a task
 * scheduler. One with a time-to-live, at most {@code distributed-lock.max-lease-time},
 * ends with it, unless {@link #renewLock} prolongs it. A longer one is refused with an
 * {@link IllegalArgumentException}.</li>
 * <li>If a lock was lost, {@code unlock()} throws
 * {@link ConcurrentModificationException}, as the registries of Spring Integration do,
 * even if {@code tryLock} came between. A {@code tryLock} by a thread whose lock was lost
 * returns {@code false} once; so a {@code LockRegistryLeaderInitiator} is revoked at its
 * next heartbeat and competes again.</li>
 * <li>When no quorum of nodes replies, {@code tryLock} throws
 * {@link io.quorlock.LockUnavailableException}.</li>
 * </ul>
 *
 * @since 0.1.0
 */
public class QuorlockLockRegistry
		implements ExpirableLockRegistry<DistributedLock>, RenewableLockRegistry<DistributedLock> {

	private final LockTemplate template;

	private final String registryKey;

	private final Duration timeToLive;

	@SuppressWarnings("ThreadLocalUsage") // each registry has its own locks
	private final ThreadLocal<@Nullable Deque<QuorlockLock.Hold>> holds = new ThreadLocal<>();

	/**
	 * Create a new registry.
	 * @param template takes the locks
	 * @param registryKey the prefix of the names of the locks, and the tag {@code lock}
	 * of their meters
	 * @param timeToLive the time-to-live of {@link #renewLock(Object)}
	 */
	public QuorlockLockRegistry(LockTemplate template, String registryKey, Duration timeToLive) {
		this.template = template;
		this.registryKey = LockRequest.of(registryKey).names().get(0);
		this.timeToLive = timeToLive;
	}

	/**
	 * Return the lock of a key. The registry does not keep it: two locks of the same key
	 * are interchangeable.
	 * @param lockKey the key, with a {@code toString()} of its own
	 * @return the lock
	 * @throws io.quorlock.LockKeyException if the key cannot be locked
	 */
	@Override
	public DistributedLock obtain(Object lockKey) {
		return lock(lockKey);
	}

	private QuorlockLock lock(Object lockKey) {
		LockRequest request = LockRequest.of(this.registryKey).key(lockKey).releaseImmediately();
		return new QuorlockLock(this.template, request, this.holds);
	}

	/**
	 * Do nothing: this registry keeps no lock that is not held.
	 * @param age not used
	 */
	@Override
	public void expireUnusedOlderThan(long age) {
	}

	@Override
	public void renewLock(Object lockKey) {
		renewLock(lockKey, this.timeToLive);
	}

	/**
	 * Prolong a lock that the calling thread holds.
	 * @param lockKey the key
	 * @param ttl the time-to-live from now on
	 * @throws IllegalArgumentException if the time-to-live is longer than
	 * {@code distributed-lock.max-lease-time}
	 * @throws IllegalStateException if the thread does not hold the lock, or has lost it
	 */
	@Override
	public void renewLock(Object lockKey, Duration ttl) {
		lock(lockKey).renew(ttl);
	}

	@Override
	public String toString() {
		return "QuorlockLockRegistry[" + this.registryKey + "]";
	}

}
