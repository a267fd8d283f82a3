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
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

import io.quorlock.LockAtRiskEvent;
import io.quorlock.LockHandle;
import io.quorlock.LockLostEvent;
import io.quorlock.LockMode;
import io.quorlock.ReleaseRequest;
import io.quorlock.spi.ReentrantLockHandle;

/**
 * A lock as a method and its transaction see it. The loss of the lock may be tolerated,
 * since the result of the method stands in that case, too. Where it was acquired inside a
 * transaction, closing it ends the use by its owner; the lock is released after the
 * completion of the transaction.
 *
 * @since 0.1.0
 */
public class TransactionalLockHandle implements ReentrantLockHandle {

	private final LockHandle delegate;

	private final @Nullable TransactionLocks transaction;

	private final boolean releaseImmediately;

	/** Closed by its owner while the transaction keeps it. */
	private final AtomicBoolean closed = new AtomicBoolean();

	private volatile boolean lossTolerated;

	TransactionalLockHandle(LockHandle delegate, @Nullable TransactionLocks transaction, boolean releaseImmediately) {
		this.delegate = delegate;
		this.transaction = transaction;
		this.releaseImmediately = releaseImmediately;
	}

	/**
	 * Return the lock as one whose loss does not prevent a commit.
	 * @param handle the lock
	 * @return the lock, marked
	 */
	public static TransactionalLockHandle tolerant(LockHandle handle) {
		TransactionalLockHandle marked = (handle instanceof TransactionalLockHandle transactional) ? transactional
				: new TransactionalLockHandle(handle, null, false);
		marked.lossTolerated = true;
		return marked;
	}

	/**
	 * Return whether a transaction may be committed although this lock is lost.
	 * @return whether the loss is ignored
	 */
	public final boolean isLossTolerated() {
		return this.lossTolerated;
	}

	final LockHandle delegate() {
		return this.delegate;
	}

	boolean isReleasedImmediately() {
		return this.releaseImmediately;
	}

	boolean isClosed() {
		return this.closed.get();
	}

	@Override
	public String name() {
		return this.delegate.name();
	}

	@Override
	public List<String> names() {
		return this.delegate.names();
	}

	@Override
	public long fencingToken() {
		return this.delegate.fencingToken();
	}

	@Override
	public long fencingToken(String name) {
		return this.delegate.fencingToken(name);
	}

	@Override
	public LockMode mode() {
		return this.delegate.mode();
	}

	@Override
	public int permit() {
		return this.delegate.permit();
	}

	@Override
	public Duration remaining() {
		return isClosed() ? Duration.ZERO : this.delegate.remaining();
	}

	@Override
	public boolean isHeld() {
		return !isClosed() && this.delegate.isHeld();
	}

	@Override
	public void ensureHeld() {
		checkOpen();
		this.delegate.ensureHeld();
	}

	private void checkOpen() {
		if (isClosed()) {
			throw new IllegalStateException("Lock '" + name() + "' was closed; it is released after the transaction");
		}
	}

	@Override
	public void extend(Duration lease) {
		checkOpen();
		this.delegate.extend(lease);
	}

	@Override
	public void holdAtLeast(Duration time) {
		checkOpen();
		this.delegate.holdAtLeast(time);
	}

	@Override
	public void downgrade() {
		checkOpen();
		if (this.transaction != null && this.transaction.keepsExclusively(this)) {
			throw new IllegalStateException(
					"Lock '" + name() + "' cannot be downgraded: its transaction keeps it exclusively until it ends");
		}
		this.delegate.downgrade();
	}

	@Override
	public void onReleaseRequested(Consumer<ReleaseRequest> callback) {
		this.delegate.onReleaseRequested(whileOpen(callback));
	}

	@Override
	public void onLost(Consumer<LockLostEvent> callback) {
		this.delegate.onLost(whileOpen(callback));
	}

	@Override
	public void onAtRisk(Consumer<LockAtRiskEvent> callback) {
		this.delegate.onAtRisk(whileOpen(callback));
	}

	private <E> Consumer<E> whileOpen(Consumer<E> callback) {
		return (event) -> {
			if (!isClosed()) {
				callback.accept(event);
			}
		};
	}

	@Override
	public boolean isGrantedBy(Object engine) {
		return this.delegate instanceof ReentrantLockHandle handle && handle.isGrantedBy(engine);
	}

	@Override
	public ReentrantLockHandle reenter(Collection<String> names) {
		if (this.delegate instanceof ReentrantLockHandle handle) {
			return handle.reenter(names);
		}
		throw new UnsupportedOperationException("Lock '" + name() + "' cannot be re-entered");
	}

	@Override
	public void close() {
		if (isReleasedNow()) {
			this.delegate.close();
		}
	}

	@Override
	public CompletionStage<@Nullable Void> closeAsync() {
		return isReleasedNow() ? this.delegate.closeAsync() : CompletableFuture.completedFuture(null);
	}

	private boolean isReleasedNow() {
		return this.transaction == null
				|| (this.closed.compareAndSet(false, true) && this.transaction.isReleasedNow(this));
	}

	@Override
	public String toString() {
		return this.delegate.toString();
	}

}
