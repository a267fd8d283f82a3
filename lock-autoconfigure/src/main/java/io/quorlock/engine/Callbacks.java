package io.quorlock.engine;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

import org.jspecify.annotations.Nullable;

/**
 * Runs the code of users on threads that they may block (R15).
 */
final class Callbacks {

	private final Executor executor;

	Callbacks(Executor executor) {
		this.executor = executor;
	}

	void run(Runnable code) {
		try {
			this.executor.execute(code);
		}
		catch (RejectedExecutionException | OutOfMemoryError ex) {
			// Shut down, or no more threads: no other thread would run it.
			Trampoline.run(code);
		}
	}

	/** Return a stage that completes on a thread that users may block. */
	<T extends @Nullable Object> CompletableFuture<T> completeOnThread(CompletionStage<T> stage) {
		CompletableFuture<T> result = new CompletableFuture<>();
		stage.whenComplete((value, ex) -> run(() -> {
			if (ex != null) {
				result.completeExceptionally(ex);
			}
			else {
				result.complete(value);
			}
		}));
		return result;
	}

}
