package io.quorlock.test;

import org.assertj.core.util.CheckReturnValue;

import io.quorlock.LockTemplate;
import io.quorlock.engine.DefaultLockTemplate;
import io.quorlock.engine.LockEngine;
import io.quorlock.engine.LockInspector;
import io.quorlock.redis.spring.SingleSlotLockTemplate;
import io.quorlock.transaction.TransactionAwareLockTemplate;

/**
 * Entry point for assertions on locks.
 *
 * @since 0.1.0
 */
public final class LockAssertions {

	private LockAssertions() {
	}

	/**
	 * Create assertions on the locks of an application.
	 * @param lockTemplate the application's template
	 * @return the assertion
	 * @throws IllegalArgumentException if the template is not one of this library
	 */
	@CheckReturnValue
	public static LocksAssert assertThatLocks(LockTemplate lockTemplate) {
		return new LocksAssert(new LockInspector(engineOf(lockTemplate)));
	}

	private static LockEngine engineOf(LockTemplate template) {
		if (template instanceof TransactionAwareLockTemplate transactional) {
			return engineOf(transactional.getDelegate());
		}
		if (template instanceof SingleSlotLockTemplate singleSlot) {
			return engineOf(singleSlot.getDelegate());
		}
		if (template instanceof DefaultLockTemplate engineTemplate) {
			return engineTemplate.engine();
		}
		throw new IllegalArgumentException("There is no lock engine behind " + template);
	}

}
