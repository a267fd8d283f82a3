package io.quorlock;

import java.io.Serial;

import org.jspecify.annotations.Nullable;

/**
 * A lock that was held is held no longer: its validity ended without a renewal that a
 * quorum confirmed, or it was taken away. Another instance may hold it by now; what the
 * caller did since {@link LockHandle#isHeld()} was last true may have overlapped with it.
 *
 * @since 0.1.0
 */
public class LockLostException extends LockException {

	@Serial
	private static final long serialVersionUID = 1L;

	/**
	 * Creates the exception.
	 * @param message which lock was lost, when and why
	 */
	public LockLostException(String message) {
		this(message, null);
	}

	/**
	 * Creates the exception.
	 * @param message which lock was lost, when and why
	 * @param cause what the protected code threw, or {@code null}
	 */
	public LockLostException(String message, @Nullable Throwable cause) {
		super(message, cause);
	}

}
