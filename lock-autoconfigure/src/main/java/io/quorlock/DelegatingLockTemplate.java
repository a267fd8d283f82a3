package io.quorlock;

/**
 * A template that adds something to another one.
 *
 * @since 0.1.0
 */
public interface DelegatingLockTemplate extends LockTemplate {

	/**
	 * Return the template behind this one.
	 * @return the template that takes the locks
	 */
	LockTemplate getDelegate();

}
