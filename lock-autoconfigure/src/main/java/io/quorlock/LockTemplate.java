package io.quorlock;

import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;

import org.jspecify.annotations.Nullable;

/**
 * Takes locks in code. Inject it where the annotation is too coarse.
 * <p>
 * {@code execute}, {@code tryExecute} and {@link #asLock} re-enter when the same call
 * already holds the name. {@code acquire}, {@code tryAcquire} and {@code acquireAsync}
 * never do: each handle is an owner of its own, bound to no thread.
 * <p>
 * Every method throws {@link LockUnavailableException} when no quorum of nodes answers,
 * {@link LockKeyException} for a name that cannot be locked, and
 * {@link IllegalArgumentException} for a lease above
 * {@code distributed-lock.max-lease-time}.
 *
 * @since 0.1.0
 */
public interface LockTemplate {

	/**
	 * Runs code while a lock is held, waiting for it {@code distributed-lock.wait-time}.
	 * @param name the lock
	 * @param callback the code
	 * @return the callback's result
	 * @throws E what the callback throws
	 * @throws LockNotAcquiredException if somebody else held the lock for the whole wait
	 * @throws LockLostException if the lock was lost while the code ran; its result is
	 * not used
	 */
	default <T extends @Nullable Object, E extends Exception> T execute(String name, LockCallback<T, E> callback)
			throws E {
		return execute(LockRequest.of(name), callback);
	}

	/**
	 * Runs code while a lock is held.
	 * @param request what to lock, and how
	 * @param callback the code
	 * @return the callback's result
	 * @throws E what the callback throws
	 * @throws LockNotAcquiredException if somebody else held the lock for the whole wait
	 * @throws LockLostException if the lock was lost while the code ran; its result is
	 * not used
	 */
	default <T extends @Nullable Object, E extends Exception> T execute(LockRequest request,
			LockCallback<T, E> callback) throws E {
		return HeldLock.run(acquire(request.withinThisCall()), callback);
	}

	/**
	 * Runs code without a result while a lock is held, waiting for it
	 * {@code distributed-lock.wait-time}.
	 * @param name the lock
	 * @param action the code
	 * @throws E what the action throws
	 * @see #execute(String, LockCallback)
	 */
	default <E extends Exception> void executeWithoutResult(String name, LockAction<E> action) throws E {
		executeWithoutResult(LockRequest.of(name), action);
	}

	/**
	 * Runs code without a result while a lock is held.
	 * @param request what to lock, and how
	 * @param action the code
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
	 * Runs code if the lock can be had at once.
	 * @param name the lock
	 * @param action the code
	 * @return {@code false} if another holds the lock; the code did not run
	 * @throws E what the action throws
	 */
	default <E extends Exception> boolean tryExecute(String name, LockAction<E> action) throws E {
		return tryExecute(LockRequest.of(name), action);
	}

	/**
	 * Runs code if the lock can be had within the request's wait time; without one, at
	 * once.
	 * @param request what to lock, and how
	 * @param action the code
	 * @return {@code false} if another holds the lock; the code did not run
	 * @throws E what the action throws
	 */
	default <E extends Exception> boolean tryExecute(LockRequest request, LockAction<E> action) throws E {
		Optional<LockHandle> handle = tryAcquire(request.withinThisCall());
		if (handle.isEmpty()) {
			return false;
		}
		return HeldLock.<Boolean, E>run(handle.get(), () -> {
			action.run();
			return true;
		});
	}

	/**
	 * Acquires a lock, waiting for it the request's wait time or
	 * {@code distributed-lock.wait-time}.
	 * @param request what to lock, and how
	 * @return the lock; close it
	 * @throws LockNotAcquiredException if somebody else held the lock for the whole wait
	 */
	LockHandle acquire(LockRequest request);

	/**
	 * Acquires a lock if it can be had within the request's wait time; without one, at
	 * once.
	 * @param request what to lock, and how
	 * @return the lock, or empty if another holds it
	 */
	Optional<LockHandle> tryAcquire(LockRequest request);

	/**
	 * Acquires a lock without blocking a thread. Cancelling the stage's future gives up
	 * the wait; a lock that was granted in that moment is released. Dependent stages run
	 * on a thread of their own and may block.
	 * @param request what to lock, and how
	 * @return completes with the lock, or with the exception that {@link #acquire} throws
	 */
	CompletionStage<LockHandle> acquireAsync(LockRequest request);

	/**
	 * A view of one lock as {@link Lock}. {@link Lock#lock()} waits without a limit, also
	 * when no quorum answers; conditions are not supported.
	 * @param name the lock
	 * @return the view
	 */
	Lock asLock(String name);

	/**
	 * A lock with readers and writers as {@link ReadWriteLock}: any number of threads of
	 * all instances hold the read lock, or one holds the write lock. A thread that holds
	 * the write lock may take the read lock; one that holds the read lock alone and asks
	 * for the write lock gets a {@link LockReentryException}, since it would wait for
	 * itself.
	 * @param name the lock
	 * @return a view; conditions are not supported
	 */
	ReadWriteLock asReadWriteLock(String name);

}
