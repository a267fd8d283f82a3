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
 * The two clocks of the engine. Intervals go by {@link #nanoTime()} alone.
 *
 * @since 0.1.0
 */
@Api(Api.Status.EXTENSION)
public interface LockClock {

	/**
	 * A clock that never goes back, as {@link System#nanoTime()}, except that it also
	 * counts the time in which the machine was suspended.
	 * @return nanoseconds since an arbitrary origin
	 */
	long nanoTime();

	/**
	 * The same clock without what is not known for certain: where it cannot be judged
	 * whether the machine was suspended, {@link #nanoTime()} takes the upper bound of
	 * elapsed time and this the lower. For what must not end early, such as a quarantine.
	 * @return nanoseconds since an arbitrary origin
	 */
	default long minNanoTime() {
		return nanoTime();
	}

	/**
	 * The wall clock, from which fencing tokens are proposed.
	 * @return microseconds since 1970-01-01T00:00Z
	 */
	long wallMicros();

}
