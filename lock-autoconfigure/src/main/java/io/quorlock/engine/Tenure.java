package io.quorlock.engine;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

import io.quorlock.LockRequest;
import io.quorlock.store.Grant;

/**
 * How long this process may keep a lease from others. One holder may for as long as the
 * {@linkplain HoldLimit limit} says. The lease passes from one request to the next for as
 * long as hand-overs may keep others out (R17). If it may be retained, it passes on, and
 * is kept behind its last holder, until others ask for it, or a whole lease has passed
 * since the grant: so those that cannot ask get the lock, too (R24).
 */
final class Tenure {

	private final EngineSettings settings;

	private final EngineClock clock;

	private final RequestsToRelease requests;

	private final HoldLimit holdLimit;

	private final HandOverTime handOverTime;

	private final boolean retainable;

	private final long endNanos;

	private final IdleTimer idleTimer;

	/** When the cool-downs of all holders that left are over. */
	private final AtomicLong cooldownEndNanos;

	Tenure(EngineSettings settings, EngineClock clock, EngineTimer timer, LockRequest request, Grant grant,
			RequestsToRelease requests) {
		this.settings = settings;
		this.clock = clock;
		this.requests = requests;
		this.holdLimit = new HoldLimit(settings, timer, grant);
		this.handOverTime = new HandOverTime(clock, timer, settings);
		this.retainable = !HandOvers.retainTime(settings, request).isZero();
		this.endNanos = clock.nanoTime() + settings.leaseTime().toNanos();
		this.idleTimer = new IdleTimer(clock, timer);
		this.cooldownEndNanos = new AtomicLong(clock.nanoTime());
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
		return !this.requests.isWanted() && this.handOverTime.isLeft();
	}

	/** Return whether the lease may pass to another request of this process. */
	boolean mayPass() {
		return isYoung() || mayBeRetained();
	}

	private boolean mayBeRetained() {
		return this.retainable && !this.requests.isWanted() && this.endNanos - this.clock.nanoTime() > 0;
	}

	/** Return how long the lease may be kept behind a holder that left, perhaps zero. */
	Duration behind(Holder left) {
		return mayBeRetained() ? HandOvers.retainTime(this.settings, left.request()) : Duration.ZERO;
	}

	/** The lease is unused from now on; after some time it is given up. */
	void idle(Duration time, Runnable giveUp) {
		this.holdLimit.cancel();
		long now = this.clock.nanoTime();
		this.idleTimer.start(now, now + Math.min(Nanos.of(time), this.endNanos - now), giveUp);
	}

	/** Return whether the lease should have been given up by now. */
	boolean isIdleTimeOver() {
		return this.idleTimer.isOver(this.clock.nanoTime());
	}

	/**
	 * A holder leaves, and its cool-down stays: readers may have joined a writer that was
	 * downgraded, and may leave after it (R18).
	 */
	void left(Duration cooldown) {
		if (!cooldown.isZero()) {
			long end = this.clock.nanoTime() + Nanos.of(cooldown);
			this.cooldownEndNanos.accumulateAndGet(end, (before, after) -> before + Math.max(0, after - before));
		}
	}

	/** Return what is left of the cool-downs of all holders that left. */
	Duration cooldown() {
		return Duration.ofNanos(Math.max(0, this.cooldownEndNanos.get() - this.clock.nanoTime()));
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
		this.idleTimer.cancel();
	}

}
