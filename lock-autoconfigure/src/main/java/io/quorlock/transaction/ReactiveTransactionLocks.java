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

import java.util.concurrent.CompletionStage;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.transaction.NoTransactionException;
import org.springframework.transaction.reactive.TransactionSynchronization;
import org.springframework.transaction.reactive.TransactionSynchronizationManager;

import io.quorlock.LockHandle;
import io.quorlock.LockRequest;
import io.quorlock.LockTemplate;

/**
 * Takes locks inside the reactive transaction of a pipeline, as
 * {@link TransactionAwareLockTemplate} does inside the transaction of a thread, and keeps
 * them until it is complete.
 *
 * @since 0.1.0
 */
public final class ReactiveTransactionLocks implements TransactionSynchronization {

	/** The key of the resource that is bound while a transaction completes. */
	private static final Object COMPLETING = ReactiveTransactionLocks.class;

	private final TransactionLocks locks = new TransactionLocks();

	private ReactiveTransactionLocks() {
	}

	/**
	 * Return how the subscribing pipeline takes its locks.
	 * @param template the application's template
	 * @return a function that acquires locks for the reactive transaction of the
	 * pipeline, or without one as {@link LockTemplate#acquireAsync} does
	 */
	public static Mono<Function<LockRequest, CompletionStage<LockHandle>>> acquirer(
			TransactionAwareLockTemplate template) {
		Function<LockRequest, CompletionStage<LockHandle>> direct = template::acquireAsync;
		return TransactionSynchronizationManager.forCurrentTransaction()
			.onErrorComplete(NoTransactionException.class)
			.map((manager) -> acquirer(template, direct, manager))
			.defaultIfEmpty(direct);
	}

	private static Function<LockRequest, CompletionStage<LockHandle>> acquirer(TransactionAwareLockTemplate template,
			Function<LockRequest, CompletionStage<LockHandle>> direct, TransactionSynchronizationManager manager) {
		TransactionLocks locks = locks(manager);
		return (request) -> {
			LockRequest within = TransactionLocks.withinCompletion((TransactionLocks) manager.getResource(COMPLETING),
					request);
			return (locks != null) ? locks.acquireAsync(direct, within, template.isReleaseImmediate(request))
					: direct.apply(within);
		};
	}

	private static @Nullable TransactionLocks locks(TransactionSynchronizationManager manager) {
		if (!manager.isSynchronizationActive() || !manager.isActualTransactionActive()) {
			return null;
		}
		for (TransactionSynchronization candidate : manager.getSynchronizations()) {
			if (candidate instanceof ReactiveTransactionLocks synchronization) {
				return synchronization.locks;
			}
		}
		ReactiveTransactionLocks synchronization = new ReactiveTransactionLocks();
		manager.registerSynchronization(synchronization);
		return synchronization.locks;
	}

	@Override
	public Mono<Void> beforeCommit(boolean readOnly) {
		return Mono.fromRunnable(this.locks::ensureHeld);
	}

	@Override
	public Mono<Void> beforeCompletion() {
		return TransactionSynchronizationManager.forCurrentTransaction().doOnNext((manager) -> {
			this.locks.beginCompletion((TransactionLocks) manager.unbindResourceIfPossible(COMPLETING));
			manager.bindResource(COMPLETING, this.locks);
		}).then();
	}

	@Override
	public Mono<Void> afterCompletion(int status) {
		return TransactionSynchronizationManager.forCurrentTransaction()
			.doOnNext(this::endCompletion)
			.onErrorComplete() // the locks are released whatever happens
			.then(Mono.defer(() -> Mono.fromFuture(this.locks.complete())))
			.then();
	}

	private void endCompletion(TransactionSynchronizationManager manager) {
		if (manager.getResource(COMPLETING) == this.locks) {
			manager.unbindResource(COMPLETING);
			TransactionLocks outer = this.locks.outer();
			if (outer != null) {
				manager.bindResource(COMPLETING, outer);
			}
		}
	}

}
