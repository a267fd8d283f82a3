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

import java.nio.charset.StandardCharsets;

/**
 * An error that a server replied with.
 *
 * @param message the message, which begins with a code such as {@code NOSCRIPT}
 * @since 0.1.0
 */
public record RespError(String message) {

	static RespError of(byte[] message) {
		return new RespError(new String(message, StandardCharsets.UTF_8));
	}

	/**
	 * Return the code at the beginning of the message, or of the error inside of a
	 * script.
	 * @return such as {@code NOSCRIPT}
	 */
	public String code() {
		String error = ScriptErrors.inner(this.message);
		int space = error.indexOf(' ');
		return (space < 0) ? error : error.substring(0, space);
	}

}
