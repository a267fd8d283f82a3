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

package io.quorlock.integration;

import java.util.HashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import io.quorlock.LockContext;
import io.quorlock.LockHandle;

/**
 * The locks that each thread holds, and how often it has entered each of them.
 */
final class ThreadHolds {

	@SuppressWarnings("ThreadLocalUsage") // each registry has its own locks
	private final ThreadLocal<@Nullable Map<String, Hold>> holds = new ThreadLocal<>();

	/**
	 * Return what the calling thread has to unlock next.
	 * @param name the lock
	 * @return its latest hold, lost or not, or {@code null}
	 */
	@Nullable Hold find(String name) {
		Map<String, Hold> ofThread = this.holds.get();
		return (ofThread != null) ? ofThread.get(name) : null;
	}

	void add(LockHandle handle) {
		Map<String, Hold> ofThread = this.holds.get();
		if (ofThread == null) {
			ofThread = new HashMap<>();
			this.holds.set(ofThread);
		}
		ofThread.put(handle.name(), new Hold(handle, ofThread.get(handle.name())));
		LockContext.enter(handle, null);
	}

	/** Forget a hold that the thread has left as often as it entered it. */
	void remove(Hold hold) {
		Map<String, Hold> ofThread = this.holds.get();
		if (ofThread == null) {
			return;
		}
		if (hold.earlier != null) {
			ofThread.put(hold.handle.name(), hold.earlier);
		}
		else {
			ofThread.remove(hold.handle.name());
		}
		if (ofThread.isEmpty()) {
			this.holds.remove();
		}
	}

	/**
	 * One time that a thread got a lock.
	 */
	static final class Hold {

		final LockHandle handle;

		/** Lost, as the thread knows, and not unlocked yet. */
		private final @Nullable Hold earlier;

		int entries = 1;

		private boolean lost;

		private Hold(LockHandle handle, @Nullable Hold earlier) {
			this.handle = handle;
			this.earlier = earlier;
		}

		boolean isLost() {
			return this.lost;
		}

		/** The thread knows that it lost the lock; it has to unlock it all the same. */
		void lose() {
			this.lost = true;
			LockContext.leave(this.handle);
			this.handle.close();
		}

	}

}
