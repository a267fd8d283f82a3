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

import java.util.concurrent.locks.ReentrantLock;

import org.jspecify.annotations.Nullable;

import io.quorlock.time.LockTimer;

/**
 * How far a request has come, and the timeouts that end it. The state changes under the
 * lock.
 */
final class Progress {

	enum State {

		/** Waits for its turn in the local queues. */
		QUEUED,

		/** Waits for the next question of a request of this process (R4). */
		FOLLOWING,

		/** Asks the store. */
		CONTENDING,

		/** The outcome was reported. */
		DONE

	}

	private final ReentrantLock lock = new ReentrantLock();

	private volatile State state = State.QUEUED;

	private LockTimer.@Nullable Timeout wait;

	/** Ends a request that followed another, and does not wait (R4). */
	private LockTimer.@Nullable Timeout limit;

	State state() {
		return this.state;
	}

	/**
	 * Change the state, unless it is another than expected.
	 * @param change runs under the lock
	 * @return whether it was changed
	 */
	boolean move(State from, State to, Runnable change) {
		this.lock.lock();
		try {
			if (this.state != from) {
				return false;
			}
			this.state = to;
			change.run();
			if (to != from) {
				end(this.wait);
			}
			if (to == State.DONE) {
				end(this.limit);
			}
			return true;
		}
		finally {
			this.lock.unlock();
		}
	}

	boolean move(State from, State to) {
		return move(from, to, () -> {
		});
	}

	/**
	 * The wait ends in the local queues, which a request may enter again. Called under
	 * the lock.
	 */
	void limitWait(LockTimer timer, long nanos, Runnable over) {
		end(this.wait);
		this.wait = timer.schedule(nanos, over);
	}

	/**
	 * A request that does not wait ends, however often it follows. Called under the lock.
	 */
	void limitFollowing(LockTimer timer, long nanos, Runnable over) {
		if (this.limit == null) {
			this.limit = timer.schedule(nanos, over);
		}
	}

	private static void end(LockTimer.@Nullable Timeout timeout) {
		if (timeout != null) {
			timeout.cancel();
		}
	}

	@Override
	public String toString() {
		return this.state.toString();
	}

}
