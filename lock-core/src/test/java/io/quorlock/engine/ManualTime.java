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

import java.time.Duration;
import java.util.PriorityQueue;

import io.quorlock.time.LockClock;
import io.quorlock.time.LockTimer;

/**
 * Time that stands still until a test lets it go on: clock and timer in one.
 */
public final class ManualTime implements LockClock, LockTimer {

	private final PriorityQueue<Task> tasks = new PriorityQueue<>();

	private long nanos = 1_000_000_000L;

	private long order;

	long wallMicros = 1_700_000_000_000_000L;

	@Override
	public long nanoTime() {
		return this.nanos;
	}

	@Override
	public long wallMicros() {
		return this.wallMicros;
	}

	@Override
	public Timeout schedule(long delayNanos, Runnable work) {
		Task task = new Task(this.nanos + Math.max(0, delayNanos), this.order++, work);
		this.tasks.add(task);
		return () -> this.tasks.remove(task);
	}

	/** Lets time go on and runs what becomes due. */
	public void advance(Duration duration) {
		long until = this.nanos + duration.toNanos();
		for (Task next = this.tasks.peek(); next != null && next.due <= until; next = this.tasks.peek()) {
			this.tasks.poll();
			this.nanos = Math.max(this.nanos, next.due);
			next.work.run();
		}
		this.nanos = until;
		this.wallMicros += duration.toNanos() / 1_000;
	}

	/** Lets time go on while this process is paused: nothing runs. */
	public void pause(Duration duration) {
		this.nanos += duration.toNanos();
		this.wallMicros += duration.toNanos() / 1_000;
	}

	/** Runs what is due after a pause. */
	public void catchUp() {
		advance(Duration.ZERO);
	}

	/** Returns how many tasks are scheduled and not cancelled. */
	public int pending() {
		return this.tasks.size();
	}

	private record Task(long due, long order, Runnable work) implements Comparable<Task> {

		@Override
		public int compareTo(Task other) {
			return (this.due != other.due) ? Long.compare(this.due, other.due) : Long.compare(this.order, other.order);
		}

	}

}
