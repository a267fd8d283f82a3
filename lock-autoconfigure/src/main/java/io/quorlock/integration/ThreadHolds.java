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

	private final ThreadLocal<Map<String, Hold>> holds = ThreadLocal.withInitial(HashMap::new);

	/** Locks that were lost, as their threads know, and that were not unlocked yet. */
	private final ThreadLocal<Map<String, Hold>> lost = ThreadLocal.withInitial(HashMap::new);

	/**
	 * Return the lock that the calling thread holds.
	 * @param name the lock
	 * @return its handle, lost or not, or {@code null}
	 */
	@Nullable LockHandle find(String name) {
		Hold hold = this.holds.get().get(name);
		return (hold != null) ? hold.handle : null;
	}

	void add(LockHandle handle) {
		this.holds.get().put(handle.name(), new Hold(handle));
		LockContext.enter(handle, null);
	}

	void reenter(String name) {
		Hold hold = this.holds.get().get(name);
		if (hold != null) {
			hold.entries++;
		}
	}

	/**
	 * Leave a lock once.
	 * @param name the lock
	 * @return the handle to close, or {@code null} if the thread is still inside
	 */
	@Nullable LockHandle leave(String name) {
		Hold hold = this.holds.get().get(name);
		if (hold == null || --hold.entries > 0) {
			return null;
		}
		return forget(name);
	}

	/** The thread knows that it lost the lock; it has to unlock it all the same. */
	@Nullable LockHandle lose(String name) {
		Hold hold = this.holds.get().get(name);
		if (hold != null) {
			this.lost.get().put(name, hold);
		}
		return forget(name);
	}

	/** Return the lock that the thread lost and has not unlocked, or null. */
	@Nullable LockHandle findLost(String name) {
		Hold hold = this.lost.get().get(name);
		return (hold != null) ? hold.handle : null;
	}

	/**
	 * Leave a lock once that was lost.
	 * @param name the lock
	 * @return whether the thread has left it now
	 */
	boolean leaveLost(String name) {
		Map<String, Hold> ofThread = this.lost.get();
		Hold hold = ofThread.get(name);
		if (hold == null || --hold.entries > 0) {
			return false;
		}
		ofThread.remove(name);
		if (ofThread.isEmpty()) {
			this.lost.remove();
		}
		return true;
	}

	@Nullable LockHandle forget(String name) {
		Map<String, Hold> ofThread = this.holds.get();
		Hold hold = ofThread.remove(name);
		if (ofThread.isEmpty()) {
			this.holds.remove();
		}
		if (hold == null) {
			return null;
		}
		LockContext.leave(hold.handle);
		return hold.handle;
	}

	private static final class Hold {

		private final LockHandle handle;

		private int entries = 1;

		private Hold(LockHandle handle) {
			this.handle = handle;
		}

	}

}
