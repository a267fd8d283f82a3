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
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.core.Ordered;
import org.springframework.transaction.NoTransactionException;
import org.springframework.transaction.reactive.TransactionSynchronization;
import org.springframework.transaction.reactive.TransactionSynchronizationManager;

import io.quorlock.LockContext;
import io.quorlock.LockHandle;
import io.quorlock.LockRequest;

/**
 * Binds {@link TransactionLocks} to the reactive transaction of the pipeline.
 */
final class ReactiveTransactionLockSynchronization implements TransactionSynchronization, Ordered {

	/** The key of the resource that is bound while a transaction completes. */
	private static final Object COMPLETING = ReactiveTransactionLockSynchronization.class;

	private final TransactionLocks locks = new TransactionLocks();

	/** The one that was completing when this one began to. */
	private @Nullable ReactiveTransactionLockSynchronization outer;

	/**
	 * Return how the subscribing pipeline takes its locks.
	 * @param direct acquires a lock without a transaction
	 * @param releaseImmediately whether closing a lock of a request releases it before
	 * the completion
	 * @return a function that acquires locks, empty without a transaction
	 */
	static Mono<Function<LockRequest, CompletionStage<LockHandle>>> acquirer(
			Function<LockRequest, CompletionStage<LockHandle>> direct, Predicate<LockRequest> releaseImmediately) {
		return TransactionSynchronizationManager.forCurrentTransaction()
			.onErrorComplete(NoTransactionException.class)
			.map((manager) -> {
				TransactionLocks locks = locks(manager);
				return (request) -> {
					LockRequest within = withinCompletion(manager, request);
					return (locks != null) ? locks.acquireAsync(direct, within, releaseImmediately.test(request))
							: direct.apply(within);
				};
			});
	}

	private static @Nullable TransactionLocks locks(TransactionSynchronizationManager manager) {
		if (!manager.isSynchronizationActive() || !manager.isActualTransactionActive()) {
			return null;
		}
		for (TransactionSynchronization candidate : manager.getSynchronizations()) {
			if (candidate instanceof ReactiveTransactionLockSynchronization synchronization) {
				return synchronization.locks;
			}
		}
		ReactiveTransactionLockSynchronization synchronization = new ReactiveTransactionLockSynchronization();
		manager.registerSynchronization(synchronization);
		return synchronization.locks;
	}

	/**
	 * Let a request re-enter what transactions keep whose completion is under way: a
	 * callback of the completion would otherwise wait for itself.
	 */
	private static LockRequest withinCompletion(TransactionSynchronizationManager manager, LockRequest request) {
		LockContext context = request.context();
		LockContext extended = context;
		for (ReactiveTransactionLockSynchronization completing = completing(
				manager); completing != null; completing = completing.outer) {
			extended = completing.locks.reentrant(extended);
		}
		return (extended != context) ? request.within(extended) : request;
	}

	/** The innermost transaction of the pipeline whose completion is under way. */
	private static @Nullable ReactiveTransactionLockSynchronization completing(
			TransactionSynchronizationManager manager) {
		return (ReactiveTransactionLockSynchronization) manager.getResource(COMPLETING);
	}

	@Override
	public Mono<Void> beforeCommit(boolean readOnly) {
		return Mono.fromRunnable(this.locks::ensureHeld);
	}

	@Override
	public Mono<Void> beforeCompletion() {
		return TransactionSynchronizationManager.forCurrentTransaction().doOnNext((manager) -> {
			this.outer = (ReactiveTransactionLockSynchronization) manager.unbindResourceIfPossible(COMPLETING);
			manager.bindResource(COMPLETING, this);
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
		if (completing(manager) == this) {
			manager.unbindResource(COMPLETING);
			if (this.outer != null) {
				manager.bindResource(COMPLETING, this.outer);
			}
		}
	}

	@Override
	public int getOrder() {
		return TransactionLocks.ORDER;
	}

}
