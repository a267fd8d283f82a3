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

import java.io.IOException;

/**
 * What a server sent is no reply in the Redis protocol, or larger than any reply to what
 * it was asked.
 *
 * @since 0.1.0
 */
public class RespFormatException extends IOException {

	private static final long serialVersionUID = 1L;

	/** The first byte of what a server sends that expected TLS. */
	private static final byte TLS_ALERT = 0x15;

	/** The byte that was not expected. */
	private final byte at;

	RespFormatException(byte at) {
		super("does not speak the Redis protocol");
		this.at = at;
	}

	/**
	 * Return whether it looks like what a server sends that expected TLS.
	 * @return whether it is a TLS alert
	 */
	public boolean isTlsAlert() {
		return this.at == TLS_ALERT;
	}

}
