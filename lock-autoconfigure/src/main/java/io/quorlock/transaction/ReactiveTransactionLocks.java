package io.quorlock.transaction;

import java.util.concurrent.CompletionStage;
import java.util.function.Function;

import reactor.core.publisher.Mono;

import io.quorlock.LockHandle;
import io.quorlock.LockRequest;
import io.quorlock.LockTemplate;

/**
 * Takes locks inside the reactive transaction of a pipeline, as
 * {@link TransactionAwareLockTemplate} does inside the transaction of a thread.
 *
 * @since 0.1.0
 */
public final class ReactiveTransactionLocks {

	private ReactiveTransactionLocks() {
	}

	/**
	 * Return how the subscribing pipeline takes its locks.
	 * @param template the application's template
	 * @return a function that acquires locks for the reactive transaction of the
	 * pipeline, or without one as {@link LockTemplate#acquireAsync} does
	 */
	public static Mono<Function<LockRequest, CompletionStage<LockHandle>>> acquirer(LockTemplate template) {
		Function<LockRequest, CompletionStage<LockHandle>> direct = template::acquireAsync;
		if (!(template instanceof TransactionAwareLockTemplate transactional)) {
			return Mono.just(direct);
		}
		return ReactiveTransactionLockSynchronization.current()
			.<Function<LockRequest, CompletionStage<LockHandle>>>map((locks) -> (request) -> locks.acquireAsync(direct,
					request, transactional.isReleaseImmediate(request)))
			.defaultIfEmpty(direct);
	}

}
