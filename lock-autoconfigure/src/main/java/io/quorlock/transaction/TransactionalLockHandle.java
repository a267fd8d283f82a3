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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

import io.quorlock.LockAtRiskEvent;
import io.quorlock.LockHandle;
import io.quorlock.LockLostEvent;
import io.quorlock.ReleaseRequest;

/**
 * A lock that was acquired inside a transaction. Closing it ends the use by its owner;
 * the lock is released after the completion of the transaction.
 */
final class TransactionalLockHandle extends DelegatingLockHandle {

	private final TransactionLocks transaction;

	private final boolean releaseImmediately;

	private final AtomicBoolean closed = new AtomicBoolean();

	TransactionalLockHandle(LockHandle delegate, TransactionLocks transaction, boolean releaseImmediately) {
		super(delegate);
		this.transaction = transaction;
		this.releaseImmediately = releaseImmediately;
	}

	boolean isReleasedImmediately() {
		return this.releaseImmediately;
	}

	boolean isClosed() {
		return this.closed.get();
	}

	@Override
	public Duration remaining() {
		return isClosed() ? Duration.ZERO : super.remaining();
	}

	@Override
	public boolean isHeld() {
		return !isClosed() && super.isHeld();
	}

	@Override
	public void ensureHeld() {
		checkOpen();
		super.ensureHeld();
	}

	private void checkOpen() {
		if (isClosed()) {
			throw new IllegalStateException("Lock '" + name() + "' was closed; it is released after the transaction");
		}
	}

	@Override
	public void extend(Duration lease) {
		checkOpen();
		super.extend(lease);
	}

	@Override
	public void holdAtLeast(Duration time) {
		checkOpen();
		super.holdAtLeast(time);
	}

	@Override
	public void downgrade() {
		checkOpen();
		if (this.transaction.keepsExclusively(this)) {
			throw new IllegalStateException(
					"Lock '" + name() + "' cannot be downgraded: its transaction keeps it exclusively until it ends");
		}
		super.downgrade();
	}

	@Override
	public void onReleaseRequested(Consumer<ReleaseRequest> callback) {
		super.onReleaseRequested(whileOpen(callback));
	}

	@Override
	public void onLost(Consumer<LockLostEvent> callback) {
		super.onLost(whileOpen(callback));
	}

	@Override
	public void onAtRisk(Consumer<LockAtRiskEvent> callback) {
		super.onAtRisk(whileOpen(callback));
	}

	private <E> Consumer<E> whileOpen(Consumer<E> callback) {
		return (event) -> {
			if (!isClosed()) {
				callback.accept(event);
			}
		};
	}

	@Override
	public void close() {
		if (this.closed.compareAndSet(false, true) && this.transaction.isReleasedNow(this)) {
			super.close();
		}
	}

	@Override
	public CompletionStage<@Nullable Void> closeAsync() {
		if (this.closed.compareAndSet(false, true) && this.transaction.isReleasedNow(this)) {
			return super.closeAsync();
		}
		return CompletableFuture.completedFuture(null);
	}

}
