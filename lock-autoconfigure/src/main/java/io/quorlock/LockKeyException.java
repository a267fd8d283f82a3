package io.quorlock;

import java.io.Serial;

import org.jspecify.annotations.Nullable;

/**
 * A lock name or key that cannot be locked: null, empty, too long, an empty collection,
 * an object without text of its own, or characters that have no unambiguous form on the
 * wire.
 *
 * @since 0.1.0
 */
public class LockKeyException extends LockException {

	@Serial
	private static final long serialVersionUID = 1L;

	/**
	 * Creates the exception.
	 * @param message what is wrong with which key
	 */
	public LockKeyException(String message) {
		this(message, null);
	}

	/**
	 * Creates the exception.
	 * @param message what is wrong with which key
	 * @param cause why the key could not be computed, or {@code null}
	 */
	public LockKeyException(String message, @Nullable Throwable cause) {
		super(message, cause);
	}

}
