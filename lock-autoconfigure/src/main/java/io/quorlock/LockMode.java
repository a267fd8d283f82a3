package io.quorlock;

/**
 * How a lock excludes others.
 *
 * @since 0.1.0
 */
public enum LockMode {

	/**
	 * There is no other holder at the same time.
	 */
	EXCLUSIVE,

	/**
	 * Any number of shared holders, but no exclusive one, hold the lock at the same time.
	 */
	SHARED

}
