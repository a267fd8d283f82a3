package io.quorlock.aop;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.UnaryOperator;

import io.quorlock.LockHandle;

/**
 * A lock that somebody waits for without blocking. Cancelling it gives up the wait, and a
 * lock that was granted in that moment is released: no grant falls between two chairs.
 */
final class PendingLock extends CompletableFuture<LockHandle> {

	/**
	 * Waits for a lock.
	 * @param acquiring completes with the lock
	 * @param enlist applied to the lock before anybody gets it
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
