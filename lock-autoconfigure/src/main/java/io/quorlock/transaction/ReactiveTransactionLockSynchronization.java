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
