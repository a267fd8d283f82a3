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

import io.micrometer.context.ContextSnapshot;
import io.micrometer.context.ContextSnapshotFactory;

import org.springframework.util.ClassUtils;

/**
 * The context of the calling thread (trace, security, logging), for a method that runs on
 * another thread. Without Micrometer's context propagation it is empty.
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
		return Propagation.PRESENT ? Propagation.capture() : Runnable::run;
	}

	/**
	 * Loaded only where the library is.
	 */
	final class Propagation {

		static final boolean PRESENT = ClassUtils.isPresent("io.micrometer.context.ContextSnapshotFactory",
				CallerContext.class.getClassLoader());

		private Propagation() {
		}

		static CallerContext capture() {
			ContextSnapshot snapshot = ContextSnapshotFactory.builder().build().captureAll();
			return (code) -> snapshot.wrap(code).run();
		}

	}

}
