package io.quorlock.metrics;

import java.util.Locale;

import io.quorlock.LockException;
import io.quorlock.LockNotAcquiredException;

/**
 * What came of a request: the values of the tag {@code outcome}.
 *
 * @since 0.1.0
 */
public enum LockOutcome {

	/**
	 * The lock was granted.
	 */
	ACQUIRED,

	/**
	 * Another held it for the whole wait, or the wait was interrupted or cancelled.
	 */
	CONTENDED,

	/**
	 * No quorum of nodes answered.
	 */
	UNAVAILABLE;

	static LockOutcome of(LockException failure) {
		return (failure instanceof LockNotAcquiredException) ? CONTENDED : UNAVAILABLE;
	}

	private final String tag = name().toLowerCase(Locale.ROOT);

	/**
	 * The value of the tag.
	 * @return the name in lower case
	 */
	public String tag() {
		return this.tag;
	}

}
