package io.quorlock.benchmarks.subject;

/**
 * A lock implementation under measurement. Every subject does the same work: it waits for
 * a lock with a lease of 30 seconds, and releases it.
 */
public interface LockSubject extends AutoCloseable {

	/**
	 * The lease of every subject, in milliseconds.
	 */
	int LEASE_MILLIS = 30_000;

	/**
	 * Acquire a lock, waiting for it if the implementation can wait.
	 * @param name the lock
	 * @return the lock, to be released on the same thread
	 * @throws Exception if the lock was not acquired
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
		 * Release the lock.
		 * @throws Exception if that failed
		 */
		void unlock() throws Exception;

	}

}
