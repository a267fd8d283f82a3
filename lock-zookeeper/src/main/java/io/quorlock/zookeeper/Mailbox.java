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
import java.util.concurrent.atomic.AtomicInteger;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Runs tasks one at a time in the order in which they arrive, on the threads that bring
 * them. What a task adds runs after it, so that nothing recurses and no lock is held
 * while others are called.
 */
final class Mailbox {

	private static final Log logger = LogFactory.getLog(Mailbox.class);

	private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();

	private final AtomicInteger pending = new AtomicInteger();

	void execute(Runnable task) {
		this.tasks.add(task);
		if (this.pending.getAndIncrement() > 0) {
			return;
		}
		do {
			Runnable next = this.tasks.poll();
			if (next != null) {
				run(next);
			}
		}
		while (this.pending.decrementAndGet() > 0);
	}

	/** One that fails must not keep the others from running. */
	private static void run(Runnable task) {
		try {
			task.run();
		}
		catch (RuntimeException | Error ex) {
			logger.error("A task of the lock engine failed; report it with what follows", ex);
		}
	}

}
