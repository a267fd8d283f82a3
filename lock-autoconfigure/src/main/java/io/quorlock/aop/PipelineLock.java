package io.quorlock.aop;

import io.quorlock.LockContext;
import io.quorlock.LockHandle;
import io.quorlock.LockRequest;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * The lock of one subscription. Whenever the pipeline ends, {@link #release()} gives back
 * what there is: the wait, or the lock.
 */
final class PipelineLock {

	private final LockedCall call;

	private final @Nullable LockContext outer;

	private final @Nullable TransactionLocks transaction;

	private final PendingLock pending = new PendingLock();

	/**
	 * Creates the lock; it is not asked for yet.
	 * @param call the call
	 * @param outer the locks of the pipeline around this one
	 * @param transaction the reactive transaction that the lock is to outlive, or
	 * {@code null}
	 */
	PipelineLock(LockedCall call, @Nullable LockContext outer, @Nullable TransactionLocks transaction) {
		this.call = call;
		this.outer = outer;
		this.transaction = transaction;
	}

	@Nullable LockContext outer() {
		return this.outer;
	}

	Mono<LockHandle> granted() {
		return Mono.deferContextual((subscriber) -> {
			if (!this.pending.isDone()) {
				LockContext context = (this.transaction != null) ? this.transaction.reentrant(this.outer) : this.outer;
				LockRequest request = this.call.request().within(context);
				this.pending.await(CallerObservation.call(subscriber, () -> this.call.template().acquireAsync(request)),
						this::enlist);
			}
			// Only release() may decide on the future.
			return Mono.fromFuture(this.pending, true);
		});
	}

	private LockHandle enlist(LockHandle handle) {
		LockRequest request = this.call.request();
		return (this.transaction != null && this.call.template() instanceof TransactionAwareLockTemplate template)
				? this.transaction.enlist(handle, template.isReleaseImmediate(request)) : handle;
	}

	Mono<Void> release() {
		return Mono.defer(() -> {
			if (this.pending.cancel(true) || this.pending.isCompletedExceptionally()) {
				return Mono.empty();
			}
			return Mono.fromCompletionStage(this.pending.join().closeAsync());
		});
	}

}
