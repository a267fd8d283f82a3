package io.quorlock.engine;

/**
 * Runs short, non-blocking work of the engine later, one piece at a time.
 *
 * @since 0.1.0
 */
public interface EngineTimer {

	/**
	 * Run a task after a delay, never earlier.
	 * @param delayNanos the delay in nanoseconds; zero or less runs it soon
	 * @param task the work; must not block and must not throw
	 * @return cancels the task
	 */
	Timeout schedule(long delayNanos, Runnable task);

	/**
	 * A task that waits for its time.
	 */
	@FunctionalInterface
	interface Timeout {

		/**
		 * Take the task back, if it has not begun.
		 */
		void cancel();

	}

}
