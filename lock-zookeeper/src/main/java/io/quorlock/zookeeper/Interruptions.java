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

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BooleanSupplier;

import io.quorlock.time.LockTimer;

/**
 * What a lost connection interrupted, and goes on once there is another.
 */
final class Interruptions {

	/** Requests fail with a lost connection before its end is reported. */
	private static final long PAUSE_NANOS = 50_000_000;

	private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();

	private final LockTimer timer;

	Interruptions(LockTimer timer) {
		this.timer = timer;
	}

	/**
	 * Go on later.
	 * @param task what was interrupted
	 * @param soon whether nothing else will lead to {@link #resumeAll()}; asked behind
	 * the addition, so that a connection that comes back meanwhile is not missed
	 */
	void add(Runnable task, BooleanSupplier soon) {
		this.tasks.add(task);
		if (soon.getAsBoolean()) {
			this.timer.schedule(PAUSE_NANOS, this::resumeAll);
		}
	}

	void resumeAll() {
		for (Runnable task = this.tasks.poll(); task != null; task = this.tasks.poll()) {
			task.run();
		}
	}

}
