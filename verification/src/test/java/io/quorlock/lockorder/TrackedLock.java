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

package io.quorlock.lockorder;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A lock that records which locks its thread held before. {@link TrackingLoader} puts it
 * in the place of each {@link ReentrantLock} of the classes that it loads.
 */
public final class TrackedLock extends ReentrantLock {

	private static final long serialVersionUID = 1;

	private static final ThreadLocal<Deque<TrackedLock>> HELD = ThreadLocal.withInitial(ArrayDeque::new);

	private static final Set<String> ORDER = new ConcurrentSkipListSet<>();

	private static final Set<String> VIOLATIONS = new ConcurrentSkipListSet<>();

	private final String owner;

	/** Locks of the same type that were held when this one was taken. */
	private final Set<TrackedLock> outer = ConcurrentHashMap.newKeySet(1);

	public TrackedLock(String owner) {
		this.owner = owner;
	}

	@Override
	public void lock() {
		if (!isHeldByCurrentThread()) {
			HELD.get().forEach(this::follows);
		}
		super.lock();
		HELD.get().push(this);
	}

	private void follows(TrackedLock before) {
		ORDER.add(before.owner + " > " + this.owner);
		if (before.owner.equals(this.owner)) {
			this.outer.add(before);
			if (before.outer.contains(this)) {
				VIOLATIONS.add("two locks of " + this.owner + " are taken in both orders");
			}
		}
	}

	@Override
	public boolean tryLock() {
		boolean locked = super.tryLock();
		if (locked) {
			HELD.get().push(this);
		}
		return locked;
	}

	@Override
	public void unlock() {
		HELD.get().removeFirstOccurrence(this);
		super.unlock();
	}

	/** Called at the beginning of each method that must not be called under a lock. */
	public static void called(String method) {
		HELD.get().forEach((lock) -> VIOLATIONS.add(method + " is called under the lock of " + lock.owner));
	}

	/** Return the pairs of locks that a thread held together, the outer one first. */
	static Set<String> order() {
		return new TreeSet<>(ORDER);
	}

	/** Return what must not happen, whatever the order is. */
	static Set<String> violations() {
		return new TreeSet<>(VIOLATIONS);
	}

	static void forget() {
		ORDER.clear();
		VIOLATIONS.clear();
	}

}
