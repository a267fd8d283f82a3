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

package io.quorlock.time;

import io.quorlock.Api;

/**
 * Runs short, non-blocking work of the engine later, one piece at a time.
 *
 * @since 0.1.0
 */
@Api(Api.Status.EXTENSION)
public interface LockTimer {

	/**
	 * Run a task after a delay, never earlier.
	 * @param delayNanos the delay in nanoseconds; zero or less runs it soon
	 * @param task the work; must not block and must not throw
	 * @return cancels the task
	 */
	Timeout schedule(long delayNanos, Runnable task);

	/**
	 * A task that waits for its time.
	 */
	@FunctionalInterface
	interface Timeout {

		/**
		 * Take the task back, if it has not begun.
		 */
		void cancel();

	}

}
