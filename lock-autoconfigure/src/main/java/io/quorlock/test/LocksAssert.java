package io.quorlock.test;

import java.util.List;

import org.assertj.core.api.AbstractAssert;

import io.quorlock.engine.LockHold;
import io.quorlock.engine.LockInspector;

/**
 * Assertions on the locks that an application holds at this moment.
 *
 * @since 0.1.0
 * @see LockAssertions#assertThatLocks
 */
public final class LocksAssert extends AbstractAssert<LocksAssert, LockInspector> {

	LocksAssert(LockInspector inspector) {
		super(inspector, LocksAssert.class);
	}

	/**
	 * Verify that the application holds no lock.
	 * @return this assertion
	 */
	public LocksAssert areAllReleased() {
		List<LockHold> held = this.actual.held();
		if (!held.isEmpty()) {
			failWithMessage("Expected all locks to be released, but these are held: %s", held);
		}
		return this;
	}

	/**
	 * Verify that the application holds locks.
	 * @param names the locks; it may hold others as well
	 * @return this assertion
	 */
	public LocksAssert areHeld(String... names) {
		for (String name : names) {
			if (!heldNames().contains(name)) {
				failWithMessage("Expected lock '%s' to be held, but these are: %s", name, heldNames());
			}
		}
		return this;
	}

	/**
	 * Verify that the application does not hold certain locks.
	 * @param names the locks
	 * @return this assertion
	 */
	public LocksAssert areNotHeld(String... names) {
		for (String name : names) {
			if (heldNames().contains(name)) {
				failWithMessage("Expected lock '%s' not to be held, but it is: %s", name, this.actual.held());
			}
		}
		return this;
	}

	private List<String> heldNames() {
		return this.actual.held().stream().flatMap((hold) -> hold.names().stream()).sorted().toList();
	}

}
