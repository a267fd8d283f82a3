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

import org.jspecify.annotations.Nullable;

/**
 * Thrown if another owner held the lock for the whole wait. A quorum of nodes has
 * replied; otherwise a {@link LockUnavailableException} is thrown. A wait that was
 * interrupted or cancelled ends with a {@link LockInterruptedException} or a
 * {@link LockCancelledException}.
 *
 * @since 0.1.0
 */
public class LockNotAcquiredException extends LockException {

	@Serial
	private static final long serialVersionUID = 1L;

	/** The name of the lock. */
	private final String name;

	/** The owner that held the lock, if known. */
	private final @Nullable String owner;

	/** How long the caller waited. */
	private final Duration waited;

	/** How often the nodes were asked. */
	private final int attempts;

	/**
	 * Create the exception.
	 * @param message what happened, with the values below
	 * @param name the lock
	 * @param owner the owner that held it when last seen, or {@code null} if none was
	 * seen
	 * @param waited how long the caller waited
	 * @param attempts how often the nodes were asked
	 */
	public LockNotAcquiredException(String message, String name, @Nullable String owner, Duration waited,
			int attempts) {
		super(message, null);
		this.name = name;
		this.owner = owner;
		this.waited = waited;
		this.attempts = attempts;
	}

	/**
	 * Return the name of the lock, or several names joined by commas.
	 * @return the name
	 */
	public String getName() {
		return this.name;
	}

	/**
	 * Return the instance that held the lock when the nodes were last asked.
	 * @return its instance id, or {@code null} if no owner was seen
	 */
	public @Nullable String getOwner() {
		return this.owner;
	}

	/**
	 * Return how long the caller waited.
	 * @return the time from the call to this exception
	 */
	public Duration getWaited() {
		return this.waited;
	}

	/**
	 * Return how often the nodes were asked. The number is 0 if a thread of this instance
	 * held the lock for the whole wait.
	 * @return the number of attempts
	 */
	public int getAttempts() {
		return this.attempts;
	}

}
