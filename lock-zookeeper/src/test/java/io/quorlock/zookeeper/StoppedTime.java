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

package io.quorlock.zookeeper;

import java.time.Duration;
import java.util.PriorityQueue;

import org.jspecify.annotations.Nullable;

import io.quorlock.time.LockClock;
import io.quorlock.time.LockTimer;

/**
 * Clock and timer of a store, which stand still until a test lets them go on, while its
 * requests take the time that they take. Safe for use by several threads.
 */
final class StoppedTime implements LockClock, LockTimer {

	private final PriorityQueue<Task> tasks = new PriorityQueue<>();

	private final long wallMicros = System.currentTimeMillis() * 1_000;

	private long nanos = 1_000_000_000_000L;

	private long order;

	@Override
	public synchronized long nanoTime() {
		return this.nanos;
	}

	@Override
	public long wallMicros() {
		return this.wallMicros;
	}

	@Override
	public synchronized Timeout schedule(long delayNanos, Runnable work) {
		Task task = new Task(this.nanos + Math.max(0, delayNanos), this.order++, work);
		this.tasks.add(task);
		return () -> cancel(task);
	}

	private synchronized void cancel(Task task) {
		this.tasks.remove(task);
	}

	/** Lets time go on, and runs what is due. */
	void advance(Duration duration) {
		long until = nanoTime() + duration.toNanos();
		for (Task next = next(until); next != null; next = next(until)) {
			next.work.run();
		}
		pauseUntil(until);
	}

	private synchronized @Nullable Task next(long until) {
		Task next = this.tasks.peek();
		if (next == null || next.due > until) {
			return null;
		}
		this.tasks.remove(next);
		this.nanos = Math.max(this.nanos, next.due);
		return next;
	}

	/** Lets time go on to an instant while this process is paused: nothing runs. */
	synchronized void pauseUntil(long instantNanos) {
		this.nanos = Math.max(this.nanos, instantNanos);
	}

	/** Returns whether something is due in exactly so long. */
	synchronized boolean isDueIn(Duration delay) {
		long due = this.nanos + delay.toNanos();
		return this.tasks.stream().anyMatch((task) -> task.due == due);
	}

	/** How much is due at any time. */
	synchronized int pending() {
		return this.tasks.size();
	}

	private record Task(long due, long order, Runnable work) implements Comparable<Task> {

		@Override
		public int compareTo(Task other) {
			return (this.due != other.due) ? Long.compare(this.due, other.due) : Long.compare(this.order, other.order);
		}

	}

}
