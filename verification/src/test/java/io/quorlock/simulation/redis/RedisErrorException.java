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

package io.quorlock.simulation.redis;

/**
 * An error that the server replies with.
 */
public final class RedisErrorException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	RedisErrorException(String message) {
		super(message, null, false, false);
	}

	/**
	 * Return the kind of error, its first word.
	 * @return such as {@code OOM}
	 */
	public String code() {
		String message = String.valueOf(getMessage());
		int end = message.indexOf(' ');
		return (end < 0) ? message : message.substring(0, end);
	}

}
