package io.quorlock.metrics;

import java.util.Locale;

import io.quorlock.LockException;
import io.quorlock.LockNotAcquiredException;

/**
 * Outcomes of requests, the values of the tag {@code outcome}.
 *
 * @since 0.1.0
 */
public enum LockOutcome {

	/**
	 * The lock was granted.
	 */
	ACQUIRED,

	/**
	 * Another owner held the lock for the whole wait, or the wait was interrupted or
	 * cancelled.
	 */
	CONTENDED,

	/**
	 * No quorum of nodes replied.
	 */
	UNAVAILABLE;

	static LockOutcome of(LockException failure) {
		return (failure instanceof LockNotAcquiredException) ? CONTENDED : UNAVAILABLE;
	}

	private final String tag = name().toLowerCase(Locale.ROOT);

	/**
	 * Return the value of the tag.
	 * @return the name in lower case
	 */
	public String tag() {
		return this.tag;
	}

}
