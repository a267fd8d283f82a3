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

import org.jspecify.annotations.Nullable;

import org.springframework.core.Ordered;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Binds {@link TransactionLocks} to the transaction of the thread.
 */
final class TransactionLockSynchronization implements TransactionSynchronization, Ordered {

	/** Those of the innermost transaction of the thread whose completion is under way. */
	private static final ThreadLocal<@Nullable TransactionLocks> COMPLETING = new ThreadLocal<>();

	private final TransactionLocks locks = new TransactionLocks();

	/**
	 * Return the locks of the running transaction.
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
		TransactionLockSynchronization synchronization = new TransactionLockSynchronization();
		TransactionSynchronizationManager.registerSynchronization(synchronization);
		return synchronization.locks;
	}

	/**
	 * Return the locks that were taken inside the running transaction.
	 * @return the locks, or {@code null} if none were
	 */
	static @Nullable TransactionLocks existing() {
		if (TransactionSynchronizationManager.isSynchronizationActive()) {
			for (TransactionSynchronization candidate : TransactionSynchronizationManager.getSynchronizations()) {
				if (candidate instanceof TransactionLockSynchronization synchronization) {
					return synchronization.locks;
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
		this.locks.ensureHeld();
	}

	@Override
	public void beforeCompletion() {
		this.locks.beginCompletion(COMPLETING.get());
		COMPLETING.set(this.locks);
	}

	@Override
	public void afterCompletion(int status) {
		if (COMPLETING.get() == this.locks) {
			endCompletion(this.locks.outer());
		}
		this.locks.complete().join();
	}

	private static void endCompletion(@Nullable TransactionLocks outer) {
		if (outer != null) {
			COMPLETING.set(outer);
		}
		else {
			COMPLETING.remove();
		}
	}

	@Override
	public int getOrder() {
		return TransactionLocks.ORDER;
	}

}
