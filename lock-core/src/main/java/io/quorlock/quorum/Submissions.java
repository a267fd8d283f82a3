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
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The commands of one lease, which are sent in the order in which they were decided (R3).
 * A decision is made under a lock and adds the command there; the command is sent by
 * {@link #drain()} outside of it, by one thread at a time.
 */
final class Submissions {

	private final ConcurrentLinkedQueue<Runnable> decided = new ConcurrentLinkedQueue<>();

	private final AtomicInteger pending = new AtomicInteger();

	/** Called under the lock that guards the decision. */
	void add(Runnable submission) {
		this.decided.add(submission);
	}

	/** Called without a lock. */
	void drain() {
		if (this.pending.getAndIncrement() == 0) {
			end();
		} // otherwise the thread that drains already looks again
	}

	/**
	 * Become the only thread that sends, unless another one is.
	 * @return whether nothing is sent until this thread calls {@link #end()}
	 */
	boolean begin() {
		return this.pending.getAndIncrement() == 0;
	}

	/** Return whether nothing waits to be sent. Called under the lock. */
	boolean isEmpty() {
		return this.decided.isEmpty();
	}

	/** Send what was decided. */
	void end() {
		Throwable failure = null;
		int seen = 1;
		do {
			for (Runnable next = this.decided.poll(); next != null; next = this.decided.poll()) {
				try {
					next.run();
				}
				catch (RuntimeException | Error ex) {
					failure = ex; // those behind it are sent all the same
				}
			}
			seen = this.pending.addAndGet(-seen);
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
