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

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

import io.quorlock.LockHandle;
import io.quorlock.LockRequest;
import io.quorlock.LockTemplate;
import io.quorlock.spi.DelegatingLockTemplate;

/**
 * A {@link LockTemplate} whose locks outlive the transaction in which they are acquired:
 * closing the handle releases the lock after the completion of the transaction, so that
 * the next holder sees what was committed. Before the commit the lock is checked, and a
 * lost one rolls the transaction back with {@link io.quorlock.LockLostException}.
 * <p>
 * Inside the same transaction, a lock whose release is deferred can be acquired again,
 * also by {@link #acquire}. A transaction of its own ({@code REQUIRES_NEW}) is another
 * owner. {@link LockRequest#releaseImmediately()} and
 * {@code distributed-lock.transaction.release-after-completion=false} release at once.
 * What {@link #asLock} locks is always released by
 * {@link java.util.concurrent.locks.Lock#unlock()}.
 *
 * @since 0.1.0
 */
public class TransactionAwareLockTemplate implements DelegatingLockTemplate {

	private final LockTemplate delegate;

	private final boolean releaseAfterCompletion;

	/**
	 * Create the template.
	 * @param delegate acquires the locks
	 * @param releaseAfterCompletion
	 * {@code distributed-lock.transaction.release-after-completion}
	 */
	public TransactionAwareLockTemplate(LockTemplate delegate, boolean releaseAfterCompletion) {
		this.delegate = delegate;
		this.releaseAfterCompletion = releaseAfterCompletion;
	}

	@Override
	public LockTemplate getDelegate() {
		return this.delegate;
	}

	boolean isReleaseImmediate(LockRequest request) {
		return request.isReleasedImmediately() || !this.releaseAfterCompletion;
	}

	@Override
	public LockHandle acquire(LockRequest request) {
		return acquire(request, (within) -> Optional.of(this.delegate.acquire(within))).orElseThrow();
	}

	@Override
	public Optional<LockHandle> tryAcquire(LockRequest request) {
		return acquire(request, this.delegate::tryAcquire);
	}

	private Optional<LockHandle> acquire(LockRequest request, Function<LockRequest, Optional<LockHandle>> how) {
		TransactionLocks locks = TransactionLocks.current();
		LockRequest within = TransactionLocks.withinCompletion(TransactionLocks.completing(), request);
		return (locks != null) ? how.apply(within.within(locks.reentrant(within.context())))
			.map((handle) -> locks.enlist(handle, isReleaseImmediate(request))) : how.apply(within);
	}

	@Override
	public CompletionStage<LockHandle> acquireAsync(LockRequest request) {
		TransactionLocks locks = TransactionLocks.current();
		LockRequest within = TransactionLocks.withinCompletion(TransactionLocks.completing(), request);
		if (locks == null) {
			return this.delegate.acquireAsync(within);
		}
		return locks.acquireAsync(this.delegate::acquireAsync, within, isReleaseImmediate(request));
	}

	@Override
	public boolean requestRelease(String name, Duration deadline) {
		return this.delegate.requestRelease(name, deadline);
	}

}
