package io.quorlock.embedded;

import org.jspecify.annotations.Nullable;

/**
 * An embedded server did not start or did not reply, or it replied with an error, which
 * then is the message.
 *
 * @since 0.1.0
 */
public class EmbeddedServerException extends RuntimeException {

	/**
	 * Create the exception.
	 * @param message what went wrong
	 */
	public EmbeddedServerException(String message) {
		this(message, null);
	}

	/**
	 * Create the exception.
	 * @param message what went wrong
	 * @param cause why
	 */
	public EmbeddedServerException(String message, @Nullable Throwable cause) {
		super(message, cause);
	}

}
