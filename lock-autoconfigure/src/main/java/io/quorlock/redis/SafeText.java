package io.quorlock.redis;

import io.quorlock.engine.LogText;

/**
 * Texts of servers as they may be logged and shown: escaped, and of a bounded length.
 *
 * @since 0.1.0
 */
public final class SafeText {

	private static final int LONGEST = 500;

	private SafeText() {
	}

	/**
	 * Return a text as it may be shown.
	 * @param text what a server sent
	 * @return the text without control characters, and not too long
	 */
	public static String of(String text) {
		String bounded = (text.length() <= LONGEST) ? text : text.substring(0, LONGEST) + "...";
		return LogText.escape(bounded);
	}

}
