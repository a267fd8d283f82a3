package io.quorlock.test;

import org.assertj.core.util.CheckReturnValue;

import org.springframework.util.Assert;

import io.quorlock.DelegatingLockTemplate;
import io.quorlock.LockTemplate;
import io.quorlock.engine.DefaultLockTemplate;
import io.quorlock.engine.LockEngine;
import io.quorlock.engine.LockInspector;

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

	private static LockEngine engineOf(LockTemplate lockTemplate) {
		LockTemplate template = lockTemplate;
		while (template instanceof DelegatingLockTemplate delegating) {
			template = delegating.getDelegate();
		}
		Assert.isInstanceOf(DefaultLockTemplate.class, template, "There is no lock engine behind the template");
		return ((DefaultLockTemplate) template).engine();
	}

}
