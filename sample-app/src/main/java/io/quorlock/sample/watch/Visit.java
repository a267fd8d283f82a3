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

package io.quorlock.sample.watch;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;

import org.jspecify.annotations.Nullable;

import io.quorlock.LockHandle;

/**
 * One call of a seller, from the request of the lock to its release. Times are of
 * {@link System#nanoTime()}, taken by the calling thread.
 */
public final class Visit {

	private static final AtomicLong COUNTER = new AtomicLong();

	private final long id = COUNTER.incrementAndGet();

	private final String instance;

	private final String sku;

	private final String buyer;

	private final long calledNanos = System.nanoTime();

	private final List<Long> renewals = new CopyOnWriteArrayList<>();

	private volatile @Nullable LockHandle handle;

	private volatile long token;

	private volatile long enteredNanos;

	private volatile long leftNanos;

	private volatile long lostNanos;

	private volatile boolean overlapped;

	private volatile @Nullable Outcome outcome;

	Visit(String instance, String sku, String buyer) {
		this.instance = instance;
		this.sku = sku;
		this.buyer = buyer;
	}

	void enter(@Nullable LockHandle handle) {
		this.handle = handle;
		this.token = (handle != null) ? handle.fencingToken() : 0;
		this.enteredNanos = System.nanoTime();
	}

	void leave() {
		this.leftNanos = System.nanoTime();
	}

	void renewed() {
		this.renewals.add(System.nanoTime());
	}

	synchronized void lost() {
		if (this.lostNanos == 0) {
			this.lostNanos = System.nanoTime();
		}
	}

	void overlapped() {
		this.overlapped = true;
	}

	void end(Outcome outcome) {
		this.outcome = outcome;
	}

	/** Between enter and leave, without being notified of a loss. */
	boolean claims() {
		if (this.enteredNanos == 0 || this.leftNanos != 0) {
			return false;
		}
		LockHandle held = this.handle;
		if (held == null || held.isHeld()) {
			return true;
		}
		lost();
		return false;
	}

	/**
	 * Return the number of this visit.
	 * @return the number
	 */
	public long id() {
		return this.id;
	}

	/**
	 * Return the instance that was called.
	 * @return its name
	 */
	public String instance() {
		return this.instance;
	}

	/**
	 * Return the article.
	 * @return the article
	 */
	public String sku() {
		return this.sku;
	}

	/**
	 * Return the buyer.
	 * @return the buyer
	 */
	public String buyer() {
		return this.buyer;
	}

	/**
	 * Return the fencing token.
	 * @return the token, 0 before the lock is acquired, and without one
	 */
	public long token() {
		return this.token;
	}

	/**
	 * Return when the seller was called.
	 * @return the time
	 */
	public long calledNanos() {
		return this.calledNanos;
	}

	/**
	 * Return when the code under the lock began.
	 * @return the time, 0 if it did not
	 */
	public long enteredNanos() {
		return this.enteredNanos;
	}

	/**
	 * Return when the code under the lock ended.
	 * @return the time, 0 if it did not
	 */
	public long leftNanos() {
		return this.leftNanos;
	}

	/**
	 * Return when the lock was lost.
	 * @return the time, 0 if it was not
	 */
	public long lostNanos() {
		return this.lostNanos;
	}

	/**
	 * Return when the lock was renewed.
	 * @return the times
	 */
	public List<Long> renewals() {
		return this.renewals;
	}

	/**
	 * Return whether another visit was inside at the same time.
	 * @return whether it was so when either entered
	 */
	public boolean isOverlapped() {
		return this.overlapped;
	}

	/**
	 * Return for how long the lock is valid from now on.
	 * @return the time, zero without a lock
	 */
	public Duration remaining() {
		LockHandle held = this.handle;
		return (held != null) ? held.remaining() : Duration.ZERO;
	}

	/**
	 * Return whether a lock protects this visit.
	 * @return {@code false} also before it is acquired
	 */
	public boolean isLocked() {
		return this.handle != null;
	}

	/**
	 * Return how long it took from the call to the code under the lock.
	 * @return the time
	 */
	public Duration waited() {
		return Duration.ofNanos(this.enteredNanos - this.calledNanos);
	}

	/**
	 * Return how it ended.
	 * @return the outcome, {@code null} before
	 */
	public @Nullable Outcome outcome() {
		return this.outcome;
	}

	/**
	 * Ends of a visit.
	 */
	public enum Outcome {

		/** One piece was sold. */
		SOLD,

		/** There was none left. */
		SOLD_OUT,

		/** Another owner held the lock for the whole wait. */
		NOT_ACQUIRED,

		/** No quorum of nodes replied. */
		UNAVAILABLE,

		/** The lock was lost, and the fence refused the write. */
		REFUSED,

		/** The lock was lost. */
		LOST,

		/** Something else went wrong. */
		FAILED

	}

}
