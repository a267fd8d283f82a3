package io.quorlock.store;

/**
 * What became of a release when its caller went on.
 *
 * @since 0.1.0
 */
public enum ReleaseResult {

	/**
	 * The store confirmed it.
	 */
	CONFIRMED,

	/**
	 * It is repeated behind the caller until it is confirmed or the lease has ended.
	 */
	UNCONFIRMED

}
