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

package io.quorlock.fencing;

import java.io.Serial;

import io.quorlock.LockException;

/**
 * Thrown by a resource that refused a write, because a later holder of the lock has used
 * it already. The lock of the caller was lost. Nothing was written.
 *
 * @since 0.1.0
 */
public class StaleFencingTokenException extends LockException {

	@Serial
	private static final long serialVersionUID = 1L;

	/** The token that was refused. */
	private final long token;

	/** The token that the resource stores. */
	private final long stored;

	/**
	 * Create the exception.
	 * @param resource the resource
	 * @param token the token that was refused
	 * @param stored the greater token that the resource has seen
	 */
	public StaleFencingTokenException(String resource, long token, long stored) {
		super("Fencing token %d is stale: %s has seen %d".formatted(token, resource, stored), null);
		this.token = token;
		this.stored = stored;
	}

	/**
	 * Return the token that was refused.
	 * @return the token
	 */
	public long token() {
		return this.token;
	}

	/**
	 * Return the greatest token that the resource has seen.
	 * @return the token
	 */
	public long stored() {
		return this.stored;
	}

}
