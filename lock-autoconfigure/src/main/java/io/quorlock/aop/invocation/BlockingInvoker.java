package io.quorlock.aop.invocation;

import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;

import org.jspecify.annotations.Nullable;

import io.quorlock.LockHandle;
import io.quorlock.LockNotAcquiredException;
import io.quorlock.LockUnavailableException;
import io.quorlock.aop.declaration.LockSpecification;

/**
 * Runs methods that are complete when they return, and {@code @Async} methods. The latter
 * have a thread of their own already, which waits for the future that they return.
 */
final class BlockingInvoker implements LockedInvoker {

	private final @Nullable Object skipped;

	/**
	 * Create the invoker.
	 * @param skipped the result of a method that was skipped
	 */
	BlockingInvoker(@Nullable Object skipped) {
		this.skipped = skipped;
	}

	@Override
	public @Nullable Object invoke(LockedCall call) throws Throwable {
		LockHandle handle;
		try {
			handle = call.template().acquire(call.request());
		}
		catch (LockNotAcquiredException | LockUnavailableException ex) {
			return call.refused(ex, this.skipped);
		}
		LockSpecification specification = call.specification();
		return LockedExecution.run(LockedExecution.handleFor(handle, specification.onLost()), specification, () -> {
			Object result = call.invocation().proceed();
			if (result instanceof Future<?> future) {
				await(future);
			}
			return result;
		});
	}

	/** An interrupt of this thread does not end the work, so the lock is kept. */
	private static void await(Future<?> future) {
		boolean interrupted = false;
		while (!future.isDone()) {
			try {
				future.get();
			}
			catch (InterruptedException ex) {
				interrupted = true;
			}
			catch (ExecutionException | CancellationException ex) {
				break; // The caller gets the failure from the future.
			}
		}
		if (interrupted) {
			Thread.currentThread().interrupt();
		}
	}

}
