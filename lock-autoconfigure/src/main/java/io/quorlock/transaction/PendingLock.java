package io.quorlock.transaction;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.UnaryOperator;

import io.quorlock.LockHandle;

/**
 * A lock that is waited for without blocking a thread. Cancelling it gives up the wait; a
 * lock that is granted at the same moment is released.
 *
 * @since 0.1.0
 */
public final class PendingLock extends CompletableFuture<LockHandle> {

	/**
	 * Wait for a lock.
	 * @param acquiring completes with the lock
	 */
	public void await(CompletionStage<LockHandle> acquiring) {
		await(acquiring, UnaryOperator.identity());
	}

	/**
	 * Wait for a lock.
	 * @param acquiring completes with the lock
	 * @param enlist applied to the lock before a caller gets it
	 */
	void await(CompletionStage<LockHandle> acquiring, UnaryOperator<LockHandle> enlist) {
		CompletableFuture<LockHandle> source = acquiring.toCompletableFuture();
		whenComplete((handle, failure) -> source.cancel(true));
		source.whenComplete((handle, failure) -> {
			if (handle == null) {
				completeExceptionally(failure);
				return;
			}
			LockHandle enlisted = enlist.apply(handle);
			if (!complete(enlisted)) {
				enlisted.closeAsync();
			}
		});
	}

}
