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

package io.quorlock;

import java.io.Serial;
import java.time.Duration;

/**
 * Thrown if the wait for a lock was cancelled by the code that asked, for example through
 * the future of {@link LockTemplate#acquireAsync}. Nothing is known of whether another
 * owner holds the lock.
 *
 * @since 0.1.0
 */
public class LockCancelledException extends LockException {

	@Serial
	private static final long serialVersionUID = 1L;

	/** The name of the lock. */
	private final String name;

	/** How long the caller waited. */
	private final Duration waited;

	/**
	 * Create the exception.
	 * @param message what happened, with the values below
	 * @param name the lock
	 * @param waited how long the caller waited
	 */
	public LockCancelledException(String message, String name, Duration waited) {
		super(message, null);
		this.name = name;
		this.waited = waited;
	}

	/**
	 * Return the name of the lock, or several names joined by commas.
	 * @return the name
	 */
	public String getName() {
		return this.name;
	}

	/**
	 * Return how long the caller waited.
	 * @return the time from the call to the cancellation
	 */
	public Duration getWaited() {
		return this.waited;
	}

}
