package io.quorlock.aop;

import io.quorlock.LockHandle;
import io.quorlock.annotation.DistributedLock.OnLost;

/**
 * The lock of a method whose result stands also when the lock is lost: what the method
 * has done is committed as well.
 */
final class LossTolerantHandle extends DelegatingLockHandle {

	private LossTolerantHandle(LockHandle delegate) {
		super(delegate);
	}

	static LockHandle of(LockHandle handle, OnLost onLost) {
		if (onLost != OnLost.IGNORE) {
			return handle;
		}
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
