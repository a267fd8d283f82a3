package io.quorlock.transaction;

import io.quorlock.LockHandle;

/**
 * A lock whose loss does not roll back the transaction, since the result of its method
 * stands in that case, too.
 *
 * @since 0.1.0
 */
public final class LossTolerantHandle extends DelegatingLockHandle {

	private LossTolerantHandle(LockHandle delegate) {
		super(delegate);
	}

	/**
	 * Return the lock as one whose loss does not prevent a commit.
	 * @param handle the lock
	 * @return the lock, marked
	 */
	public static LockHandle of(LockHandle handle) {
		if (handle instanceof TransactionalLockHandle transactional) {
			transactional.tolerateLoss();
			return handle;
		}
		return new LossTolerantHandle(handle);
	}

	@Override
	boolean isLossTolerated() {
		return true;
	}

}
