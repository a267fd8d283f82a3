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

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
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
		await(acquiring, UnaryOperator.identity(), LockHandle::closeAsync);
	}

	/**
	 * Wait for a lock.
	 * @param acquiring completes with the lock
	 * @param enlist applied to the lock before a caller gets it
	 * @param discard releases the lock if no caller gets it
	 */
	void await(CompletionStage<LockHandle> acquiring, UnaryOperator<LockHandle> enlist, Consumer<LockHandle> discard) {
		CompletableFuture<LockHandle> source = acquiring.toCompletableFuture();
		whenComplete((handle, failure) -> source.cancel(true));
		source.whenComplete((handle, failure) -> {
			if (handle == null) {
				completeExceptionally(failure);
				return;
			}
			LockHandle enlisted = enlist.apply(handle);
			if (!complete(enlisted)) {
				discard.accept(enlisted);
			}
		});
	}

}
