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

package io.quorlock.benchmarks.subject;

import java.time.Duration;
import java.util.concurrent.CompletionStage;

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

	/**
	 * Acquire the exclusive side of a lock that is shared, too.
	 * @param name the lock
	 * @return the lock
	 * @throws Exception if the lock was not acquired
	 */
	default Hold write(String name) throws Exception {
		return lock(name);
	}

	/**
	 * Acquire the shared side of a lock.
	 * @param name the lock
	 * @return the lock
	 * @throws Exception if the lock was not acquired
	 */
	default Hold read(String name) throws Exception {
		throw new UnsupportedOperationException("No shared lock");
	}

	/**
	 * Acquire one of several permits.
	 * @param name the lock
	 * @param permits how many there are
	 * @return the permit
	 * @throws Exception if none was acquired
	 */
	default Hold permit(String name, int permits) throws Exception {
		throw new UnsupportedOperationException("No permits");
	}

	/**
	 * Acquire a lock in the order of asking.
	 * @param name the lock
	 * @return the lock
	 * @throws Exception if the lock was not acquired
	 */
	default Hold fair(String name) throws Exception {
		throw new UnsupportedOperationException("No fair lock");
	}

	/**
	 * Ask for a lock without waiting for it on this thread.
	 * @param name the lock
	 * @param lease a fixed lease, or zero for one that is renewed
	 * @return the lock, once it is acquired
	 */
	default CompletionStage<Hold> lockAsync(String name, Duration lease) {
		throw new UnsupportedOperationException("No asynchronous lock");
	}

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
