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

package io.quorlock.redis;

/**
 * A node's address cannot be understood.
 *
 * @since 0.1.0
 */
public class InvalidNodeUriException extends IllegalArgumentException {

	/** The URI, without its password. */
	private final String uri;

	/** What is wrong with it. */
	private final String reason;

	/**
	 * Create the exception.
	 * @param uri the bad value, without secrets
	 * @param reason what is wrong with it
	 */
	public InvalidNodeUriException(String uri, String reason) {
		super("Invalid node URI '" + uri + "': " + reason);
		this.uri = uri;
		this.reason = reason;
	}

	/**
	 * The bad value, without user and password.
	 * @return the value
	 */
	public String getUri() {
		return this.uri;
	}

	/**
	 * What is wrong with it.
	 * @return the reason
	 */
	public String getReason() {
		return this.reason;
	}

}
