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

package io.quorlock;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;

import org.jspecify.annotations.Nullable;

/**
 * Acquires locks programmatically, where the annotation is too coarse.
 * <p>
 * {@code execute}, {@code tryExecute} and {@link #asLock} re-enter when the same call
 * already holds the name. {@code acquire}, {@code tryAcquire} and {@code acquireAsync} do
 * not by themselves: each handle is an owner of its own and is not bound to a thread.
 * <p>
 * Every method that acquires a lock throws {@link LockUnavailableException} if no quorum
 * of nodes replies, {@link LockKeyException} for a name that cannot be locked, and
 * {@link IllegalArgumentException} for a lease above
 * {@code distributed-lock.max-lease-time}, or one so short that the margin for clock
 * drift takes all of it.
 *
 * @since 0.1.0
 */
public interface LockTemplate {

	/**
	 * Run code while a lock is held, waiting for the lock for
	 * {@code distributed-lock.wait-time}.
	 * @param name the lock
	 * @param callback the code
	 * @param <T> the type of the result
	 * @param <E> the type of the exception
	 * @return the callback's result
	 * @throws E what the callback throws
	 * @throws LockNotAcquiredException if another owner held the lock for the whole wait
	 * @throws LockLostException if the lock was lost while the code ran; its result is
	 * not used
	 */
	default <T extends @Nullable Object, E extends Exception> T execute(String name, LockCallback<T, E> callback)
			throws E {
		return execute(LockRequest.of(name), callback);
	}

	/**
	 * Run code while a lock is held.
	 * @param request what to lock, and how
	 * @param callback the code
	 * @param <T> the type of the result
	 * @param <E> the type of the exception
	 * @return the callback's result
	 * @throws E what the callback throws
	 * @throws LockNotAcquiredException if another owner held the lock for the whole wait
	 * @throws LockLostException if the lock was lost while the code ran; its result is
	 * not used
	 */
	default <T extends @Nullable Object, E extends Exception> T execute(LockRequest request,
			LockCallback<T, E> callback) throws E {
		return run(acquire(request.withinThisCall()), callback);
	}

	/**
	 * Run code without a result while a lock is held, waiting for the lock for
	 * {@code distributed-lock.wait-time}.
	 * @param name the lock
	 * @param action the code
	 * @param <E> the type of the exception
	 * @throws E what the action throws
	 * @see #execute(String, LockCallback)
	 */
	default <E extends Exception> void executeWithoutResult(String name, LockAction<E> action) throws E {
		executeWithoutResult(LockRequest.of(name), action);
	}

	/**
	 * Run code without a result while a lock is held.
	 * @param request what to lock, and how
	 * @param action the code
	 * @param <E> the type of the exception
	 * @throws E what the action throws
	 * @see #execute(LockRequest, LockCallback)
	 */
	default <E extends Exception> void executeWithoutResult(LockRequest request, LockAction<E> action) throws E {
		this.<Boolean, E>execute(request, () -> {
			action.run();
			return true;
		});
	}

	/**
	 * Run code if the lock is available at once.
	 * @param name the lock
	 * @param action the code
	 * @param <E> the type of the exception
	 * @return {@code false} if another holds the lock; the code did not run
	 * @throws E what the action throws
	 */
	default <E extends Exception> boolean tryExecute(String name, LockAction<E> action) throws E {
		return tryExecute(LockRequest.of(name), action);
	}

	/**
	 * Run code if the lock is available within the wait time of the request, or at once
	 * if the request has none.
	 * @param request what to lock, and how
	 * @param action the code
	 * @param <E> the type of the exception
	 * @return {@code false} if another holds the lock; the code did not run
	 * @throws E what the action throws
	 */
	default <E extends Exception> boolean tryExecute(LockRequest request, LockAction<E> action) throws E {
		Optional<LockHandle> handle = tryAcquire(request.withinThisCall());
		if (handle.isEmpty()) {
			return false;
		}
		return LockTemplate.<Boolean, E>run(handle.get(), () -> {
			action.run();
			return true;
		});
	}

	/**
	 * Run a callback that sees the lock as the innermost of its call, then release the
	 * lock.
	 * @param handle the lock
	 * @param callback the code
	 * @return the callback's result
	 * @throws E what the callback throws, with a loss of the lock suppressed
	 * @throws LockLostException if the callback succeeded, but the lock was lost
	 */
	private static <T extends @Nullable Object, E extends Exception> T run(LockHandle handle,
			LockCallback<T, E> callback) throws E {
		LockContext.enter(handle, null);
		try {
			T result;
			try {
				result = callback.run();
			}
			catch (Throwable ex) {
				handle.loss().filter((loss) -> loss != ex).ifPresent(ex::addSuppressed);
				throw ex;
			}
			Optional<LockLostException> loss = handle.loss();
			if (loss.isPresent()) {
				throw loss.get();
			}
			return result;
		}
		finally {
			// Not simply what was before: the callback may have unlocked an outer lock.
			LockContext.leave(handle);
			handle.close();
		}
	}

	/**
	 * Acquire a lock, waiting for it for the wait time of the request or for
	 * {@code distributed-lock.wait-time}.
	 * @param request what to lock, and how
	 * @return the lock; close it
	 * @throws LockNotAcquiredException if another owner held the lock for the whole wait
	 */
	LockHandle acquire(LockRequest request);

	/**
	 * Acquire a lock if it is available within the wait time of the request, or at once
	 * if the request has none.
	 * @param request what to lock, and how
	 * @return the lock, or empty if another holds it
	 */
	Optional<LockHandle> tryAcquire(LockRequest request);

	/**
	 * Acquire a lock without blocking a thread. Cancelling the future of the stage ends
	 * the wait; a lock that is granted at the same time is released. Dependent stages run
	 * on a thread of their own and may block.
	 * @param request what to lock, and how
	 * @return completes with the lock, or with the exception that {@link #acquire} throws
	 */
	CompletionStage<LockHandle> acquireAsync(LockRequest request);

	/**
	 * Ask the holders of a lock to release it. They decide: the request reaches the
	 * callbacks that were registered with {@link LockHandle#onReleaseRequested}, and a
	 * holder without one is not disturbed. A lease that is kept unused is given up. Waits
	 * for the replies of the nodes, at most for one operation timeout.
	 * @param name the lock
	 * @param deadline within which time the lock is wanted; it is passed on, a negative
	 * one as zero
	 * @return whether an instance that holds the lock received the request, which does
	 * not say that the holder has a callback; where a server does not let scripts
	 * publish, whether it was sent; {@code false} if no node replies
	 * @throws UnsupportedOperationException if the backend cannot pass requests on
	 */
	boolean requestRelease(String name, Duration deadline);

	/**
	 * Return a view of a lock as {@link Lock}. {@link Lock#lock()} waits without a limit,
	 * even if no quorum replies; conditions are not supported.
	 * @param name the lock
	 * @return the view
	 */
	default Lock asLock(String name) {
		return new LockView(this, LockRequest.of(name));
	}

	/**
	 * A lock with readers and writers as {@link ReadWriteLock}: any number of threads of
	 * all instances hold the read lock, or one holds the write lock. A thread that holds
	 * the write lock may take the read lock; one that holds the read lock alone and asks
	 * for the write lock gets a {@link LockReentryException}, since it would wait for
	 * itself.
	 * @param name the lock
	 * @return a view; conditions are not supported
	 */
	default ReadWriteLock asReadWriteLock(String name) {
		return new LockView.ReadersAndWriter(new LockView(this, LockRequest.of(name).shared()), asLock(name));
	}

}
