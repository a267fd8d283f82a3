package io.quorlock;

import java.io.Serial;

import org.jspecify.annotations.Nullable;

/**
 * Base of everything that can go wrong with a lock. Catch it to tell lock trouble from
 * trouble of the code that the lock protects.
 *
 * @since 0.1.0
 */
public abstract class LockException extends RuntimeException {

	@Serial
	private static final long serialVersionUID = 1L;

	protected LockException(String message, @Nullable Throwable cause) {
		super(message, cause);
	}

}
