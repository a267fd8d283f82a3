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
