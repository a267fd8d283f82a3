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

package io.quorlock.transaction;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;

import org.jspecify.annotations.Nullable;

import io.quorlock.LockContext;

/**
 * A {@link Lock} that may re-enter what the transaction of the thread keeps until its
 * end. It would wait for its own transaction otherwise.
 */
record TransactionAwareLock(Lock delegate) implements Lock {

	static ReadWriteLock of(ReadWriteLock delegate) {
		return new ReadersAndWriter(new TransactionAwareLock(delegate.readLock()),
				new TransactionAwareLock(delegate.writeLock()));
	}

	@Override
	public void lock() {
		try (Reentry reentry = Reentry.begin()) {
			this.delegate.lock();
		}
	}

	@Override
	public void lockInterruptibly() throws InterruptedException {
		try (Reentry reentry = Reentry.begin()) {
			this.delegate.lockInterruptibly();
		}
	}

	@Override
	public boolean tryLock() {
		try (Reentry reentry = Reentry.begin()) {
			return this.delegate.tryLock();
		}
	}

	@Override
	public boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
		try (Reentry reentry = Reentry.begin()) {
			return this.delegate.tryLock(time, unit);
		}
	}

	@Override
	public void unlock() {
		this.delegate.unlock();
	}

	@Override
	public Condition newCondition() {
		return this.delegate.newCondition();
	}

	@Override
	public String toString() {
		return this.delegate.toString();
	}

	/**
	 * Adds the locks that the transaction keeps to the context of the thread, and removes
	 * them at its end.
	 */
	private record Reentry(@Nullable LockContext before, @Nullable LockContext extended) implements AutoCloseable {

		static Reentry begin() {
			LockContext before = LockContext.ofThread();
			TransactionLocks locks = TransactionLocks.existing();
			LockContext completing = TransactionLocks.withinCompletion(TransactionLocks.completing(), before);
			LockContext extended = (locks != null) ? locks.reentrant(completing) : completing;
			LockContext.restore(extended);
			return new Reentry(before, extended);
		}

		@Override
		public void close() {
			for (LockContext kept = this.extended; kept != null && kept != this.before; kept = kept.outer()) {
				LockContext.leave(kept.handle());
			}
		}

	}

	private record ReadersAndWriter(Lock readLock, Lock writeLock) implements ReadWriteLock {
	}

}
