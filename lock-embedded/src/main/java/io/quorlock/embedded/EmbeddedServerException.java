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

package io.quorlock.embedded;

import org.jspecify.annotations.Nullable;

/**
 * An embedded server did not start or did not reply, or it replied with an error, which
 * then is the message.
 *
 * @since 0.1.0
 */
public class EmbeddedServerException extends RuntimeException {

	/**
	 * Create the exception.
	 * @param message what went wrong
	 */
	public EmbeddedServerException(String message) {
		this(message, null);
	}

	/**
	 * Create the exception.
	 * @param message what went wrong
	 * @param cause why
	 */
	public EmbeddedServerException(String message, @Nullable Throwable cause) {
		super(message, cause);
	}

}
