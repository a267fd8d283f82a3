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
