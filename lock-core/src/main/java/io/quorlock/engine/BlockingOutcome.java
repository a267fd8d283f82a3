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

import java.util.concurrent.locks.LockSupport;

import org.jspecify.annotations.Nullable;

import io.quorlock.LockException;

/**
 * The outcome for a caller that chose to block: one wake-up per request.
 */
final class BlockingOutcome implements Acquisition.Outcome {

	private final Thread caller = Thread.currentThread();

	private volatile @Nullable Handle handle;

	private volatile @Nullable LockException failure;

	@Override
	public void granted(Handle handle, Acquisition acquisition) {
		this.handle = handle;
		LockSupport.unpark(this.caller);
	}

	@Override
	public void failed(LockException failure, Acquisition acquisition) {
		this.failure = failure;
		LockSupport.unpark(this.caller);
	}

	/**
	 * Wait for the outcome. An interrupt ends the wait of an interruptible caller, and is
	 * kept for after the wait otherwise; the thread's flag is set in both cases.
	 * @return the handle, not handed out yet
	 */
	Handle await(Acquisition acquisition, boolean interruptible) {
		boolean interrupted = false;
		try {
			while (true) {
				Handle granted = this.handle;
				if (granted != null) {
					return granted;
				}
				LockException failed = this.failure;
				if (failed != null) {
					// Of the caller, not of a thread of the store.
					failed.fillInStackTrace();
					throw failed;
				}
				if (Thread.interrupted()) {
					interrupted = true;
					if (interruptible) {
						acquisition.cancel(acquisition.request().failures().interrupted(new InterruptedException()));
						continue;
					}
				}
				LockSupport.park(this);
			}
		}
		finally {
			if (interrupted) {
				this.caller.interrupt();
			}
		}
	}

}
