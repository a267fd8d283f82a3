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

package io.quorlock.actuate;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;

/**
 * Where the next page of the endpoint begins.
 *
 * @param held the position among the locks that are held, {@code null} at the beginning
 * @param retained the position among the leases that are kept
 * @param waiting the position among the requests that wait
 */
record LocksCursor(@Nullable Long held, @Nullable Long retained, @Nullable Long waiting) {

	private static final int RADIX = 36;

	private static final int PARTS = 3;

	static LocksCursor of(@Nullable String text) {
		if (text == null || text.isEmpty()) {
			return new LocksCursor(null, null, null);
		}
		String[] parts = text.split("_", -1);
		if (parts.length == PARTS) {
			try {
				return new LocksCursor(position(parts[0]), position(parts[1]), position(parts[2]));
			}
			catch (NumberFormatException ex) {
				// Refused below.
			}
		}
		throw new InvalidEndpointRequestException("The cursor is not one that this endpoint returned as 'next'",
				"Not a cursor");
	}

	private static @Nullable Long position(String text) {
		return text.isEmpty() ? null : Long.valueOf(text, RADIX);
	}

	@Override
	public String toString() {
		return text(this.held) + "_" + text(this.retained) + "_" + text(this.waiting);
	}

	private static String text(@Nullable Long position) {
		return (position != null) ? Long.toString(position, RADIX) : "";
	}

}
