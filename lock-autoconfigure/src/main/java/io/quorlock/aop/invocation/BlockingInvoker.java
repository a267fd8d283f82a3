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

import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;

import org.jspecify.annotations.Nullable;

import org.springframework.core.ReactiveAdapterRegistry;

import io.quorlock.LockException;
import io.quorlock.LockHandle;
import io.quorlock.aop.declaration.LockSpecification;

/**
 * Runs methods that are complete when they return, and {@code @Async} methods. The latter
 * have a thread of their own already, which waits for the future that they return.
 */
record BlockingInvoker(@Nullable Object skipped, boolean anyResult) implements LockedInvoker {

	@Override
	public @Nullable Object invoke(LockedCall call) throws Throwable {
		LockHandle handle;
		try {
			handle = call.acquire();
		}
		catch (LockException ex) {
			return call.refused(ex, this.skipped);
		}
		LockSpecification specification = call.specification();
		return LockedExecution.of(handle, specification).run(() -> {
			Object result = call.proceed();
			if (result instanceof Future<?> future) {
				await(future);
			}
			else if (result != null && this.anyResult) {
				requireDone(result, specification);
			}
			return result;
		});
	}

	/** Its work would begin with a subscription, when the lock is released. */
	private static void requireDone(Object result, LockSpecification specification) {
		if (ReactiveAdapterRegistry.getSharedInstance().getAdapter(result.getClass()) != null) {
			throw new IllegalStateException(
					"%s returned a %s, which would do its work without the lock. Declare the reactive type as the return type of the method"
						.formatted(specification.declaration().location(), result.getClass().getSimpleName()));
		}
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
