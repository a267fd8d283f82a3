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

import java.util.ArrayDeque;
import java.util.Deque;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Runs what follows from the end of one request after that end, not inside it: the next
 * request of a queue may end at once too, and so may thousands behind it (R13). What one
 * of them throws touches no other.
 */
final class Trampoline {

	private static final Log logger = LogFactory.getLog(Trampoline.class);

	private static final ThreadLocal<@Nullable Deque<Runnable>> PENDING = new ThreadLocal<>();

	private Trampoline() {
	}

	/** Run a task now or, if this thread runs one already, right behind it. */
	static void run(Runnable task) {
		Deque<Runnable> pending = PENDING.get();
		if (pending != null) {
			pending.add(task);
			return;
		}
		pending = new ArrayDeque<>(4);
		PENDING.set(pending);
		try {
			for (Runnable next = task; next != null; next = pending.poll()) {
				runOne(next);
			}
		}
		finally {
			PENDING.remove();
		}
	}

	private static void runOne(Runnable task) {
		try {
			task.run();
		}
		catch (RuntimeException | Error ex) {
			logger.error("A step of the lock engine failed; report it with what follows", ex);
		}
	}

}
