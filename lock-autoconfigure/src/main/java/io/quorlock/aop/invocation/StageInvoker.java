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

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;

import org.jspecify.annotations.Nullable;

import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.util.ClassUtils;

import io.quorlock.LockException;
import io.quorlock.LockHandle;

/**
 * Runs methods that return a {@link CompletionStage}. No thread waits for the lock; the
 * method runs on the thread that is notified of the grant. The lock is held until the
 * stage that the method returned is complete, even if the caller cancels its future.
 */
final class StageInvoker implements LockedInvoker {

	private static final boolean TRANSACTIONS = ClassUtils.isPresent(
			"org.springframework.transaction.support.TransactionSynchronizationManager",
			StageInvoker.class.getClassLoader());

	@Override
	public Object invoke(LockedCall call) {
		CompletableFuture<@Nullable Object> result = new CompletableFuture<>();
		if (TRANSACTIONS && TransactionSynchronizationManager.isActualTransactionActive()) {
			acquire(call, result);
			return result;
		}
		CallerContext caller = CallerContext.capture();
		CompletableFuture<LockHandle> acquiring = call.template().acquireAsync(call.request()).toCompletableFuture();
		result.whenComplete((value, failure) -> acquiring.cancel(true));
		acquiring.whenComplete((handle, failure) -> {
			AtomicBoolean running = new AtomicBoolean();
			try {
				caller.run(() -> {
					running.set(true);
					if (handle != null) {
						granted(call, handle, result);
					}
					else {
						refused(call, LockedExecution.cause(failure), result);
					}
				});
			}
			catch (Throwable ex) {
				// A failure after the method was called belongs to the propagated
				// context; the method completes the result and releases the lock.
				if (!running.get()) {
					if (handle != null) {
						handle.closeAsync();
					}
					result.completeExceptionally(ex);
				}
			}
		});
		return result;
	}

	/** A transaction is bound to its thread, so the method has to run on that thread. */
	private static void acquire(LockedCall call, CompletableFuture<@Nullable Object> result) {
		LockHandle handle;
		try {
			handle = call.template().acquire(call.request());
		}
		catch (LockException ex) {
			refused(call, ex, result);
			return;
		}
		granted(call, handle, result);
	}

	private static void refused(LockedCall call, Throwable failure, CompletableFuture<@Nullable Object> result) {
		try {
			forward(call.refused(failure, null), result);
		}
		catch (Throwable ex) {
			result.completeExceptionally(ex);
		}
	}

	private static void granted(LockedCall call, LockHandle handle, CompletableFuture<@Nullable Object> result) {
		if (result.isDone()) {
			handle.closeAsync();
			return;
		}
		LockedExecution execution = LockedExecution.of(handle, call.specification());
		CompletableFuture<@Nullable Object> original = new CompletableFuture<>();
		try {
			forward(execution.within(call::proceed), original);
		}
		catch (Throwable ex) {
			original.completeExceptionally(ex);
		}
		// At once; the method itself cannot be stopped.
		execution.onLoss((event) -> handle.loss().ifPresent(result::completeExceptionally));
		original.whenComplete((value, failure) -> {
			Throwable ending = (failure != null) ? execution.withLoss(LockedExecution.cause(failure))
					: execution.loss();
			handle.closeAsync().whenComplete((none, ignored) -> complete(result, value, ending));
		});
	}

	private static void forward(@Nullable Object stage, CompletableFuture<@Nullable Object> result) {
		if (stage instanceof CompletionStage<?> source) {
			source.whenComplete((value, failure) -> complete(result, value, failure));
		}
		else if (stage == null) {
			result.complete(null);
		}
		else {
			// The method itself can return nothing else; what a handler returned is not
			// lost.
			result.completeExceptionally(new IllegalStateException(
					"The LockFailureHandler returned a %s, but the method returns a CompletionStage"
						.formatted(stage.getClass().getName())));
		}
	}

	private static void complete(CompletableFuture<@Nullable Object> future, @Nullable Object value,
			@Nullable Throwable failure) {
		if (failure != null) {
			future.completeExceptionally(failure);
		}
		else {
			future.complete(value);
		}
	}

}
