package io.quorlock.zookeeper;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

import io.quorlock.engine.EngineTimer;

/**
 * What a lost connection interrupted, and goes on once there is another.
 */
final class Interruptions {

	/** Requests fail with a lost connection before its end is reported. */
	private static final long PAUSE_NANOS = 50_000_000;

	private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();

	private final EngineTimer timer;

	Interruptions(EngineTimer timer) {
		this.timer = timer;
	}

	/**
	 * Go on later.
	 * @param task what was interrupted
	 * @param soon whether nothing else will lead to {@link #resumeAll()}
	 */
	void add(Runnable task, boolean soon) {
		this.tasks.add(task);
		if (soon) {
			this.timer.schedule(PAUSE_NANOS, this::resumeAll);
		}
	}

	void resumeAll() {
		for (Runnable task = this.tasks.poll(); task != null; task = this.tasks.poll()) {
			task.run();
		}
	}

}
