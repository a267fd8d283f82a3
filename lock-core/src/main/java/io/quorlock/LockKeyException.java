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
 * Thrown for a name or key that cannot be locked: it is null, empty, too long or an empty
 * collection, its type does not override {@code toString()}, or it has characters that
 * cannot be encoded.
 *
 * @since 0.1.0
 */
public class LockKeyException extends LockException {

	@Serial
	private static final long serialVersionUID = 1L;

	/**
	 * Create the exception.
	 * @param message what is wrong with which key
	 */
	public LockKeyException(String message) {
		this(message, null);
	}

	/**
	 * Create the exception.
	 * @param message what is wrong with which key
	 * @param cause why the key could not be computed, or {@code null}
	 */
	public LockKeyException(String message, @Nullable Throwable cause) {
		super(message, cause);
	}

}
