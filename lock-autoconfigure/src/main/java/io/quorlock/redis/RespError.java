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
	 * Return the code at the beginning of the message.
	 * @return such as {@code NOSCRIPT}
	 */
	public String code() {
		int space = this.message.indexOf(' ');
		return (space < 0) ? this.message : this.message.substring(0, space);
	}

}
