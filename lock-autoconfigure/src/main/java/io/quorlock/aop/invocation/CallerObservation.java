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
import reactor.util.context.ContextView;

import org.springframework.util.ClassUtils;

/**
 * Makes the observation of a pipeline's subscriber the current one of the thread while
 * the lock is requested, so that the observation of the request finds its parent.
 * Otherwise only {@code spring.reactor.context-propagation=auto} would do so.
 */
final class CallerObservation {

	/** {@code ObservationThreadLocalAccessor.KEY} of a library that may be absent. */
	private static final String KEY = "micrometer.observation";

	private static final boolean PROPAGATION = ClassUtils.isPresent("io.micrometer.context.ContextSnapshotFactory",
			CallerObservation.class.getClassLoader());

	private CallerObservation() {
	}

	static <T> T call(ContextView subscriber, Supplier<T> action) {
		return (PROPAGATION && subscriber.hasKey(KEY)) ? Propagation.call(subscriber, action) : action.get();
	}

	private static final class Propagation {

		private static final ContextSnapshotFactory SNAPSHOTS = ContextSnapshotFactory.builder().build();

		private static <T> T call(ContextView subscriber, Supplier<T> action) {
			try (ContextSnapshot.Scope scope = SNAPSHOTS.setThreadLocalsFrom(subscriber, KEY)) {
				return action.get();
			}
		}

	}

}
