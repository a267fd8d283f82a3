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
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

import io.quorlock.LockException;
import io.quorlock.LockHandle;

/**
 * The outcome for a caller that does not block. Completes on a thread that users may
 * block; a lock that is not taken is released.
 */
final class FutureOutcome extends CompletableFuture<LockHandle> implements Acquisition.Outcome {

	private final Callbacks callbacks;

	private final Consumer<FutureOutcome> again;

	private volatile @Nullable Acquisition acquisition;

	private volatile @Nullable LockHandle handedOut;

	/**
	 * Create an outcome.
	 * @param callbacks runs the code of users
	 * @param again asks once more, since the lock was lost before it was handed out
	 */
	FutureOutcome(Callbacks callbacks, Consumer<FutureOutcome> again) {
		this.callbacks = callbacks;
		this.again = again;
		whenComplete((handle, ex) -> {
			// Cancelled, timed out or completed by the user; otherwise it does nothing.
			if (handle == null || handle != this.handedOut) {
				cancelAcquisition();
			}
		});
	}

	/** The acquisition that is under way now. */
	void follows(Acquisition acquisition) {
		this.acquisition = acquisition;
		if (isDone()) {
			cancelAcquisition();
		}
	}

	private void cancelAcquisition() {
		Acquisition acquisition = this.acquisition;
		if (acquisition != null) {
			acquisition.cancel(acquisition.request().failures().cancelled());
		}
	}

	@Override
	public void granted(Handle handle, Acquisition acquisition) {
		this.callbacks.run(() -> {
			if (isDone()) {
				reportFailed(acquisition.request().failures().cancelled(), acquisition);
				handle.closeAsync();
			}
			else if (!handle.handOut()) {
				this.again.accept(this);
			}
			else {
				handle.reportGranted(acquisition.request().attempts());
				this.handedOut = handle;
				if (!complete(handle)) {
					handle.closeAsync();
				}
			}
		});
	}

	@Override
	public void failed(LockException failure, Acquisition acquisition) {
		this.callbacks.run(() -> {
			reportFailed(failure, acquisition);
			completeExceptionally(failure);
		});
	}

	private static void reportFailed(LockException failure, Acquisition acquisition) {
		acquisition.request().caller().observed().failed(failure, acquisition.request().attempts());
	}

}
