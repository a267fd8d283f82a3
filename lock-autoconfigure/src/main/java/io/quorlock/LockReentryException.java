package io.quorlock;

/**
 * A call asked for a lock that it holds already in a way that cannot be re-entered: a
 * reader wants to become a writer, or the request is not re-entrant. Waiting would never
 * end, since the call would wait for itself, so it fails at once. It is never skipped and
 * never given to a fallback.
 *
 * @since 0.1.0
 */
public class LockReentryException extends LockException {

	private static final long serialVersionUID = 1L;

	/**
	 * Create a new exception.
	 * @param message what was asked for and what is held
	 */
	public LockReentryException(String message) {
		super(message, null);
	}

}
