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

package io.quorlock.engine;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;

import org.jspecify.annotations.Nullable;

/**
 * The requests of this process that do not wait, and share the outcome of the next
 * question of a request in front of them (R4).
 *
 * @param <T> the type of the requests
 */
final class Followers<T> {

	private final ReentrantLock lock = new ReentrantLock();

	/** Not made before there is one. */
	private @Nullable Set<T> followers;

	private boolean closed;

	/** Return false if none can follow any more. */
	boolean add(T follower) {
		this.lock.lock();
		try {
			if (this.closed) {
				return false;
			}
			Set<T> followers = this.followers;
			if (followers == null) {
				followers = new LinkedHashSet<>();
				this.followers = followers;
			}
			return followers.add(follower);
		}
		finally {
			this.lock.unlock();
		}
	}

	void remove(T follower) {
		this.lock.lock();
		try {
			if (this.followers != null) {
				this.followers.remove(follower);
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	List<T> all() {
		this.lock.lock();
		try {
			return copy();
		}
		finally {
			this.lock.unlock();
		}
	}

	/** Return all; none can follow any more. */
	List<T> close() {
		this.lock.lock();
		try {
			this.closed = true;
			return removeAll();
		}
		finally {
			this.lock.unlock();
		}
	}

	/** Return all, which follow no longer; others can. */
	List<T> removeAll() {
		this.lock.lock();
		try {
			List<T> all = copy();
			this.followers = null;
			return all;
		}
		finally {
			this.lock.unlock();
		}
	}

	private List<T> copy() {
		return (this.followers != null) ? List.copyOf(this.followers) : List.of();
	}

}
