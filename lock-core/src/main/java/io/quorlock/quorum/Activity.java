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

package io.quorlock.quorum;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

import org.jspecify.annotations.Nullable;

/**
 * Counts what is under way, so that a store that stops can wait for it (R14).
 */
final class Activity {

	private final AtomicInteger running = new AtomicInteger();

	private final AtomicReference<@Nullable CompletableFuture<@Nullable Void>> idle = new AtomicReference<>();

	void began() {
		this.running.incrementAndGet();
	}

	void ended() {
		if (this.running.decrementAndGet() == 0) {
			CompletableFuture<@Nullable Void> waiting = this.idle.get();
			if (waiting != null) {
				waiting.complete(null);
			}
		}
	}

	/** Complete when nothing is under way; for one caller at a time. */
	CompletableFuture<@Nullable Void> whenIdle() {
		CompletableFuture<@Nullable Void> idle = new CompletableFuture<>();
		this.idle.set(idle);
		if (this.running.get() == 0) {
			idle.complete(null);
		}
		return idle;
	}

}
