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

import org.jspecify.annotations.Nullable;

/**
 * Thrown if no quorum of nodes replied, so that it is unknown whether the lock is free.
 * This is never reported as "not acquired", and a method is never skipped because of it:
 * the caller must not assume that another instance does the work.
 *
 * @since 0.1.0
 */
public class LockUnavailableException extends LockException {

	@Serial
	private static final long serialVersionUID = 1L;

	/**
	 * Create the exception.
	 * @param message which nodes vote, and why the others do not
	 */
	public LockUnavailableException(String message) {
		this(message, null);
	}

	/**
	 * Create the exception.
	 * @param message which nodes vote, and why the others do not
	 * @param cause what made them unavailable, or {@code null}
	 */
	public LockUnavailableException(String message, @Nullable Throwable cause) {
		super(message, cause);
	}

}
