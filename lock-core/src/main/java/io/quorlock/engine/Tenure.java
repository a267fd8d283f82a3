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
import java.util.concurrent.atomic.AtomicReference;

import org.jspecify.annotations.Nullable;

import io.quorlock.store.Grant;
import io.quorlock.time.LockClock;
import io.quorlock.time.LockTimer;

/**
 * How long this process may keep a lease from others. One holder may for as long as the
 * {@linkplain HoldLimit limit} says. The lease passes from one request to the next for as
 * long as hand-overs may keep others out (R17). If it may be retained, it passes on, and
 * is kept behind its last holder, until others ask for it, or a whole lease has passed
 * since the grant: so those that cannot ask get the lock, too (R24).
 */
final class Tenure {

	private final EngineSettings settings;

	private final LockClock clock;

	private final HoldLimit holdLimit;

	private final HandOverTime handOverTime;

	private final boolean retainable;

	private final long endNanos;

	private volatile boolean wanted;

	/** Not made for a lease that is not kept while it is unused. */
	private final @Nullable IdleTimer idleTimer;

	/** When the cool-downs of all holders that left are over, unless there was none. */
	private final AtomicReference<@Nullable Long> cooldownEndNanos = new AtomicReference<>();

	/**
	 * Create the tenure of a lease.
	 * @param holder its first holder
	 * @param retainable whether it may be kept while it is unused
	 */
	Tenure(EngineSettings settings, LockClock clock, LockTimer timer, Holder holder, boolean retainable, Grant grant) {
		this.settings = settings;
		this.clock = clock;
		this.holdLimit = new HoldLimit(settings, timer, grant);
		long since = holder.sinceNanos();
		this.handOverTime = new HandOverTime(clock, timer, settings, since);
		this.retainable = retainable;
		this.endNanos = since + settings.leaseTime().toNanos();
		this.idleTimer = this.retainable ? new IdleTimer(clock, timer) : null;
	}

	/** Others want the lease: it is no longer handed over here. */
	void wanted() {
		this.wanted = true;
	}

	/** Return whether others want the lease. */
	boolean isWanted() {
		return this.wanted;
	}

	/** Return whether claims that are refused because of the lease ask for it. */
	boolean isRetainable() {
		return this.retainable;
	}

	/** Others of this process hold the lease from now on. */
	void held(Turn turn) {
		this.holdLimit.start(turn.first());
	}

	/** The lease was renewed for a holder that has had it for some time. */
	void renewed(Holder holder, long heldNanos) {
		this.holdLimit.renewed(holder, heldNanos);
	}

	/** Return whether others were not kept out for longer yet than hand-overs may. */
	boolean isYoung() {
		return !this.wanted && this.handOverTime.isLeft();
	}

	/** Return whether the lease may pass to another request of this process. */
	boolean mayPass() {
		return isYoung() || mayBeRetained();
	}

	private boolean mayBeRetained() {
		return this.retainable && !this.wanted && this.endNanos - this.clock.nanoTime() > 0;
	}

	/** Return how long the lease may be kept behind a holder that left, perhaps zero. */
	Duration behind(Holder left) {
		return mayBeRetained() ? HandOvers.retainTime(this.settings, left.request()) : Duration.ZERO;
	}

	/** The lease is unused from now on; after some time it is given up. */
	void idle(Duration time, Runnable giveUp) {
		this.holdLimit.cancel();
		long now = this.clock.nanoTime();
		Objects.requireNonNull(this.idleTimer).start(now, now + Math.min(Nanos.of(time), this.endNanos - now), giveUp);
	}

	/** Return whether the lease should have been given up by now. */
	boolean isIdleTimeOver() {
		return Objects.requireNonNull(this.idleTimer).isOver(this.clock.nanoTime());
	}

	/**
	 * A holder leaves, and its cool-down stays: readers may have joined a writer that was
	 * downgraded, and may leave after it (R18).
	 */
	void left(Duration cooldown) {
		if (!cooldown.isZero()) {
			long end = this.clock.nanoTime() + Nanos.of(cooldown);
			this.cooldownEndNanos
				.updateAndGet((before) -> (before != null) ? before + Math.max(0, end - before) : Long.valueOf(end));
		}
	}

	/** Return what is left of the cool-downs of all holders that left. */
	Duration cooldown() {
		Long end = this.cooldownEndNanos.get();
		return (end != null) ? Duration.ofNanos(Math.max(0, end - this.clock.nanoTime())) : Duration.ZERO;
	}

	/** The time for hand-overs begins anew. */
	void begin() {
		this.handOverTime.begin();
	}

	/** Run a task when the time for hand-overs is over. */
	void whenOver(Runnable task) {
		this.handOverTime.whenOver(task);
	}

	/** The lease has ended. */
	void cancel() {
		this.holdLimit.cancel();
		this.handOverTime.cancel();
		if (this.idleTimer != null) {
			this.idleTimer.cancel();
		}
	}

}
