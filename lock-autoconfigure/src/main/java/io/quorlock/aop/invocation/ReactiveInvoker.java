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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.CoreSubscriber;
import reactor.core.Scannable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Signal;
import reactor.core.scheduler.Schedulers;
import reactor.util.retry.Retry;

import org.springframework.core.ReactiveAdapter;

import io.quorlock.LockContext;
import io.quorlock.LockHandle;
import io.quorlock.LockRequest;
import io.quorlock.reactive.LockContextThreadLocalAccessor;
import io.quorlock.transaction.PendingLock;
import io.quorlock.transaction.ReactiveTransactionLocks;
import io.quorlock.transaction.TransactionAwareLockTemplate;

/**
 * Runs methods that return a {@link Mono}, a {@link Flux} or a type that can be adapted
 * to them. Each subscription is a call of its own: it acquires the lock, calls the method
 * and holds the lock until the pipeline completes, fails or is cancelled. A lost lock
 * fails the pipeline at once. Locks of an outer pipeline are found in the Reactor
 * context, not by thread.
 */
record ReactiveInvoker(ReactiveAdapter adapter) implements LockedInvoker {

	static {
		Schedulers.onScheduleHook(LockContextThreadLocalAccessor.KEY, ReactiveInvoker::movingWithThePipeline);
	}

	@Override
	public Object invoke(LockedCall call) {
		Flux<Object> locked = Flux.usingWhen(lock(call),
				(lock) -> lock.granted().materialize().flatMapMany((signal) -> run(call, signal, lock)),
				PipelineLock::release, (lock, failure) -> lock.release(), PipelineLock::release);
		return this.adapter.fromPublisher(this.adapter.isMultiValue() ? locked : locked.singleOrEmpty());
	}

	private static Mono<PipelineLock> lock(LockedCall call) {
		return Mono.deferContextual((view) -> {
			LockContext outer = view.getOrDefault(LockContextThreadLocalAccessor.KEY, null);
			Mono<Function<LockRequest, CompletionStage<LockHandle>>> acquirer = (call
				.template() instanceof TransactionAwareLockTemplate template)
						? ReactiveTransactionLocks.acquirer(template) : Mono.just(call.template()::acquireAsync);
			return acquirer.map((acquire) -> new PipelineLock(call, outer, acquire));
		});
	}

	private Publisher<?> run(LockedCall call, Signal<LockHandle> signal, PipelineLock lock) {
		LockHandle handle = signal.get();
		try {
			if (handle != null) {
				return locked(call, handle, lock);
			}
			Throwable failure = signal.getThrowable();
			return (failure != null) ? publisher(call.refused(failure, this.adapter.getDescriptor().getEmptyValue()))
					: Mono.empty();
		}
		catch (Throwable ex) {
			return Mono.error(ex);
		}
	}

	private Publisher<?> locked(LockedCall call, LockHandle handle, PipelineLock lock) {
		LockedExecution execution = LockedExecution.of(handle, call.specification());
		LockContext inner = LockContext.ofPipeline(execution.handle(), lock.outer, execution.method());
		return Flux.from(lock.kept(Flux.defer(() -> proceed(call, inner))))
			// The loss as a value: an error would not cancel the publisher of the method.
			.takeUntilOther(Mono.create((sink) -> execution.onLoss(sink::success)))
			.doOnComplete(execution::throwLoss)
			.doOnError(execution::withLoss)
			.contextWrite((context) -> context.put(LockContextThreadLocalAccessor.KEY, inner));
	}

	private Publisher<Object> proceed(LockedCall call, LockContext context) {
		LockContext previous = LockContext.restore(context);
		try {
			return publisher(call.proceedAgain());
		}
		catch (Throwable ex) {
			return Mono.error(ex);
		}
		finally {
			LockContext.restore(previous);
		}
	}

	/**
	 * Where contexts are propagated, take the locks of a pipeline along when an operator
	 * moves it to another thread: its code there goes on with the call. Whatever else is
	 * scheduled, also by a subscription that the code of an operator makes, runs beside
	 * it. The Reactor context of the operator tells them apart.
	 */
	private static Runnable movingWithThePipeline(Runnable task) {
		if (LockContext.ofThread() == null || !(task instanceof Scannable operator)) {
			return task;
		}
		Object subscriber = (operator instanceof CoreSubscriber) ? operator : operator.scan(Scannable.Attr.ACTUAL);
		LockContext locks = (subscriber instanceof CoreSubscriber<?> found)
				? found.currentContext().getOrDefault(LockContextThreadLocalAccessor.KEY, null) : null;
		return (locks != null) ? () -> CallerContext.within(locks, task) : task;
	}

	private Publisher<Object> publisher(@Nullable Object result) {
		return (result != null) ? this.adapter.toPublisher(result) : Mono.empty();
	}

	/**
	 * The lock of one subscription. When the pipeline ends, {@link #release()} gives up
	 * the wait or releases the lock.
	 */
	static final class PipelineLock {

		private static final CompletableFuture<@Nullable Void> BEFORE = CompletableFuture.completedFuture(null);

		private static final CompletableFuture<@Nullable Void> ENDED = CompletableFuture.completedFuture(null);

		private final LockedCall call;

		private final @Nullable LockContext outer;

		private final Function<LockRequest, CompletionStage<LockHandle>> acquirer;

		private final long startNanos = System.nanoTime();

		private volatile PendingLock pending = new PendingLock();

		/** Completes when the subscription to the method has returned. */
		private final AtomicReference<CompletableFuture<@Nullable Void>> subscribing = new AtomicReference<>(BEFORE);

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
					this.pending.await(CallerContext.observed(subscriber, () -> this.acquirer.apply(request)));
				}
				// A failure as a value: Reactor logs an error that comes with a
				// cancellation.
				// Suppress cancellation: only release() cancels the future.
				return Mono.fromFuture(this.pending.handle(PipelineLock::signal), true).dematerialize();
			});
		}

		private static Signal<LockHandle> signal(@Nullable LockHandle handle, @Nullable Throwable failure) {
			return (failure != null) ? Signal.error(LockedExecution.cause(failure))
					: Signal.next(Objects.requireNonNull(handle));
		}

		/**
		 * Keep the lock while a thread subscribes to the method, which may run code of it
		 * that no cancellation stops. Once the pipeline has ended, nothing is subscribed.
		 */
		<T> Publisher<T> kept(Publisher<T> method) {
			return (subscriber) -> {
				CompletableFuture<@Nullable Void> returned = new CompletableFuture<>();
				boolean begun = this.subscribing.compareAndSet(BEFORE, returned);
				try {
					(begun ? method : Mono.<T>empty()).subscribe(subscriber);
				}
				finally {
					returned.complete(null);
				}
			};
		}

		Mono<Void> release() {
			return Mono.defer(() -> {
				CompletableFuture<@Nullable Void> returned = this.subscribing.getAndSet(ENDED);
				if (this.pending.cancel(true) || this.pending.isCompletedExceptionally()) {
					return Mono.empty();
				}
				LockHandle handle = this.pending.join();
				return Mono.fromCompletionStage(
						handle.isHeld() ? returned.thenCompose((none) -> handle.closeAsync()) : handle.closeAsync());
			});
		}

	}

}
