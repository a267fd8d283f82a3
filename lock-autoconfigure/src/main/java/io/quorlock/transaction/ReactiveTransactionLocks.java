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
		return ReactiveTransactionLockSynchronization.acquirer(direct, transactional::isReleaseImmediate)
			.defaultIfEmpty(direct);
	}

}
