package io.quorlock;

import java.io.Serial;

import org.jspecify.annotations.Nullable;

/**
 * Thrown if a lock is no longer held: its validity ended before a quorum confirmed a
 * renewal, or it was released by force. Another instance may hold it by now, and may have
 * run at the same time as the caller since {@link LockHandle#isHeld()} last returned
 * {@code true}.
 *
 * @since 0.1.0
 */
public class LockLostException extends LockException {

	@Serial
	private static final long serialVersionUID = 1L;

	/**
	 * Create the exception.
	 * @param message which lock was lost, when and why
	 */
	public LockLostException(String message) {
		this(message, null);
	}

	/**
	 * Create the exception.
	 * @param message which lock was lost, when and why
	 * @param cause what the protected code threw, or {@code null}
	 */
	public LockLostException(String message, @Nullable Throwable cause) {
		super(message, cause);
	}

}
