package io.quorlock.redis.client;

import io.quorlock.engine.LogText;

/**
 * Texts of servers as they may be logged and shown: escaped, and of a bounded length.
 */
final class SafeText {

	private static final int LONGEST = 500;

	private SafeText() {
	}

	static String of(String text) {
		String bounded = (text.length() <= LONGEST) ? text : text.substring(0, LONGEST) + "...";
		return LogText.escape(bounded);
	}

}
