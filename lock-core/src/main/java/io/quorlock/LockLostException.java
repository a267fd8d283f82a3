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
 * Thrown if a lock is no longer held: its validity ended before a quorum confirmed a
 * renewal, or it was released by force. Another instance may hold it by now, and may have
 * run at the same time as the caller since {@link LockHandle#isHeld()} last returned
 * {@code true}.
 *
 * @since 0.1.0
 */
public class LockLostException extends LockException {

	@Serial
	private static final long serialVersionUID = 1L;

	/**
	 * Create the exception.
	 * @param message which lock was lost, when and why
	 */
	public LockLostException(String message) {
		this(message, null);
	}

	/**
	 * Create the exception.
	 * @param message which lock was lost, when and why
	 * @param cause what the protected code threw, or {@code null}
	 */
	public LockLostException(String message, @Nullable Throwable cause) {
		super(message, cause);
	}

}
