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

package io.quorlock.benchmarks.subject;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The monitor of an object for each name, as the limit of what a lock inside the JVM can
 * cost. It is entered and left while it is acquired, since a monitor cannot be left in
 * another method.
 */
final class SynchronizedSubject implements LockSubject {

	private final Map<String, Guarded> monitors = new ConcurrentHashMap<>();

	@Override
	public Hold lock(String name) {
		Guarded guarded = this.monitors.computeIfAbsent(name, (key) -> new Guarded());
		synchronized (guarded) {
			guarded.count++;
		}
		return () -> {
		};
	}

	@Override
	public void close() {
	}

	private static final class Guarded {

		private long count;

	}

}
