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

import java.util.PriorityQueue;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * One thread that runs what is due. Made for tasks of which nearly all are cancelled: to
 * schedule costs a queue insertion and, unless the new task is due before everything
 * else, wakes no thread; a cancelled task is dropped when the thread next comes by.
 *
 * @since 0.1.0
 */
public final class TimerThread implements LockTimer, AutoCloseable {

	private static final Log logger = LogFactory.getLog(TimerThread.class);

	/**
	 * Due times are rounded up to a multiple of this, so that one wake-up serves many
	 * renewals. Only tasks with a shorter delay are run on time.
	 */
	private static final long QUANTUM_NANOS = 1 << 20;

	private static final long IDLE_NANOS = 60_000_000_000L;

	/** With fewer tasks than this, cancelled ones are not looked for. */
	private static final int MIN_PURGED = 1024;

	private final long origin = System.nanoTime();

	private final Queue<Task> inbox;

	/** When the thread wakes up next, in nanoseconds since the origin. */
	private final AtomicLong wakeAt = new AtomicLong();

	private final Thread thread;

	private volatile boolean closed;

	/**
	 * Create and start a new thread.
	 * @param name the name of the thread
	 */
	public TimerThread(String name) {
		this(name, new ConcurrentLinkedQueue<>());
	}

	TimerThread(String name, Queue<Task> inbox) {
		this.inbox = inbox;
		this.thread = new Thread(this::run, name);
		this.thread.setDaemon(true);
		this.thread.start();
	}

	@Override
	public Timeout schedule(long delayNanos, Runnable work) {
		long due = now() + Math.max(0, delayNanos);
		Task task = new Task((delayNanos < QUANTUM_NANOS) ? due : (due + QUANTUM_NANOS - 1) & -QUANTUM_NANOS, work);
		this.inbox.add(task);
		if (task.due < this.wakeAt.get()) {
			LockSupport.unpark(this.thread);
		}
		return task;
	}

	private long now() {
		return System.nanoTime() - this.origin;
	}

	private void run() {
		PriorityQueue<Task> tasks = new PriorityQueue<>();
		int purgedAt = MIN_PURGED;
		while (!this.closed) {
			// While this thread is awake it need not be woken.
			this.wakeAt.set(Long.MIN_VALUE);
			for (Task task = this.inbox.poll(); task != null; task = this.inbox.poll()) {
				if (!task.isCancelled()) {
					tasks.add(task);
				}
			}
			if (tasks.size() >= purgedAt) {
				// A wait without a limit that has ended would be kept for ever otherwise.
				tasks.removeIf(Task::isCancelled);
				purgedAt = Math.max(MIN_PURGED, 2 * tasks.size());
			}
			Task next = tasks.peek();
			// The thread does not wake up for what was cancelled.
			for (; next != null && (next.isCancelled() || next.due <= now()); next = tasks.peek()) {
				tasks.poll();
				next.run();
			}
			long wake = (next != null) ? next.due : now() + IDLE_NANOS;
			// Published before the inbox is looked at: a thread that adds later sees it
			// and wakes this one.
			this.wakeAt.set(wake);
			if (this.inbox.isEmpty()) {
				LockSupport.parkNanos(this, wake - now());
			}
		}
	}

	@Override
	public void close() {
		this.closed = true;
		LockSupport.unpark(this.thread);
	}

	static final class Task implements Timeout, Comparable<Task> {

		private final long due;

		private volatile @Nullable Runnable work;

		private Task(long due, Runnable work) {
			this.due = due;
			this.work = work;
		}

		@Override
		public void cancel() {
			this.work = null;
		}

		private boolean isCancelled() {
			return this.work == null;
		}

		void run() {
			Runnable due = this.work;
			if (due != null) {
				this.work = null;
				try {
					due.run();
				}
				catch (RuntimeException | Error ex) {
					// The thread renews every lock of this process: it must not end.
					logger.error("A task of the lock engine failed; report it with what follows", ex);
				}
			}
		}

		@Override
		public int compareTo(Task other) {
			return Long.compare(this.due, other.due);
		}

	}

}
