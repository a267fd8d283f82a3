package io.quorlock;

import java.io.Serial;

import org.jspecify.annotations.Nullable;

/**
 * Thrown if no quorum of nodes replied, so that it is unknown whether the lock is free.
 * This is never reported as "not acquired", and a method is never skipped because of it:
 * the caller must not assume that another instance does the work.
 *
 * @since 0.1.0
 */
public class LockUnavailableException extends LockException {

	@Serial
	private static final long serialVersionUID = 1L;

	/**
	 * Create the exception.
	 * @param message which nodes vote, and why the others do not
	 */
	public LockUnavailableException(String message) {
		this(message, null);
	}

	/**
	 * Create the exception.
	 * @param message which nodes vote, and why the others do not
	 * @param cause what made them unavailable, or {@code null}
	 */
	public LockUnavailableException(String message, @Nullable Throwable cause) {
		super(message, cause);
	}

}
