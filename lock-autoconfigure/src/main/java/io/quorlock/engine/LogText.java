package io.quorlock.engine;

/**
 * Makes lock names safe to log: a name may hold line breaks and other control characters
 * that would forge log lines.
 *
 * @since 0.1.0
 */
public final class LogText {

	private LogText() {
	}

	/**
	 * Escape control characters.
	 * @param text a lock name or another text from outside
	 * @return the text with <code>\\uXXXX</code> for each control character
	 */
	public static String escape(String text) {
		StringBuilder escaped = null;
		for (int i = 0; i < text.length(); i++) {
			char c = text.charAt(i);
			if (isUnsafe(c)) {
				if (escaped == null) {
					escaped = new StringBuilder(text.substring(0, i));
				}
				escaped.append("\\u%04x".formatted((int) c));
			}
			else if (escaped != null) {
				escaped.append(c);
			}
		}
		return (escaped != null) ? escaped.toString() : text;
	}

	/** What breaks lines, and what changes the direction of the text around it. */
	private static boolean isUnsafe(char c) {
		return switch (Character.getType(c)) {
			case Character.CONTROL, Character.FORMAT, Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR -> true;
			default -> false;
		};
	}

}
