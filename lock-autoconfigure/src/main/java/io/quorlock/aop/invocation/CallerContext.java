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

package io.quorlock.aop.invocation;

import java.util.function.Supplier;

import io.micrometer.context.ContextSnapshot;
import io.micrometer.context.ContextSnapshotFactory;
import org.jspecify.annotations.Nullable;
import reactor.util.context.ContextView;

import org.springframework.util.ClassUtils;

import io.quorlock.LockContext;

/**
 * The context of the calling thread, for a method that runs on another thread: the locks
 * of the call and, with Micrometer's context propagation, whatever else it propagates
 * (trace, security, logging).
 */
@FunctionalInterface
interface CallerContext {

	/**
	 * Run code with the context that was captured.
	 * @param code the code
	 */
	void run(Runnable code);

	/**
	 * Capture the context of the calling thread.
	 * @return the context
	 */
	static CallerContext capture() {
		LockContext locks = LockContext.ofThread();
		Thread caller = Thread.currentThread();
		CallerContext others = Propagation.PRESENT ? Propagation.capture() : Runnable::run;
		return (code) -> others.run(() -> within((locks != null) ? locks.movedFrom(caller) : null, code));
	}

	/** Run code as a part of the call that holds the locks. */
	static void within(@Nullable LockContext locks, Runnable code) {
		LockContext previous = LockContext.restore(locks);
		try {
			code.run();
		}
		finally {
			LockContext.restore(previous);
		}
	}

	/**
	 * Run code while the observation of a pipeline's subscriber is the current one of the
	 * thread, so that the observation of a request finds its parent. Otherwise only
	 * {@code spring.reactor.context-propagation=auto} would do so.
	 */
	static <T> T observed(ContextView subscriber, Supplier<T> code) {
		return (Propagation.PRESENT && subscriber.hasKey(Propagation.OBSERVATION))
				? Propagation.observed(subscriber, code) : code.get();
	}

	/**
	 * Its methods are called only where the library is.
	 */
	final class Propagation {

		static final boolean PRESENT = ClassUtils.isPresent("io.micrometer.context.ContextSnapshotFactory",
				CallerContext.class.getClassLoader());

		/** {@code ObservationThreadLocalAccessor.KEY} of a library that may be absent. */
		static final String OBSERVATION = "micrometer.observation";

		private Propagation() {
		}

		static CallerContext capture() {
			ContextSnapshot snapshot = ContextSnapshotFactory.builder().build().captureAll();
			return (code) -> snapshot.wrap(code).run();
		}

		static <T> T observed(ContextView subscriber, Supplier<T> code) {
			ContextSnapshotFactory snapshots = ContextSnapshotFactory.builder().build();
			try (ContextSnapshot.Scope scope = snapshots.setThreadLocalsFrom(subscriber, OBSERVATION)) {
				return code.get();
			}
		}

	}

}
