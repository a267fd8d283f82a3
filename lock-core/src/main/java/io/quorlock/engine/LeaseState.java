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

import java.util.concurrent.atomic.AtomicReference;

import org.jspecify.annotations.Nullable;

import io.quorlock.LockLostException;

/**
 * Whether this process has a lease, and uses it. The two ends are final.
 */
final class LeaseState {

	private enum State {

		/** It has a holder, or is about to have one. */
		HELD,

		/** It is kept, though it is unused (R24). */
		RETAINED,

		RELEASED, LOST

	}

	private final AtomicReference<State> state = new AtomicReference<>(State.HELD);

	/** Takes a lease that was kept, until it holds it. */
	private volatile LocalQueue.@Nullable Member taker;

	private volatile String lossReason = "";

	boolean isHeld() {
		return this.state.get() == State.HELD;
	}

	boolean isRetained() {
		return this.state.get() == State.RETAINED;
	}

	/** Keep a lease that has no holder any more; {@code false} if it has ended. */
	boolean retain() {
		return this.state.compareAndSet(State.HELD, State.RETAINED);
	}

	/** Use it again; {@code false} if it is in use, or has ended. */
	boolean resume() {
		return this.state.compareAndSet(State.RETAINED, State.HELD);
	}

	/** Use it again, for a request that is about to hold it (R24). */
	boolean take(LocalQueue.Member taker) {
		boolean resumed = resume();
		if (resumed) { // the one before may just be taking its turn
			this.taker = taker;
		}
		return resumed;
	}

	/** The request that took it holds it now. */
	void taken() {
		this.taker = null;
	}

	/** Return the request that is about to hold it, or null. */
	LocalQueue.@Nullable Member taker() {
		return isHeld() ? this.taker : null;
	}

	/** End a lease that is unused; {@code false} if it is in use, or has ended. */
	boolean giveUp() {
		return this.state.compareAndSet(State.RETAINED, State.RELEASED);
	}

	/** End a lease that was in use until now; {@code false} if it has ended. */
	boolean release() {
		return this.state.compareAndSet(State.HELD, State.RELEASED);
	}

	/** Lose the lease; {@code false} if it had ended before. */
	boolean lose(String reason) {
		if (this.lossReason.isEmpty()) {
			this.lossReason = reason; // before the state shows the loss
		}
		State before = this.state.getAndUpdate((now) -> isOver(now) ? now : State.LOST);
		return !isOver(before);
	}

	String lossReason() {
		return this.lossReason;
	}

	private static boolean isOver(State state) {
		return state == State.RELEASED || state == State.LOST;
	}

	/** Return the failure of a call that needs a lease that was lost. */
	LockLostException lostException(String name) {
		return new LockLostException(
				"Lock '" + name + "' was lost: " + this.lossReason + ". Another instance may hold it by now");
	}

	@Override
	public String toString() {
		return this.state.toString();
	}

}
