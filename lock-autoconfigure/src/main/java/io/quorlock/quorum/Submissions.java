package io.quorlock.quorum;

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Commands that are sent in the order in which they were decided (R3): those of one
 * lease, or subscriptions. A decision is made under a lock and adds the command there;
 * the command is sent by {@link #drain()} outside of it, by one thread at a time.
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
		if (this.pending.getAndIncrement() != 0) {
			return; // the thread that drains already looks again
		}
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
