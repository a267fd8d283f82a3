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

import java.time.Duration;
import java.util.Objects;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import io.quorlock.LockRequest;
import io.quorlock.store.Grant;
import io.quorlock.time.LockTimer;

/**
 * How long this process may keep a lease from others. One holder may until
 * {@code distributed-lock.max-hold-time}; long before that, it is reported. The lease
 * passes from one request to the next, and readers join it, for
 * {@code distributed-lock.local-handover.max-duration} (R17, R19). If it may be retained,
 * it passes on, and is kept behind its last holder, until others ask for it, or a whole
 * lease has passed since the grant: so those that cannot ask get the lock, too (R24).
 */
final class Tenure {

	private static final Log logger = LogFactory.getLog(Tenure.class);

	/** A lock that is held for so many leases is reported once. */
	private static final int LONG_HOLD_LEASES = 20;

	private final LockEngine engine;

	private final Grant grant;

	private final boolean retainable;

	private final long endNanos;

	/** Takes a lease that was kept, until it holds it. */
	volatile LocalQueue.@Nullable Member taker;

	/** Others want the lease: it is no longer handed over here. */
	volatile boolean wanted;

	private volatile LockTimer.@Nullable Timeout maxHold;

	/** Since when others are kept out by hand-overs and by readers that join. */
	private volatile long sinceNanos;

	private volatile LockTimer.@Nullable Timeout handOverEnd;

	/** Not made for a lease that is not kept while it is unused. */
	private final @Nullable IdleTimer idleTimer;

	/** When the cool-downs of all holders that left are over, unless there was none. */
	private volatile @Nullable Long cooldownEndNanos;

	/**
	 * Create the tenure of a lease.
	 * @param sinceNanos when its first holder got it
	 * @param retainable whether it may be kept while it is unused
	 */
	Tenure(LockEngine engine, Grant grant, long sinceNanos, boolean retainable) {
		this.engine = engine;
		this.grant = grant;
		this.retainable = retainable;
		this.sinceNanos = sinceNanos;
		this.endNanos = sinceNanos + this.engine.settings.leaseTime().toNanos();
		this.idleTimer = retainable ? new IdleTimer(engine.clock, engine.timer) : null;
	}

	/**
	 * Return whether a lease of this process may pass to a request. Only what is kept
	 * alive is handed over or shared: a fixed lease belongs to its holder. A fair lock
	 * goes to the first claim of all instances (R21).
	 */
	static boolean isPassable(LockRequest request) {
		return request.names().size() == 1 && request.leaseTime() == null && request.holdAtLeast().isZero()
				&& !request.isFair();
	}

	/** How long the lease of a request is kept behind its release, zero if it is not. */
	static Duration retainTime(EngineSettings settings, LockRequest request) {
		if (!request.isRetainable()) {
			return Duration.ZERO;
		}
		return (request.retainTime() != null) ? request.retainTime() : settings.retainTime();
	}

	/** Return whether one holder may keep the lease of a request for a limited time. */
	static boolean isLimited(EngineSettings settings, LockRequest request) {
		return !settings.maxHoldTime().isZero() && request.leaseTime() == null;
	}

	/** Others of this process hold the lease from now on. */
	void held(Holder holder) {
		cancel(this.maxHold);
		Duration limit = this.engine.settings.maxHoldTime();
		if (isLimited(this.engine.settings, holder.request)) {
			String reason = "it was held for longer than %s (%s)"
				.formatted(this.engine.settings.nameOf("max-hold-time"), limit);
			// It may be too late to cancel this when the next holder gets the lease.
			this.maxHold = this.engine.timer.schedule(LockEngine.nanos(limit),
					() -> this.grant.stopRenewal(reason, holder.turnNumber));
		}
	}

	/**
	 * The lease was renewed for a holder that has had it for some time.
	 * @return whether that was reported, for it has had it for long
	 */
	static boolean reportLongHold(EngineSettings settings, HeldLease lease, Holder holder) {
		long heldNanos = holder.heldNanos();
		if (heldNanos <= LONG_HOLD_LEASES * settings.leaseTime().toNanos() || holder.releasesOnRequest()) {
			return false;
		}
		Throwable stack = holder.stack;
		logger.warn("Lock '%s' has been held for %d s by a request of thread '%s' and is still renewed. %s".formatted(
				lease, heldNanos / 1_000_000_000, holder.thread,
				(stack != null) ? "It was acquired here:" : "Is its handle closed? Set "
						+ settings.nameOf("leak-detection") + " to record where it was taken"),
				stack);
		return true;
	}

	/** Return whether others were not kept out for longer yet than hand-overs may. */
	boolean isYoung() {
		return !this.wanted && handOverNanos() > 0;
	}

	private long handOverNanos() {
		return this.engine.settings.handoverMaxDuration().toNanos() - (this.engine.clock.nanoTime() - this.sinceNanos);
	}

	/** Return whether the lease may pass to another request of this process. */
	boolean mayPass() {
		return isYoung() || mayBeRetained();
	}

	private boolean mayBeRetained() {
		return this.retainable && !this.wanted && this.endNanos - this.engine.clock.nanoTime() > 0;
	}

	/** The time for hand-overs begins anew. */
	void begin() {
		this.sinceNanos = this.engine.clock.nanoTime();
	}

	/**
	 * Run a task when the time for hand-overs is over. Called by the current holder;
	 * later calls have no effect.
	 */
	void whenOver(Runnable task) {
		if (this.handOverEnd == null) {
			this.handOverEnd = this.engine.timer.schedule(Math.max(0, handOverNanos()), task);
		}
	}

	/** Return how long the lease may be kept behind a holder that left, perhaps zero. */
	Duration behind(Holder left) {
		return mayBeRetained() ? retainTime(this.engine.settings, left.request) : Duration.ZERO;
	}

	/** The lease is unused from now on; after some time it is given up. */
	void idle(Duration time, Runnable giveUp) {
		cancel(this.maxHold);
		long now = this.engine.clock.nanoTime();
		Objects.requireNonNull(this.idleTimer)
			.start(now, now + Math.min(LockEngine.nanos(time), this.endNanos - now), giveUp);
	}

	/** Return whether the lease should have been given up by now. */
	boolean isIdleTimeOver() {
		return Objects.requireNonNull(this.idleTimer).isOver(this.engine.clock.nanoTime());
	}

	/**
	 * A holder leaves, and its cool-down stays: readers may have joined a writer that was
	 * downgraded, and may leave after it (R18).
	 */
	synchronized void coolDown(Duration cooldown) {
		long end = this.engine.clock.nanoTime() + LockEngine.nanos(cooldown);
		Long before = this.cooldownEndNanos;
		this.cooldownEndNanos = (before != null) ? before + Math.max(0, end - before) : Long.valueOf(end);
	}

	/** Return what is left of the cool-downs of all holders that left. */
	Duration cooldown() {
		Long end = this.cooldownEndNanos;
		return (end != null) ? Duration.ofNanos(Math.max(0, end - this.engine.clock.nanoTime())) : Duration.ZERO;
	}

	/** The lease has ended. */
	void end() {
		cancel(this.maxHold);
		cancel(this.handOverEnd);
		if (this.idleTimer != null) {
			this.idleTimer.cancel();
		}
	}

	private static void cancel(LockTimer.@Nullable Timeout timeout) {
		if (timeout != null) {
			timeout.cancel();
		}
	}

}
