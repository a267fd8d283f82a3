/*
 * Copyright 2026-present the Quorlock authors.
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *      https://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */

package io.quorlock.test;

import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;

import org.assertj.core.api.AbstractAssert;

import io.quorlock.LockMode;
import io.quorlock.engine.LockInspector;
import io.quorlock.engine.inspect.LockHold;

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
		return verify(names, heldNames()::contains, "Expected lock '%s' to be held, but these are: %s", heldNames());
	}

	/**
	 * Verify that the application does not hold certain locks.
	 * @param names the locks
	 * @return this assertion
	 */
	public LocksAssert areNotHeld(String... names) {
		return verify(names, (name) -> !heldNames().contains(name), "Expected lock '%s' not to be held, but it is: %s",
				this.actual.held());
	}

	/**
	 * Verify that the application shares locks.
	 * @param names the locks; it may hold others as well
	 * @return this assertion
	 */
	public LocksAssert areShared(String... names) {
		return verify(names, (name) -> holds(name).anyMatch((hold) -> hold.mode() == LockMode.SHARED),
				"Expected lock '%s' to be shared, but these are held: %s", this.actual.held());
	}

	/**
	 * Verify how many permits of a lock the application holds.
	 * @param name the lock
	 * @param permits how many it holds
	 * @return this assertion
	 */
	public LocksAssert havePermits(String name, int permits) {
		long held = holds(name).filter((hold) -> hold.permit() > 0).count();
		if (held != permits) {
			failWithMessage("Expected %s permits of lock '%s' to be held, but there are %s: %s", permits, name, held,
					this.actual.held());
		}
		return this;
	}

	private LocksAssert verify(String[] names, Predicate<String> expected, String message, List<?> held) {
		Stream.of(names)
			.filter(expected.negate())
			.findFirst()
			.ifPresent((name) -> failWithMessage(message, name, held));
		return this;
	}

	private Stream<LockHold> holds(String name) {
		return this.actual.held().stream().filter((hold) -> hold.names().contains(name));
	}

	private List<String> heldNames() {
		return this.actual.held().stream().flatMap((hold) -> hold.names().stream()).sorted().toList();
	}

}
