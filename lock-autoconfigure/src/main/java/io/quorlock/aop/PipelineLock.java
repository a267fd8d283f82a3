package io.quorlock.aop;

import java.util.concurrent.CompletableFuture;

import io.quorlock.LockContext;
import io.quorlock.LockHandle;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * The lock of one subscription, from the moment it is asked for. Whenever the pipeline
 * ends, {@link #release()} gives back what there is: the wait, or the lock.
 */
final class PipelineLock {

	private final CompletableFuture<LockHandle> acquiring;

	private PipelineLock(CompletableFuture<LockHandle> acquiring) {
		this.acquiring = acquiring;
	}

	static PipelineLock request(LockedCall call, @Nullable LockContext outer) {
		return new PipelineLock(call.template().acquireAsync(call.request().within(outer)).toCompletableFuture());
	}

	Mono<LockHandle> granted() {
		// release() alone decides on the future, so that no grant falls between two
		// chairs.
		return Mono.fromFuture(this.acquiring, true);
	}

	Mono<Void> release() {
		return Mono.defer(() -> {
			if (this.acquiring.cancel(true) || this.acquiring.isCompletedExceptionally()) {
				return Mono.empty();
			}
			return Mono.fromCompletionStage(this.acquiring.join().closeAsync());
		});
	}

}
