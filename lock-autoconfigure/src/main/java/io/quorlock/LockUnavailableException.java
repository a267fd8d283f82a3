package io.quorlock;

import java.io.Serial;

import org.jspecify.annotations.Nullable;

/**
 * No quorum of nodes answered, so nobody can say whether the lock is free. It is never
 * reported as "not acquired" and never skipped: the caller must not go on as if another
 * instance had done the work.
 *
 * @since 0.1.0
 */
public class LockUnavailableException extends LockException {

	@Serial
	private static final long serialVersionUID = 1L;

	/**
	 * Creates the exception.
	 * @param message which nodes count, and what is wrong with the others
	 */
	public LockUnavailableException(String message) {
		this(message, null);
	}

	/**
	 * Creates the exception.
	 * @param message which nodes count, and what is wrong with the others
	 * @param cause what made them unavailable, or {@code null}
	 */
	public LockUnavailableException(String message, @Nullable Throwable cause) {
		super(message, cause);
	}

}
