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

import reactor.core.publisher.Mono;

import org.springframework.core.Ordered;
import org.springframework.transaction.NoTransactionException;
import org.springframework.transaction.reactive.TransactionSynchronization;
import org.springframework.transaction.reactive.TransactionSynchronizationManager;

/**
 * Binds {@link TransactionLocks} to the reactive transaction of the pipeline.
 */
final class ReactiveTransactionLockSynchronization implements TransactionSynchronization, Ordered {

	private final TransactionLocks locks = new TransactionLocks();

	/**
	 * Return the locks of the running transaction.
	 * @return the locks, empty if no reactive transaction is active
	 */
	static Mono<TransactionLocks> current() {
		return TransactionSynchronizationManager.forCurrentTransaction()
			.onErrorComplete(NoTransactionException.class)
			.filter((manager) -> manager.isSynchronizationActive() && manager.isActualTransactionActive())
			.map(ReactiveTransactionLockSynchronization::locks);
	}

	private static TransactionLocks locks(TransactionSynchronizationManager manager) {
		for (TransactionSynchronization candidate : manager.getSynchronizations()) {
			if (candidate instanceof ReactiveTransactionLockSynchronization synchronization) {
				return synchronization.locks;
			}
		}
		ReactiveTransactionLockSynchronization synchronization = new ReactiveTransactionLockSynchronization();
		manager.registerSynchronization(synchronization);
		return synchronization.locks;
	}

	@Override
	public Mono<Void> beforeCommit(boolean readOnly) {
		return Mono.fromRunnable(this.locks::ensureHeld);
	}

	@Override
	public Mono<Void> afterCompletion(int status) {
		return Mono.defer(() -> Mono.fromFuture(this.locks.complete())).then();
	}

	@Override
	public int getOrder() {
		return TransactionLocks.ORDER;
	}

}
