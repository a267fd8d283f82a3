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

package io.quorlock.store;

import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

import io.quorlock.Api;

/**
 * Locks of this process that objects with a name share, so that none of many thousand
 * objects has a lock of its own. Threads hold them for a moment only. A thread that holds
 * one takes no other of the same set, except by {@link #lock}.
 *
 * @since 0.1.0
 */
@Api(Api.Status.INTERNAL)
public final class NameLocks {

	/** One for each bit of a long. */
	private static final int SIZE = Long.SIZE;

	private final ReentrantLock[] locks = new ReentrantLock[SIZE];

	/**
	 * Create a new set of locks.
	 */
	public NameLocks() {
		for (int i = 0; i < SIZE; i++) {
			this.locks[i] = new ReentrantLock();
		}
	}

	/**
	 * Return the lock of an object.
	 * @param names its names, the first of which decides
	 * @return the lock
	 */
	public ReentrantLock of(List<String> names) {
		return this.locks[index(names.get(0))];
	}

	private static int index(String name) {
		int hash = name.hashCode();
		return (hash ^ hash >>> 6 ^ hash >>> 12) & SIZE - 1;
	}

	/**
	 * Lock several names, in an order on which all callers agree.
	 * @param names the names
	 * @return what {@link #unlock} unlocks
	 */
	public long lock(List<String> names) {
		long indices = 0;
		for (int i = 0; i < names.size(); i++) {
			indices |= 1L << index(names.get(i));
		}
		for (long left = indices; left != 0; left &= left - 1) {
			this.locks[Long.numberOfTrailingZeros(left)].lock();
		}
		return indices;
	}

	/**
	 * Unlock what was locked together.
	 * @param indices what {@link #lock} returned
	 */
	public void unlock(long indices) {
		for (long left = indices; left != 0; left &= left - 1) {
			this.locks[Long.numberOfTrailingZeros(left)].unlock();
		}
	}

}
