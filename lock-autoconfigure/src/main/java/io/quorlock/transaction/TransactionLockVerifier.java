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

import org.springframework.transaction.ReactiveTransaction;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;

import io.quorlock.LockContext;
import io.quorlock.LockHandle;
import io.quorlock.LockLostException;

/**
 * Checks every lock that the call holds immediately before a commit: those of the
 * {@link LockContext} around the transaction and those acquired inside it. A lost one
 * rolls the transaction back with {@link LockLostException}.
 * <p>
 * The auto-configuration adds this bean to every
 * {@link org.springframework.transaction.ConfigurableTransactionManager}. With another
 * kind of transaction manager only locks acquired inside the transaction are checked. A
 * reactive transaction is cancelled, and so rolled back, when a lock around it is lost.
 *
 * @since 0.1.0
 */
public class TransactionLockVerifier implements TransactionExecutionListener {

	@Override
	public void beforeCommit(TransactionExecution transaction) {
		if (transaction instanceof ReactiveTransaction) {
			return;
		}
		for (LockContext context = LockContext.ofThread(); context != null; context = context.outer()) {
			ensureHeld(context.handle());
		}
		TransactionLocks locks = TransactionLocks.existing();
		if (locks != null) {
			locks.ensureHeld();
		}
	}

	private static void ensureHeld(LockHandle handle) {
		if (handle instanceof TransactionalLockHandle transactional && transactional.isLossTolerated()) {
			return;
		}
		handle.loss().ifPresent((loss) -> {
			throw loss;
		});
	}

}
