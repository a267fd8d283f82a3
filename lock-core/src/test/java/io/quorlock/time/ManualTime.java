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

package io.quorlock.time;

import java.time.Duration;
import java.util.PriorityQueue;

import org.jspecify.annotations.Nullable;

/**
 * Time that stands still until a test lets it go on: clock and timer in one. Safe for use
 * by several threads.
 */
public final class ManualTime implements LockClock, LockTimer {

	private final PriorityQueue<Task> tasks = new PriorityQueue<>();

	private long nanos = 1_000_000_000L;

	private long wallMicros = 1_700_000_000_000_000L;

	private long order;

	@Override
	public synchronized long nanoTime() {
		return this.nanos;
	}

	@Override
	public synchronized long wallMicros() {
		return this.wallMicros;
	}

	/** Sets the wall clock alone. */
	public synchronized void setWallMicros(long wallMicros) {
		this.wallMicros = wallMicros;
	}

	/** Returns the same clock, which first runs this whenever it is looked at. */
	public LockClock beforeLook(Runnable action) {
		return new LockClock() {

			@Override
			public long nanoTime() {
				action.run();
				return ManualTime.this.nanoTime();
			}

			@Override
			public long wallMicros() {
				return ManualTime.this.wallMicros();
			}

		};
	}

	@Override
	public synchronized Timeout schedule(long delayNanos, Runnable work) {
		Task task = new Task(this.nanos + Math.max(0, delayNanos), this.order++, work);
		this.tasks.add(task);
		return () -> cancel(task);
	}

	private synchronized void cancel(Task task) {
		this.tasks.removeIf((each) -> each == task);
	}

	/** Lets time go on and runs what becomes due. */
	public void advance(Duration duration) {
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
		pauseUntil(next.due);
		return next;
	}

	/** Lets time go on while this process is paused: nothing runs. */
	public void pause(Duration duration) {
		pauseUntil(nanoTime() + duration.toNanos());
	}

	/** Lets time go on to an instant while this process is paused. */
	public synchronized void pauseUntil(long instantNanos) {
		long passed = Math.max(0, instantNanos - this.nanos);
		this.nanos += passed;
		this.wallMicros += passed / 1_000;
	}

	/** Runs what is due after a pause. */
	public void catchUp() {
		advance(Duration.ZERO);
	}

	/** Returns whether something is due in exactly so long. */
	public synchronized boolean isDueIn(Duration delay) {
		long due = this.nanos + delay.toNanos();
		return this.tasks.stream().anyMatch((task) -> task.due == due);
	}

	/** Returns how many tasks are scheduled and not cancelled. */
	public synchronized int pending() {
		return this.tasks.size();
	}

	private record Task(long due, long order, Runnable work) implements Comparable<Task> {

		@Override
		public int compareTo(Task other) {
			return (this.due != other.due) ? Long.compare(this.due, other.due) : Long.compare(this.order, other.order);
		}

	}

}
