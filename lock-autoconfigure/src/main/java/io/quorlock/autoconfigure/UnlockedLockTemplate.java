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

package io.quorlock.autoconfigure;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;

import io.quorlock.LockHandle;
import io.quorlock.LockRequest;
import io.quorlock.LockTemplate;

/**
 * Template for disabled locks: every request is granted at once. Handles have fencing
 * tokens all the same, which increase within this process.
 */
final class UnlockedLockTemplate implements LockTemplate {

	private final AtomicLong fence = new AtomicLong(TimeUnit.MILLISECONDS.toMicros(System.currentTimeMillis()));

	@Override
	public LockHandle acquire(LockRequest request) {
		return new UnlockedLockHandle(request, this.fence.incrementAndGet());
	}

	@Override
	public Optional<LockHandle> tryAcquire(LockRequest request) {
		return Optional.of(acquire(request));
	}

	@Override
	public CompletionStage<LockHandle> acquireAsync(LockRequest request) {
		return CompletableFuture.completedFuture(acquire(request));
	}

	@Override
	public boolean requestRelease(String name, Duration deadline) {
		return false;
	}

	@Override
	public Lock asLock(String name) {
		return new UnlockedLock();
	}

	@Override
	public ReadWriteLock asReadWriteLock(String name) {
		return new ReadWriteLock() {

			@Override
			public Lock readLock() {
				return new UnlockedLock();
			}

			@Override
			public Lock writeLock() {
				return new UnlockedLock();
			}

		};
	}

	private static final class UnlockedLock implements Lock {

		@Override
		public void lock() {
		}

		@Override
		public void lockInterruptibly() {
		}

		@Override
		public boolean tryLock() {
			return true;
		}

		@Override
		public boolean tryLock(long time, TimeUnit unit) {
			return true;
		}

		@Override
		public void unlock() {
		}

		@Override
		public Condition newCondition() {
			throw new UnsupportedOperationException("A distributed lock has no conditions");
		}

	}

}
