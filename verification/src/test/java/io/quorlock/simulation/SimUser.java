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

package io.quorlock.simulation;

import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;

import org.jspecify.annotations.Nullable;

import io.quorlock.LockException;
import io.quorlock.LockHandle;
import io.quorlock.LockMode;
import io.quorlock.LockNotAcquiredException;
import io.quorlock.LockRequest;
import io.quorlock.LockUnavailableException;
import io.quorlock.engine.SimulationAccess;
import io.quorlock.simulation.Violation.Invariant;

/**
 * A thread of a process that locks, works for a while and unlocks, a few times. After
 * every event of its process it notes what its handle says.
 */
final class SimUser {

	static final int PERMITS = 2;

	private static final Duration CROWD_WAIT = Duration.ofMillis(1_500);

	private final World world;

	private final SimClient client;

	/** One of those that are due together (R28), or none. */
	private final List<String> dueTogether;

	private int requestsLeft;

	private boolean waiting;

	/** What it was given and has not looked at, since its process stands still. */
	private List<String> handedOut = List.of();

	private @Nullable LockHandle handle;

	/** Until when the handle says that it holds, if nothing more is done to it. */
	private long heldUntil;

	private boolean seen;

	private boolean lost;

	private boolean watched;

	/** Whether it may be held for no longer than some time. */
	private boolean limited;

	private long receivedAt;

	private long pausedBefore;

	/** Whether another may have it, too, since it was taken away from one of them. */
	private boolean excused;

	private boolean ticking;

	SimUser(World world, SimClient client, int requests) {
		this.world = world;
		this.client = client;
		this.dueTogether = List.of();
		this.requestsLeft = requests;
	}

	/** One that takes its name at the same instant as others, or one of their names. */
	SimUser(World world, SimClient client, List<String> dueTogether) {
		this.world = world;
		this.client = client;
		this.dueTogether = dueTogether;
		this.requestsLeft = 3;
	}

	void start() {
		long within = (this.dueTogether.size() == 1) ? 5 : this.world.plan.troubleMillis / 4;
		this.client.later(this.world.chance.below(within * Plan.MILLI), this::request);
	}

	/** No handle of an engine that was stopped says that it holds (R14). */
	void engineStopped() {
		this.requestsLeft = 0;
		if (this.handle != null && this.handle.isHeld()) {
			throw new Violation(Invariant.STOPPED_MEANS_OVER, this + " holds after the engine was stopped");
		}
		this.handle = null;
	}

	void checkStopped() {
		// What was granted before may have been handed out since.
		engineStopped();
		if (this.waiting) {
			throw new Violation(Invariant.STOPPED_MEANS_OVER, this + " waits though the engine was stopped");
		}
	}

	boolean isIdle() {
		return !this.waiting && this.handle == null;
	}

	private void request() {
		if (!this.client.isNewInstant()) {
			this.client.later(10, this::request);
		}
		else if (this.requestsLeft > 0 && this.world.isTroubled()) {
			this.requestsLeft--;
			acquire(randomRequest(), false);
		}
	}

	/** Some want two names, and more want one of them, over and over. */
	private LockRequest crowdedRequest() {
		int number = (this.world.plan.kind == Plan.Kind.PLAIN) ? this.client.users.indexOf(this) : 2;
		LockRequest request = (number == 0) ? LockRequest.ofAll("a", "b") : LockRequest.of(World.NAMES.get(number % 2));
		return retained(withKind(request).waitTime(CROWD_WAIT));
	}

	private LockRequest randomRequest() {
		Chance chance = this.world.chance;
		Plan plan = this.world.plan;
		if (plan.crowded) {
			return crowdedRequest();
		}
		if (plan.crowd > 0) {
			return withKind(LockRequest.of(World.NAMES.get(0))).waitTime(Duration.ofSeconds(30));
		}
		LockRequest request;
		if (!this.dueTogether.isEmpty()) {
			String name = this.dueTogether.get((int) chance.below(this.dueTogether.size()));
			return retained(withKind(LockRequest.of(name)).waitTime(Duration.ofMillis(chance.oneOf(0, 500, 5000))));
		}
		if (plan.severalNames && chance.even()) {
			List<String> pair = World.NAMES.subList((int) chance.below(2), 3);
			request = LockRequest.ofAll(pair.toArray(String[]::new));
		}
		else {
			request = LockRequest.of(World.NAMES.get((int) chance.below(plan.names)));
		}
		request = request.waitTime(Duration.ofMillis(chance.oneOf(0, 50, 500, 5000, 5000)));
		request = withKind(request);
		if (plan.fixedLeases && chance.even()) {
			request = request.leaseTime(Duration.ofMillis(plan.leaseMillis / chance.between(1, 5)));
		}
		if (plan.holdAtLeast && request.mode() == LockMode.EXCLUSIVE && chance.even()) {
			request = request.holdAtLeast(Duration.ofMillis(chance.between(1, 2 * plan.leaseMillis)));
		}
		return retained(request);
	}

	private LockRequest retained(LockRequest request) {
		Plan plan = this.world.plan;
		if (!plan.retained || !request.isRetainable() || this.world.chance.onceIn(4)) {
			return request;
		}
		return request.retainTime(Duration.ofMillis(this.world.chance.oneOf(10, plan.leaseMillis / 2, 3_600_000)));
	}

	private LockRequest withKind(LockRequest request) {
		boolean single = request.names().size() == 1;
		return switch (this.world.plan.kind) {
			case PLAIN -> request;
			case SHARED -> writes() ? request : request.shared();
			case PERMITS -> single ? withPermits(request) : request;
			case FAIR -> single ? request.fair() : request;
		};
	}

	private boolean writes() {
		return this.world.plan.singleWriter ? this == this.world.clients.get(0).users.get(0)
				: this.world.chance.onceIn(3);
	}

	private LockRequest withPermits(LockRequest request) {
		LockRequest permit = request.permits(PERMITS);
		return this.world.plan.fairPermits ? permit.fair() : permit;
	}

	/** When all is well again, everybody must get the lock. */
	void requestAtLast() {
		acquire(withKind(LockRequest.of(World.NAMES.get(0))).waitTime(Duration.ofMinutes(1)), true);
	}

	/** Whoever wins holds it until all have their reply. */
	void tick() {
		this.ticking = true;
		acquire(LockRequest.of(World.TICK).waitTime(Duration.ZERO), false);
	}

	private void acquire(LockRequest request, boolean mustSucceed) {
		this.waiting = true;
		this.world.trace("%s asks for %s", this.client, request);
		this.client.requested();
		Wait wait = new Wait(request, this.client.instant(), this.world.now(), this.client.pausedInAll(), mustSucceed);
		boolean ordered = request.isFair() && this.world.plan.crowded && !mustSucceed;
		FairOrder order = this.world.fairOrder;
		FairOrder.Waiter place = ordered ? order.asks(this.client, this.world.now()) : null;
		CompletableFuture<LockHandle> future = this.client.engine.acquireAsync(request, Duration.ZERO);
		future.whenComplete((handle, ex) -> {
			if (place != null) {
				order.ends(place, this.world.now());
			}
			boolean dead = handle != null && !handle.isHeld() && !this.client.isLate();
			if (handle != null) {
				this.handedOut = handle.names();
				this.world.coolsDown(request, this.client.instant());
			}
			this.client.later(0, () -> {
				check(wait, dead);
				if (place != null && handle != null) {
					order.granted(place, this.world.now());
				}
				answered(wait, handle, ex);
			});
		});
		if (!mustSucceed && !this.ticking && this.world.chance.onceIn(20)) {
			this.client.later(this.world.pauseLength(), () -> future.cancel(true));
		}
	}

	private void check(Wait wait, boolean dead) {
		if (dead) {
			throw new Violation(Invariant.HELD_AT_HAND_OUT, this.client + " got a lock that was lost: " + wait.request);
		}
		long waited = this.client.instant() - wait.since - (this.client.pausedInAll() - wait.pausedBefore);
		long waitMillis = Objects.requireNonNull(wait.request.waitTime()).toMillis();
		// R4: without a wait, a divided vote is settled within one timeout more.
		// R24: once more if the lease was merely kept.
		int timeouts = (waitMillis > 0) ? 1 : this.world.plan.retained ? 4 : 2;
		long max = (long) ((waitMillis + timeouts * this.world.plan.operationMillis) * 1.06) + 5;
		if (waited > max * Plan.MILLI) {
			throw new Violation(Invariant.WAIT_BOUNDED,
					"%s waited %d ms, %s".formatted(this.client, waited / Plan.MILLI, wait.request));
		}
	}

	private void answered(Wait wait, @Nullable LockHandle handle, @Nullable Throwable failure) {
		this.waiting = false;
		checkAttempts(wait);
		if (handle != null) {
			received(wait.request, handle);
		}
		else if (wait.mustSucceed && this.world.plan.rare.maxAttempts < Integer.MAX_VALUE
				&& failure instanceof LockException) {
			this.waiting = true;
			this.client.later(50 * Plan.MILLI, () -> acquire(wait.request, true));
		}
		else if (wait.mustSucceed) {
			throw new Violation(Invariant.WAITERS_SERVED, this.client + " was not served: " + failure);
		}
		else {
			checkRefusal(wait, failure);
			this.world.trace("%s got none: %s", this.client, String.valueOf(failure));
			later(this::request);
		}
	}

	private void checkRefusal(Wait wait, @Nullable Throwable failure) {
		if (failure instanceof LockUnavailableException && this.world.plan.crowd > 0 && this.world.plan.isCalm()
				&& this.world.plan.endings == 0) {
			throw new Violation(Invariant.NOBODY_STARVES, this.client + " failed: " + failure);
		}
		if (!(failure instanceof LockNotAcquiredException refusal)) {
			if (this.world.plan.crowded && !this.ticking && !(failure instanceof CancellationException)) {
				throw new Violation(Invariant.NOBODY_STARVES, this.client + " failed: " + failure);
			}
			return;
		}
		if (this.world.plan.rare.obscuresHolders() || this.world.plan.pair) {
			return;
		}
		if (this.world.plan.kind == Plan.Kind.PLAIN && refusal.getAttempts() > 0) {
			checkTruth(wait, refusal);
		}
		else if (this.world.plan.kind == Plan.Kind.PLAIN) {
			// By then another user of this process has been handed what it was granted.
			this.client.later(2 * Plan.MILLI, () -> checkTruth(wait, refusal));
		}
		if (this.world.plan.crowded && Objects.requireNonNull(wait.request.waitTime()).compareTo(CROWD_WAIT) >= 0) {
			throw new Violation(Invariant.NOBODY_STARVES, this.client + " was not served: " + refusal.getMessage());
		}
	}

	/**
	 * A divided vote is settled by as many attempts as that takes (R4): they begin within
	 * one operation timeout, take another at most, and do not count.
	 */
	private void checkAttempts(Wait wait) {
		boolean paused = this.client.pausedInAll() > wait.pausedBefore || this.client.isLate();
		if (this.client.users.size() > 1 || paused) {
			return;
		}
		long settling = (long) (2 * this.world.plan.operationMillis * 1.06 + 5) * Plan.MILLI;
		long attempts = this.client.attempts(wait.asked, this.world.now() - settling);
		if (attempts > this.world.plan.rare.maxAttempts) {
			throw new Violation(Invariant.ATTEMPTS_LIMITED, this.client + " made " + attempts + " attempts");
		}
	}

	private void checkTruth(Wait wait, LockNotAcquiredException refusal) {
		List<String> names = wait.request.names();
		// It never asked: another of this process stood in front of it all the time.
		boolean behindOthers = refusal.getAttempts() == 0
				&& !Duration.ZERO.equals(Objects.requireNonNull(wait.request.waitTime()));
		if (String.valueOf(refusal.getMessage()).contains(" has waited for it for longer")) {
			return; // R21: an older ticket is a reason, whether or not the name is free
		}
		boolean handedOut = this.client.users.stream().anyMatch((user) -> !Collections.disjoint(user.handedOut, names));
		int majority = this.world.plan.nodes / 2 + 1;
		if (!behindOthers && !handedOut && !this.world.occupancy.wasTaken(names, wait.asked, majority)) {
			throw new Violation(Invariant.REFUSED_TRUTHFULLY, "nobody had " + names + ": " + refusal.getMessage());
		}
	}

	private void received(LockRequest request, LockHandle handle) {
		this.handedOut = List.of();
		this.world.occupancy.held(handle.names(), this.world.now());
		if (this.ticking) {
			this.world.wonTick();
		}
		this.handle = handle;
		this.excused = this.world.operator.mayBeHeldTwice(handle.names());
		this.heldUntil = Long.MIN_VALUE;
		this.seen = false;
		this.lost = false;
		this.watched = request.leaseTime() == null && this.world.plan.rare.maxHoldMillis == 0;
		this.limited = request.leaseTime() == null && this.world.plan.rare.maxHoldMillis > 0;
		this.receivedAt = this.client.look();
		this.pausedBefore = this.client.pausedInAll();
		this.world.operator.listen(this, this.client, handle);
		if (handle.isHeld()) {
			this.world.checkTokens(this, handle);
		}
		long hold = holdMillis(this.world.chance, this.world.plan) * Plan.MILLI;
		long held = this.ticking ? 900 * Plan.MILLI : 1 + this.world.chance.below(hold);
		this.client.later(held, this::release);
		if (this.world.plan.kind == Plan.Kind.SHARED && handle.mode() == LockMode.EXCLUSIVE
				&& this.world.chance.even()) {
			this.client.later(this.world.chance.below(hold), () -> downgrade(handle));
		}
		if (this.world.plan.extensions && this.world.chance.even()) {
			long when = this.world.chance.below(hold);
			this.client.later(when, () -> extend(handle));
			// A second one, while the first is under way.
			this.client.later(when + this.world.chance.below(2 * Plan.MILLI), () -> extend(handle));
		}
	}

	private long holdMillis(Chance chance, Plan plan) {
		if (this.dueTogether.size() == 1 && this.world.isTroubled()) {
			return 3 * plan.leaseMillis;
		}
		if (plan.crowded && (plan.singleWriter || plan.fairPermits || plan.kind == Plan.Kind.FAIR)) {
			return chance.oneOf(20, 80);
		}
		if (plan.crowd > 0) {
			return 2;
		}
		if (plan.rare.maxHoldMillis > 0 && this.world.isTroubled() && chance.onceIn(3)) {
			return plan.rare.longestHoldMillis(plan.leaseMillis);
		}
		if (plan.brisk || !this.world.isTroubled()) {
			return chance.oneOf(1, 20);
		}
		long lease = plan.leaseMillis;
		return plan.longHolds ? 2 * lease : chance.oneOf(1, 20, 20, lease / 2, 2 * lease);
	}

	private void extend(LockHandle handle) {
		if (this.handle == handle && handle.isHeld()) {
			long lease = this.world.plan.leaseMillis;
			Duration extension = Duration.ofMillis(this.world.chance.between(lease / 10, lease + 1));
			this.world.trace("%s extends %s by %s", this.client, handle, extension);
			SimulationAccess.extend(handle, extension);
		}
	}

	private void downgrade(LockHandle handle) {
		if (this.handle == handle && handle.isHeld()) {
			this.world.trace("%s downgrades %s", this.client, handle);
			SimulationAccess.downgrade(handle);
		}
	}

	void releaseIfIts(LockHandle asked) {
		if (this.handle == asked) {
			release();
		}
	}

	private void release() {
		LockHandle handle = this.handle;
		this.handle = null;
		if (handle != null) {
			this.world.trace("%s closes %s", this.client, handle);
			if (handle.isHeld()) {
				this.world.occupancy.held(handle.names(), this.world.now());
			}
			handle.closeAsync();
			later(this::request);
		}
	}

	private void later(Runnable task) {
		if (this.world.plan.crowded || this.world.plan.crowd > 0) {
			this.client.later(this.world.chance.below(2 * Plan.MILLI), task);
			return;
		}
		long max = this.world.plan.brisk ? 20 : this.world.plan.leaseMillis / 2;
		long pause = this.world.chance.oneOf(0, 5, 100, max) * Plan.MILLI;
		this.client.later(this.world.chance.below(pause + 1), task);
	}

	/** The first thing that runs after a pause: nothing has told the handle yet (R7). */
	void lookAfterPause() {
		if (this.handle != null && this.heldUntil <= this.client.look() && this.handle.isHeld()) {
			throw new Violation(Invariant.LOST_STAYS_LOST,
					this.handle + " says that it is held after a pause beyond its validity");
		}
	}

	void look() {
		LockHandle handle = this.handle;
		if (handle == null) {
			return;
		}
		if (!handle.isHeld()) {
			if (!this.lost && this.watched && this.world.plan.isCalm()) {
				throw new Violation(Invariant.KEPT_WHILE_HEALTHY, this.client + " lost " + handle.name());
			}
			if (!this.lost) {
				this.world.countLoss();
			}
			this.lost = true;
			this.heldUntil = Long.MIN_VALUE;
			return;
		}
		long now = this.client.look();
		this.world.occupancy.held(handle.names(), this.world.now());
		if (this.lost || (this.heldUntil <= now && this.seen)) {
			throw new Violation(Invariant.LOST_STAYS_LOST, handle + " of " + this.client + " was lost before");
		}
		checkLimit(handle, now);
		this.seen = true;
		long until = now + handle.remaining().toNanos();
		if (until > this.heldUntil) {
			this.heldUntil = until;
			this.world.checkExclusion(this);
		}
		this.heldUntil = until;
	}

	/** It is renewed no longer than the limit, and then its lease ends. */
	private void checkLimit(LockHandle handle, long now) {
		long limit = this.world.plan.rare.maxHoldMillis + this.world.plan.leaseMillis;
		long max = (long) (limit * (1 + Plan.DRIFT) + 50) * Plan.MILLI
				+ 2 * (this.client.pausedInAll() - this.pausedBefore);
		// Whoever extends or downgrades a lock gets another lease for it.
		boolean prolonged = this.world.plan.extensions || this.world.plan.kind == Plan.Kind.SHARED;
		if (this.limited && !prolonged && now - this.receivedAt > max) {
			throw new Violation(Invariant.HOLD_LIMITED, handle + " of " + this.client + " is held for too long");
		}
	}

	/** Its lock is taken away, which it may find out late. */
	void excuse(String name) {
		LockHandle handle = this.handle;
		this.excused |= handle != null && handle.names().contains(name);
	}

	List<String> names() {
		LockHandle handle = this.handle;
		return (handle != null) ? handle.names() : List.of();
	}

	SimClient client() {
		return this.client;
	}

	boolean holds(String name) {
		LockHandle handle = this.handle;
		return handle != null && handle.names().contains(name) && handle.isHeld();
	}

	boolean excludes(SimUser other) {
		LockHandle mine = this.handle;
		LockHandle theirs = other.handle;
		return mine != null && theirs != null && !this.excused && !other.excused
				&& other.heldUntil > other.client.look() && mine.names().stream().anyMatch(theirs.names()::contains)
				// Permits are numbered: the same one has one owner (R20).
				&& mine.permit() == theirs.permit()
				&& !(mine.mode() == LockMode.SHARED && theirs.mode() == LockMode.SHARED);
	}

	@Override
	public String toString() {
		return this.client + " with " + this.handle;
	}

	private record Wait(LockRequest request, long since, long asked, long pausedBefore, boolean mustSucceed) {
	}

}
