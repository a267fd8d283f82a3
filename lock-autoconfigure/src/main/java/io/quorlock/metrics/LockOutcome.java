package io.quorlock.metrics;

import java.util.Locale;

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

	private final String tag = name().toLowerCase(Locale.ROOT);

	/**
	 * The value of the tag.
	 * @return the name in lower case
	 */
	public String tag() {
		return this.tag;
	}

}
