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
 * Base class of all exceptions of locks. Catch it to distinguish a failure of a lock from
 * a failure of the code that the lock protects.
 *
 * @since 0.1.0
 */
public abstract class LockException extends RuntimeException {

	@Serial
	private static final long serialVersionUID = 1L;

	/**
	 * Create the exception. Names of locks may come from outside and messages end in
	 * logs, so what could forge a line there is escaped.
	 * @param message what went wrong
	 * @param cause the cause, or {@code null}
	 */
	protected LockException(String message, @Nullable Throwable cause) {
		super(LogText.escape(message), cause);
	}

}
