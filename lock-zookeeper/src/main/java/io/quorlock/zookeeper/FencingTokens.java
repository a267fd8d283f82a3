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

package io.quorlock.zookeeper;

import java.nio.charset.StandardCharsets;

import org.jspecify.annotations.Nullable;

/**
 * Fencing tokens: {@code base + czxid * 64 + i} (R22). The transaction that created a
 * claim's node orders claims for ever, which the sequence number does not: it restarts
 * with its container.
 */
final class FencingTokens {

	/** How many tokens one grant owns at most. */
	static final int PER_GRANT = 64;

	private FencingTokens() {
	}

	static long least(long base, long czxid) {
		return Math.addExact(base, Math.multiplyExact(czxid, PER_GRANT));
	}

	/** Read the base, unless something else was written there. */
	static @Nullable Long base(byte @Nullable [] data) {
		try {
			return (data != null) ? Long.valueOf(new String(data, StandardCharsets.US_ASCII)) : null;
		}
		catch (NumberFormatException ex) {
			return null;
		}
	}

}
