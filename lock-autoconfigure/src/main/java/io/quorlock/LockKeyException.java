package io.quorlock;

import java.io.Serial;

import org.jspecify.annotations.Nullable;

/**
 * Thrown for a name or key that cannot be locked: it is null, empty, too long or an empty
 * collection, its type does not override {@code toString()}, or it has characters that
 * cannot be encoded.
 *
 * @since 0.1.0
 */
public class LockKeyException extends LockException {

	@Serial
	private static final long serialVersionUID = 1L;

	/**
	 * Create the exception.
	 * @param message what is wrong with which key
	 */
	public LockKeyException(String message) {
		this(message, null);
	}

	/**
	 * Create the exception.
	 * @param message what is wrong with which key
	 * @param cause why the key could not be computed, or {@code null}
	 */
	public LockKeyException(String message, @Nullable Throwable cause) {
		super(message, cause);
	}

}
