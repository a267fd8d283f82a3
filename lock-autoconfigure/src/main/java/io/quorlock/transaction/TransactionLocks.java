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

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

import io.quorlock.LockContext;
import io.quorlock.LockHandle;
import io.quorlock.LockLostException;
import io.quorlock.LockMode;
import io.quorlock.LockRequest;

/**
 * The locks that were acquired inside one transaction, of this thread or of a reactive
 * pipeline. They are checked before its commit; those that were closed meanwhile are
 * released after its completion. Until then they can be acquired again inside the
 * transaction, which would otherwise wait for itself. Without an order of its own, the
 * check comes after the other synchronizations.
 */
final class TransactionLocks implements TransactionSynchronization {

	/** Those of the innermost transaction of the thread whose completion is under way. */
	private static final ThreadLocal<@Nullable TransactionLocks> COMPLETING = new ThreadLocal<>();

	private final List<TransactionalLockHandle> handles = new ArrayList<>(2);

	private boolean completed;

	/** Those of the transaction that was completing when this one began to. */
	private @Nullable TransactionLocks outer;

	/**
	 * Return the locks of the running transaction of this thread.
	 * @return the locks, or {@code null} if no transaction is active
	 */
	static @Nullable TransactionLocks current() {
		if (!TransactionSynchronizationManager.isSynchronizationActive()
				|| !TransactionSynchronizationManager.isActualTransactionActive()) {
			return null;
		}
		TransactionLocks existing = existing();
		if (existing != null) {
			return existing;
		}
		TransactionLocks locks = new TransactionLocks();
		TransactionSynchronizationManager.registerSynchronization(locks);
		return locks;
	}

	/**
	 * Return the locks that were taken inside the running transaction of this thread.
	 * @return the locks, or {@code null} if none were
	 */
	static @Nullable TransactionLocks existing() {
		if (TransactionSynchronizationManager.isSynchronizationActive()) {
			for (TransactionSynchronization candidate : TransactionSynchronizationManager.getSynchronizations()) {
				if (candidate instanceof TransactionLocks locks) {
					return locks;
				}
			}
		}
		return null;
	}

	/**
	 * Return the locks of the transaction whose completion runs on this thread.
	 * @return the locks of the innermost one, or {@code null} if none completes
	 */
	static @Nullable TransactionLocks completing() {
		return COMPLETING.get();
	}

	@Override
	public void beforeCommit(boolean readOnly) {
		ensureHeld();
	}

	@Override
	public void beforeCompletion() {
		beginCompletion(COMPLETING.get());
		COMPLETING.set(this);
	}

	@Override
	public void afterCompletion(int status) {
		if (COMPLETING.get() == this) {
			COMPLETING.remove();
			if (this.outer != null) {
				COMPLETING.set(this.outer);
			}
		}
		complete().join();
	}

	/**
	 * Return the locks that a request may re-enter which is made while transactions
	 * complete: a callback of the completion would otherwise wait for itself.
	 * @param completing the locks of the innermost of these transactions
	 * @param context those that it may re-enter anyway
	 * @return these, and the ones that the transactions keep
	 */
	static @Nullable LockContext withinCompletion(@Nullable TransactionLocks completing,
			@Nullable LockContext context) {
		LockContext extended = context;
		for (TransactionLocks each = completing; each != null; each = each.outer) {
			extended = each.reentrant(extended);
		}
		return extended;
	}

	static LockRequest withinCompletion(@Nullable TransactionLocks completing, LockRequest request) {
		LockContext extended = withinCompletion(completing, request.context());
		return (extended != request.context()) ? request.within(extended) : request;
	}

	/**
	 * Begin the completion.
	 * @param outer the locks of a transaction that is completing already
	 */
	void beginCompletion(@Nullable TransactionLocks outer) {
		this.outer = outer;
	}

	@Nullable TransactionLocks outer() {
		return this.outer;
	}

	/**
	 * Make a lock part of the transaction.
	 * @param handle the lock
	 * @param releaseImmediately whether closing releases it before the completion
	 * @return the lock for its owner
	 */
	synchronized LockHandle enlist(LockHandle handle, boolean releaseImmediately) {
		if (this.completed) {
			return handle;
		}
		TransactionalLockHandle enlisted = new TransactionalLockHandle(handle, this, releaseImmediately);
		this.handles.add(enlisted);
		return enlisted;
	}

	/**
	 * Decide whether a handle that its owner closed is released now.
	 * @param handle the handle
	 * @return {@code false} if the completion will release it
	 */
	synchronized boolean isReleasedNow(TransactionalLockHandle handle) {
		if (this.completed) {
			return true;
		}
		if (handle.isReleasedImmediately() || isHeldByOthers(handle)) {
			this.handles.remove(handle);
			return true;
		}
		return false;
	}

	/**
	 * Return whether another use of a lock that was closed has excluded all others, and
	 * what was done under it is not committed yet.
	 * @param handle the handle of a later use
	 * @return whether the lock has to remain exclusive
	 */
	synchronized boolean keepsExclusively(TransactionalLockHandle handle) {
		return this.handles.stream()
			.anyMatch((other) -> isDeferred(other) && other.mode() == LockMode.EXCLUSIVE
					&& other.names().stream().anyMatch(handle.names()::contains));
	}

	/** A loop that acquires the same lock repeatedly keeps only one handle. */
	private boolean isHeldByOthers(TransactionalLockHandle handle) {
		return handle.names()
			.stream()
			.allMatch((name) -> this.handles.stream()
				.anyMatch((other) -> other != handle && isDeferred(other) && other.names().contains(name)
						&& isAsGood(other, handle)));
	}

	/** It keeps the same permit, and is checked before the commit if the handle is. */
	private static boolean isAsGood(TransactionalLockHandle other, TransactionalLockHandle handle) {
		return other.permit() == handle.permit() && (handle.isLossTolerated() || !other.isLossTolerated());
	}

	private static boolean isDeferred(TransactionalLockHandle handle) {
		return handle.isClosed() && !handle.isReleasedImmediately();
	}

	/**
	 * Return the locks that a request made inside the transaction may re-enter.
	 * @param context those that it may re-enter anyway
	 * @return these, and the ones whose release waits for the completion
	 */
	synchronized @Nullable LockContext reentrant(@Nullable LockContext context) {
		LockContext extended = context;
		for (TransactionalLockHandle handle : this.handles) {
			if (isDeferred(handle)) {
				extended = LockContext.with(handle, extended);
			}
		}
		return extended;
	}

	/**
	 * Acquire a lock inside the transaction without blocking a thread.
	 * @param acquirer takes the lock
	 * @param request what to lock, and how
	 * @param releaseImmediately whether closing releases it before the completion
	 * @return completes with the lock; cancelling it ends the wait
	 */
	CompletionStage<LockHandle> acquireAsync(Function<LockRequest, CompletionStage<LockHandle>> acquirer,
			LockRequest request, boolean releaseImmediately) {
		PendingLock pending = new PendingLock();
		pending.await(acquirer.apply(request.within(reentrant(request.context()))),
				(handle) -> enlist(handle, releaseImmediately), this::discard);
		return pending;
	}

	/**
	 * Nobody got the lock, so nothing was done under it: the completion has no part in
	 * its release.
	 */
	private void discard(LockHandle handle) {
		if (handle instanceof TransactionalLockHandle enlisted) {
			synchronized (this) {
				this.handles.remove(enlisted);
			}
			enlisted.delegate().closeAsync();
		}
		else {
			handle.closeAsync();
		}
	}

	/**
	 * Check that all locks are held.
	 * @throws LockLostException if one was lost
	 */
	void ensureHeld() {
		for (TransactionalLockHandle handle : snapshot()) {
			if (!handle.isLossTolerated()) {
				handle.delegate().ensureHeld();
			}
		}
	}

	/**
	 * Release the locks that were closed. Those that are still open are left to their
	 * owners.
	 * @return completes when the locks are released
	 */
	CompletableFuture<?> complete() {
		return CompletableFuture.allOf(takeDeferred().stream()
			.map((handle) -> handle.delegate().closeAsync().toCompletableFuture())
			.toArray(CompletableFuture[]::new));
	}

	private synchronized List<TransactionalLockHandle> snapshot() {
		return List.copyOf(this.handles);
	}

	private synchronized List<TransactionalLockHandle> takeDeferred() {
		this.completed = true;
		List<TransactionalLockHandle> deferred = this.handles.stream().filter(TransactionLocks::isDeferred).toList();
		this.handles.clear();
		return deferred;
	}

}
