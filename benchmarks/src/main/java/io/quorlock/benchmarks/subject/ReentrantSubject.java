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
import java.util.concurrent.locks.ReentrantLock;

/**
 * A {@link ReentrantLock} for each name, in a map: what an application has that locks
 * names inside its JVM only.
 */
final class ReentrantSubject implements LockSubject {

	private final Map<String, ReentrantLock> locks = new ConcurrentHashMap<>();

	@Override
	public Hold lock(String name) {
		ReentrantLock lock = this.locks.computeIfAbsent(name, (key) -> new ReentrantLock());
		lock.lock();
		return lock::unlock;
	}

	@Override
	public void close() {
	}

}
