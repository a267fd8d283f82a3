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

package io.quorlock.sample.watch;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

import org.jspecify.annotations.Nullable;

import io.quorlock.LockHandle;

/**
 * The visits of all instances in this process: those under way, and the latest of those
 * that ended.
 */
public final class VisitLog {

	private static final int KEPT = 4_000;

	private final Set<Visit> open = ConcurrentHashMap.newKeySet();

	private final Deque<Visit> ended = new ArrayDeque<>();

	private long endedCount;

	private final AtomicLong overlaps = new AtomicLong();

	private final AtomicLong unguardedOverlaps = new AtomicLong();

	Visit called(String instance, String sku, String buyer) {
		Visit visit = new Visit(instance, sku, buyer);
		this.open.add(visit);
		return visit;
	}

	/** Synchronized, so that of two overlapping visits the second sees the first. */
	synchronized void entered(Visit visit, @Nullable LockHandle handle) {
		visit.enter(handle);
		if (handle != null) {
			handle.onLost((event) -> visit.lost());
		}
		for (Visit other : this.open) {
			if (other != visit && other.sku().equals(visit.sku()) && other.claims()) {
				other.overlapped();
				visit.overlapped();
				((visit.isLocked() && other.isLocked()) ? this.overlaps : this.unguardedOverlaps).incrementAndGet();
			}
		}
	}

	void renewed(String instance, List<String> locks) {
		for (Visit visit : this.open) {
			if (visit.instance().equals(instance) && visit.isLocked() && locks.contains("stock:" + visit.sku())) {
				visit.renewed();
			}
		}
	}

	synchronized void ended(Visit visit, Visit.Outcome outcome) {
		visit.end(outcome);
		this.open.remove(visit);
		this.ended.add(visit);
		this.endedCount++;
		if (this.ended.size() > KEPT) {
			this.ended.remove();
		}
	}

	/**
	 * Return the visits under way.
	 * @return the visits, in the order of their calls
	 */
	public List<Visit> open() {
		return this.open.stream().sorted((a, b) -> Long.compare(a.id(), b.id())).toList();
	}

	/**
	 * Return the visits that have ended.
	 * @return the latest, in the order of their ends
	 */
	public synchronized List<Visit> ended() {
		return new ArrayList<>(this.ended);
	}

	/**
	 * Return the visits that ended after others.
	 * @param number how many had ended before
	 * @return those that ended since, as far as they are kept
	 */
	public synchronized List<Visit> endedSince(long number) {
		int fresh = (int) Math.min(this.ended.size(), this.endedCount - number);
		return this.ended.stream().skip(this.ended.size() - fresh).toList();
	}

	/**
	 * Return how many visits have ended.
	 * @return the number since the start
	 */
	public synchronized long endedCount() {
		return this.endedCount;
	}

	/**
	 * Return how often two visits were inside at once although both had the lock.
	 * @return the number since the start; anything but 0 is a bug
	 */
	public long overlaps() {
		return this.overlaps.get();
	}

	/**
	 * Return how often two visits were inside at once of which at least one had no lock.
	 * @return the number since the start
	 */
	public long unguardedOverlaps() {
		return this.unguardedOverlaps.get();
	}

}
