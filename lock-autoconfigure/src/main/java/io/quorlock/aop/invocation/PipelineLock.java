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

package io.quorlock.aop.invocation;

import java.util.Objects;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Signal;
import reactor.util.retry.Retry;

import io.quorlock.LockContext;
import io.quorlock.LockHandle;
import io.quorlock.LockRequest;
import io.quorlock.transaction.PendingLock;

/**
 * The lock of one subscription. When the pipeline ends, {@link #release()} gives up the
 * wait or releases the lock.
 */
final class PipelineLock {

	private final LockedCall call;

	private final @Nullable LockContext outer;

	private final Function<LockRequest, CompletionStage<LockHandle>> acquirer;

	private final long startNanos = System.nanoTime();

	private volatile PendingLock pending = new PendingLock();

	/**
	 * Create the lock, which is not acquired yet.
	 * @param call the call
	 * @param outer the locks of the pipeline around this one
	 * @param acquirer takes the lock
	 */
	PipelineLock(LockedCall call, @Nullable LockContext outer,
			Function<LockRequest, CompletionStage<LockHandle>> acquirer) {
		this.call = call;
		this.outer = outer;
		this.acquirer = acquirer;
	}

	@Nullable LockContext outer() {
		return this.outer;
	}

	Mono<LockHandle> granted() {
		return attempt().retryWhen(Retry.from((failures) -> failures.concatMap((signal) -> {
			Throwable failure = Objects.requireNonNull(signal.failure());
			return this.call.isAskedAgain(failure, this.startNanos) ? Mono.delay(LockedCall.pause())
					: Mono.error(failure);
		})));
	}

	private Mono<LockHandle> attempt() {
		return Mono.deferContextual((subscriber) -> {
			if (this.pending.isCompletedExceptionally() && !this.pending.isCancelled()) {
				this.pending = new PendingLock();
			}
			if (!this.pending.isDone()) {
				// Spring calls a scheduled method once, and subscribes at each tick.
				LockRequest held = this.call.specification().held(this.call.request());
				LockRequest request = held.within(this.outer);
				this.pending.await(CallerObservation.call(subscriber, () -> this.acquirer.apply(request)));
			}
			// A failure as a value: Reactor logs an error that comes with a cancellation.
			// Suppress cancellation: only release() cancels the future.
			return Mono.fromFuture(this.pending.handle(PipelineLock::signal), true).dematerialize();
		});
	}

	private static Signal<LockHandle> signal(@Nullable LockHandle handle, @Nullable Throwable failure) {
		if (failure == null) {
			return Signal.next(Objects.requireNonNull(handle));
		}
		Throwable cause = failure.getCause();
		return Signal.error((failure instanceof CompletionException && cause != null) ? cause : failure);
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
