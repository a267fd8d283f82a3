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

package io.quorlock.quorum;

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;

import org.jspecify.annotations.Nullable;

/**
 * The commands of one lease, which are sent in the order in which they were decided (R3).
 * A decision is made under a lock and adds the command there; the command is sent by
 * {@link #drainSubmissions()} outside of it, by one thread at a time. A superclass, to
 * make no object for each of many leases.
 */
class Submissions {

	private static final AtomicIntegerFieldUpdater<Submissions> PENDING = AtomicIntegerFieldUpdater
		.newUpdater(Submissions.class, "pending");

	/** Not made before the first: most leases are renewed together with others. */
	private volatile @Nullable ConcurrentLinkedQueue<Runnable> decided;

	@SuppressWarnings("unused") // read by its updater
	private volatile int pending;

	/** Called under the lock that guards the decision. */
	final void addSubmission(Runnable submission) {
		ConcurrentLinkedQueue<Runnable> queue = this.decided;
		if (queue == null) {
			queue = new ConcurrentLinkedQueue<>();
			this.decided = queue;
		}
		queue.add(submission);
	}

	/** Called without a lock. */
	final void drainSubmissions() {
		if (PENDING.getAndIncrement(this) == 0) {
			endSubmissions();
		} // otherwise the thread that drains already looks again
	}

	/**
	 * Become the only thread that sends, unless another one is.
	 * @return whether nothing is sent until this thread calls {@link #endSubmissions()}
	 */
	final boolean beginSubmissions() {
		return PENDING.getAndIncrement(this) == 0;
	}

	/** Return whether nothing waits to be sent. Called under the lock. */
	final boolean hasNoSubmissions() {
		return this.decided == null || this.decided.isEmpty();
	}

	private @Nullable Runnable poll() {
		ConcurrentLinkedQueue<Runnable> queue = this.decided;
		return (queue != null) ? queue.poll() : null;
	}

	/** Send what was decided. */
	final void endSubmissions() {
		Throwable failure = null;
		int seen = 1;
		do {
			for (Runnable next = poll(); next != null; next = poll()) {
				try {
					next.run();
				}
				catch (RuntimeException | Error ex) {
					failure = ex; // those behind it are sent all the same
				}
			}
			seen = PENDING.addAndGet(this, -seen);
		}
		while (seen != 0);
		if (failure instanceof Error error) {
			throw error;
		}
		if (failure instanceof RuntimeException exception) {
			throw exception;
		}
	}

}
