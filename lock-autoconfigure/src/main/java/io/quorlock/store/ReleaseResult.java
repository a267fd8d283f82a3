package io.quorlock.store;

/**
 * The state of a release when its caller continued.
 *
 * @since 0.1.0
 */
public enum ReleaseResult {

	/**
	 * The store confirmed it.
	 */
	CONFIRMED,

	/**
	 * It is repeated in the background until it is confirmed or the lease has ended.
	 */
	UNCONFIRMED

}
