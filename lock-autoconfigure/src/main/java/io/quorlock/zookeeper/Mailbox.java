package io.quorlock.zookeeper;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Runs tasks one at a time in the order in which they arrive, on the threads that bring
 * them. What a task adds runs after it, so that nothing recurses and no lock is held
 * while others are called.
 */
final class Mailbox {

	private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();

	private final AtomicInteger pending = new AtomicInteger();

	void execute(Runnable task) {
		this.tasks.add(task);
		if (this.pending.getAndIncrement() > 0) {
			return;
		}
		do {
			Runnable next = this.tasks.poll();
			if (next != null) {
				next.run();
			}
		}
		while (this.pending.decrementAndGet() > 0);
	}

}
