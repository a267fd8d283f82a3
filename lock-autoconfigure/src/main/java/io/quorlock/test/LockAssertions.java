package io.quorlock.test;

import org.assertj.core.util.CheckReturnValue;

import io.quorlock.LockTemplate;
import io.quorlock.core.DefaultLockTemplate;
import io.quorlock.core.LockInspector;
import io.quorlock.core.LockTemplateWrapper;

/**
 * Entry point for assertions on locks.
 *
 * @since 0.1.0
 */
public final class LockAssertions {

	private LockAssertions() {
	}

	/**
	 * Begins an assertion on the locks of an application.
	 * @param lockTemplate the application's template
	 * @return the assertion
	 * @throws IllegalArgumentException if the template is not one of this library
	 */
	@CheckReturnValue
	public static LocksAssert assertThatLocks(LockTemplate lockTemplate) {
		LockTemplate template = lockTemplate;
		while (template instanceof LockTemplateWrapper wrapper) {
			template = wrapper.unwrap();
		}
		if (template instanceof DefaultLockTemplate engineTemplate) {
			return new LocksAssert(new LockInspector(engineTemplate.engine()));
		}
		throw new IllegalArgumentException("There is no lock engine behind " + template);
	}

}
