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

/**
 * A call asked for a lock that it holds already in a way that cannot be re-entered: a
 * reader wants to become a writer, or the request is not re-entrant. Waiting would never
 * end, since the call would wait for itself, so it fails at once. It is never skipped and
 * never given to a fallback.
 *
 * @since 0.1.0
 */
public class LockReentryException extends LockException {

	private static final long serialVersionUID = 1L;

	/**
	 * Create a new exception.
	 * @param message what was asked for and what is held
	 */
	public LockReentryException(String message) {
		super(message, null);
	}

}
