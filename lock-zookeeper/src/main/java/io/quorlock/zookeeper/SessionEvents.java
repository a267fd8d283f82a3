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

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.Stream;

import org.apache.zookeeper.Watcher.Event.EventType;

import io.quorlock.time.LockTimer;

/**
 * What a session goes on with once something has happened: to a node, to its connection,
 * or no more than that a lease has been held for a moment.
 */
final class SessionEvents {

	/** Requests fail with a lost connection before its end is reported. */
	private static final long PAUSE_NANOS = 50_000_000;

	/** A lease is watched when it is at least this old, and less than twice as old. */
	private static final long WATCH_DELAY_NANOS = 10_000_000;

	private final LockTimer timer;

	/**
	 * The client knows one watcher for all of them, so that a claim that gives up leaves
	 * nothing behind in it, and a lost connection is not reported to each of a thousand
	 * waiters. Most nodes have one task.
	 */
	private final Map<String, List<Consumer<EventType>>> byPath = new ConcurrentHashMap<>();

	/** What a lost connection interrupted. */
	private final Queue<Runnable> interrupted = new ConcurrentLinkedQueue<>();

	private final Queue<Runnable> heldLately = new ConcurrentLinkedQueue<>();

	private final AtomicBoolean scheduled = new AtomicBoolean();

	/** Only the timer uses them. */
	private List<Runnable> heldForAMoment = new ArrayList<>();

	SessionEvents(LockTimer timer) {
		this.timer = timer;
	}

	/**
	 * Run a task once something happens to a node. The caller sets the watch itself.
	 * @param path the node
	 * @param task receives what happened; must not block and must not throw
	 * @return takes the task back
	 */
	Runnable onChange(String path, Consumer<EventType> task) {
		this.byPath.compute(path, (key, tasks) -> {
			if (tasks == null) {
				return List.of(task);
			}
			return tasks.contains(task) ? tasks : Stream.concat(tasks.stream(), Stream.of(task)).toList();
		});
		return () -> this.byPath.computeIfPresent(path, (key, tasks) -> {
			List<Consumer<EventType>> others = tasks.stream().filter((each) -> each != task).toList();
			return others.isEmpty() ? null : others;
		});
	}

	void changed(String path, EventType event) {
		List<Consumer<EventType>> tasks = this.byPath.remove(path);
		if (tasks != null) {
			tasks.forEach((task) -> task.accept(event));
		}
	}

	int watched() {
		return this.byPath.size();
	}

	/**
	 * Go on with what a lost connection interrupted, once there is another.
	 * @param task what was interrupted
	 * @param soon whether nothing else will lead to {@link #connected()}; asked behind
	 * the addition, so that a connection that comes back meanwhile is not missed
	 */
	void onConnection(Runnable task, BooleanSupplier soon) {
		this.interrupted.add(task);
		if (soon.getAsBoolean()) {
			this.timer.schedule(PAUSE_NANOS, this::connected);
		}
	}

	void connected() {
		for (Runnable task = this.interrupted.poll(); task != null; task = this.interrupted.poll()) {
			task.run();
		}
	}

	/**
	 * Watch the node of a lease as soon as it has been held for a moment. A watch costs a
	 * request and, with the release, a notification: for a lease that is released at
	 * once, as many packets as the lock itself. What is deleted from outside meanwhile is
	 * found when the watch is set.
	 * @param watch sets it, unless it is not wanted any more
	 */
	void watchLater(Runnable watch) {
		this.heldLately.add(watch);
		scheduleWatches();
	}

	private void setWatches() {
		List<Runnable> due = this.heldForAMoment;
		this.heldForAMoment = new ArrayList<>();
		for (Runnable watch = this.heldLately.poll(); watch != null; watch = this.heldLately.poll()) {
			this.heldForAMoment.add(watch);
		}
		this.scheduled.set(false);
		if (!this.heldForAMoment.isEmpty() || !this.heldLately.isEmpty()) {
			scheduleWatches();
		}
		due.forEach(Runnable::run);
	}

	private void scheduleWatches() {
		if (this.scheduled.compareAndSet(false, true)) {
			this.timer.schedule(WATCH_DELAY_NANOS, this::setWatches);
		}
	}

}
