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

package io.quorlock.leader;

import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

import io.quorlock.LockAtRiskEvent;
import io.quorlock.LockHandle;
import io.quorlock.LockLostException;
import io.quorlock.spi.ReentrantLockHandle;

/**
 * The time during which this instance leads a role.
 */
final class Leadership {

	private final LockHandle handle;

	private final CompletableFuture<@Nullable Void> ended = new CompletableFuture<>();

	/** What the thread of the role has to do next: report a risk, or see the end. */
	private final BlockingQueue<Optional<LockAtRiskEvent>> signals = new LinkedBlockingQueue<>();

	Leadership(LockHandle handle) {
		this.handle = handle;
		handle.onLost((event) -> end());
		handle.onAtRisk((event) -> this.signals.add(Optional.of(event)));
	}

	boolean isHeld() {
		return !this.ended.isDone() && this.handle.isHeld();
	}

	long fencingToken() {
		try {
			return this.handle.fencingToken();
		}
		catch (IllegalStateException ex) {
			return 0; // fencing is switched off
		}
	}

	Optional<LockHandle> enter() {
		if (!isHeld() || !(this.handle instanceof ReentrantLockHandle reentrant)) {
			return Optional.empty();
		}
		try {
			return Optional.of(reentrant.reenter(reentrant.names()));
		}
		catch (LockLostException | IllegalStateException ex) {
			return Optional.empty(); // ended in this very moment
		}
	}

	void end() {
		this.ended.complete(null);
		this.signals.add(Optional.empty());
	}

	/**
	 * Block the calling thread, interrupted or not.
	 * @param atRisk runs on this thread while the leadership is at risk, and when it is
	 * safe again
	 */
	void awaitEnd(Consumer<LockAtRiskEvent> atRisk) {
		while (!this.ended.isDone()) {
			try {
				this.signals.take().filter((event) -> isHeld()).ifPresent(atRisk);
			}
			catch (InterruptedException ex) {
				// An interrupt is no end.
			}
		}
	}

}
