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

package io.quorlock.sample.console;

import java.lang.management.ManagementFactory;

/** Monotonic time as the page sees it: milliseconds since the process started. */
final class Ticks {

	private static final long ORIGIN_NANOS = System.nanoTime()
			- ManagementFactory.getRuntimeMXBean().getUptime() * 1_000_000;

	private Ticks() {
	}

	static double now() {
		return millis(System.nanoTime());
	}

	static double millis(long nanos) {
		return (nanos != 0) ? Math.round((nanos - ORIGIN_NANOS) / 1e3) / 1e3 : 0;
	}

}
