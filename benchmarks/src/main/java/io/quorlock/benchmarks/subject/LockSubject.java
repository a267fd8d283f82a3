package io.quorlock.benchmarks.subject;

/**
 * A lock implementation under measurement. Every subject does the same work: wait for a
 * lock of 30 seconds, give it back.
 */
public interface LockSubject extends AutoCloseable {

	/**
	 * The lease that every subject asks for, in milliseconds.
	 */
	int LEASE_MILLIS = 30_000;

	/**
	 * Takes a lock; waits for it if the implementation can wait.
	 * @param name the lock
	 * @return gives the lock back, on the same thread
	 * @throws Exception if the lock was not got
	 */
	Hold lock(String name) throws Exception;

	@Override
	void close();

	/**
	 * A lock that is held.
	 */
	@FunctionalInterface
	interface Hold {

		/**
		 * Gives the lock back.
		 * @throws Exception if that failed
		 */
		void unlock() throws Exception;

	}

}
