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

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongPredicate;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import io.quorlock.store.Grant;
import io.quorlock.time.LockClock;
import io.quorlock.time.LockTimer;

/**
 * Keeps a lease alive: renews it while it is due (R6), and finds out when its validity
 * ends (R7). The {@linkplain LeaseTerm term} changes under the lock; what it decides is
 * sent outside of it, in order.
 */
final class Watchdog implements Renewal.Listener, RenewalSchedule.Entry {

	/** What a watchdog watches. */
	interface Lease {

		/** Create a renewal that begins now. Called under the lock of the watchdog. */
		Renewal renewal(boolean shorten, boolean prolong, long leaseNanos, int epoch, long nowNanos,
				Renewal.Listener listener);

		/** The outcome of a renewal. */
		void onRenewed(boolean confirmed);

		/** The risk began or ended (R26). */
		void onRisk();

		/** The validity may have ended. Returns whether the lease is over. */
		boolean loseIfExpired();

	}

	private final LockClock clock;

	private final LockTimer timer;

	private final long timeoutNanos;

	private final RenewalSchedule schedule;

	private final Lease lease;

	private final LeaseTerm term;

	private final ReentrantLock lock = new ReentrantLock();

	private final Submissions submissions = new Submissions();

	private final Voters voters;

	/** Nodes that confirmed the last time they were asked. */
	private volatile long holders;

	/** Nodes that owe the reply to a renewal. */
	private final AtomicLong owing = new AtomicLong();

	/** When all nodes were asked last. Guarded by the lock. */
	private long askedAllNanos;

	/** The latest renewal, until one is confirmed. Guarded by the lock. */
	private @Nullable Renewal unconfirmed;

	private volatile long dueNanos;

	/** Belongs to the schedule. */
	private int place = -1;

	Watchdog(Releases parts, Lease lease, LeaseTerm term, long holders) {
		this.clock = parts.clock();
		this.timer = parts.timer();
		this.timeoutNanos = parts.timing().operationTimeoutNanos();
		this.schedule = parts.renewals();
		this.lease = lease;
		this.term = term;
		this.voters = parts.voters();
		this.holders = holders;
		this.askedAllNanos = this.clock.nanoTime();
	}

	/** Begin to watch, if the lease is still held. */
	boolean start() {
		return change((now) -> this.term.isHeld());
	}

	LeaseTerm term() {
		return this.term;
	}

	long holders() {
		return this.holders;
	}

	// ---- renewal

	@Override
	public void look(RenewalSchedule.Batch batch) {
		if (this.lease.loseIfExpired()) {
			return;
		}
		boolean atRisk = this.term.isAtRisk();
		boolean alone = this.submissions.begin();
		boolean joined = false;
		this.lock.lock();
		try {
			long now = this.clock.nanoTime();
			this.term.takeRisk(now);
			long slots = this.term.takeRenewal(now) ? nodesToAsk(now) : 0;
			Renewal renewal = (slots != 0)
					? renewal(slots, false, this.term.isFenceDue(now), this.term.leaseNanos(), now) : null;
			// R3: nothing of the lease that was decided before may be sent behind it.
			if (renewal != null && alone && renewal.command().isJoinable() && this.submissions.isEmpty()) {
				batch.add(renewal, slots, this.submissions);
				joined = true;
			}
			else if (renewal != null) {
				this.submissions.add(() -> renewal.start(slots, this.timer, this.timeoutNanos));
			}
			this.dueNanos = this.term.nextLookNanos();
		}
		finally {
			this.lock.unlock();
			if (!joined && alone) {
				this.submissions.end();
			}
			else if (!joined) {
				this.submissions.drain();
			}
		}
		notifyOfRisk(atRisk);
	}

	@Override
	public boolean isWatched() {
		return this.term.isHeld();
	}

	@Override
	public long dueNanos() {
		return this.dueNanos;
	}

	@Override
	public long jointNanos() {
		return this.term.jointNanos();
	}

	@Override
	public int place() {
		return this.place;
	}

	@Override
	public void place(int place) {
		this.place = place;
	}

	/** Whatever another thread did meanwhile, it looks at the risk as it is now. */
	private void notifyOfRisk(boolean before) {
		if (this.term.isAtRisk() != before) {
			this.lease.onRisk();
		}
	}

	/** Return the risk, or null if there is none. */
	Grant.@Nullable Risk risk() {
		if (!this.term.isAtRisk()) {
			return null;
		}
		this.lock.lock();
		try {
			Renewal latest = this.unconfirmed;
			List<String> nodes = this.voters.names((latest != null) ? latest.confirmed() : 0);
			String reason = this.term.lossReason();
			return new Grant.Risk(this.term.confirmedNanos(), nodes,
					reason.isEmpty() ? "no quorum has confirmed its renewal yet" : reason);
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Return all nodes, or for a retry those that owe no reply, unless they are too few.
	 * On the others it would only stand in the queue behind the renewal before (R3),
	 * whose reply counts whenever it comes: retries of many leases would keep a slow node
	 * slow. A reply that is owed for a tenth of the lease is given up.
	 */
	private long nodesToAsk(long now) {
		if (now - this.askedAllNanos >= this.term.leaseNanos() / 10) {
			return this.voters.all();
		}
		long slots = this.voters.all() & ~this.owing.get();
		return this.voters.isMajority(slots) ? slots : 0;
	}

	/** Called under the lock; the submissions have to be drained. */
	private Renewal renew(boolean shorten, long leaseNanos, long now) {
		long all = this.voters.all();
		Renewal renewal = renewal(all, shorten, true, leaseNanos, now);
		this.submissions.add(() -> renewal.start(all, this.timer, this.timeoutNanos));
		return renewal;
	}

	/** Called under the lock. */
	private Renewal renewal(long slots, boolean shorten, boolean prolong, long leaseNanos, long now) {
		if (slots == this.voters.all()) {
			this.askedAllNanos = now;
		}
		this.owing.getAndUpdate((owing) -> owing | slots);
		Renewal renewal = this.lease.renewal(shorten, prolong, leaseNanos, this.term.epoch(), now, this);
		this.unconfirmed = renewal;
		return renewal;
	}

	/**
	 * Turn the lease into a shared one, and renew it at once.
	 * @param passes whose lease it is
	 * @param turn runs under the lock, if the lease is that holder's
	 */
	CompletableFuture<Boolean> downgrade(int passes, Runnable turn) {
		Renewal renewal;
		this.lock.lock();
		try {
			if (!this.term.downgrade(passes)) {
				return CompletableFuture.completedFuture(false);
			}
			turn.run();
			long now = this.clock.nanoTime();
			renewal = renew(false, this.term.leaseToRenewNanos(now), now);
		}
		finally {
			this.lock.unlock();
		}
		this.submissions.drain();
		return renewal.done();
	}

	CompletableFuture<Boolean> extend(Duration lease, int passes) {
		Renewal renewal;
		this.lock.lock();
		try {
			if (!this.term.belongsTo(passes)) {
				return CompletableFuture.completedFuture(false);
			}
			long now = this.clock.nanoTime();
			boolean shorter = this.term.change(lease.toNanos(), now);
			this.dueNanos = this.term.nextLookNanos();
			renewal = renew(shorter, this.term.leaseNanos(), now);
		}
		finally {
			this.lock.unlock();
		}
		this.schedule.update(this);
		this.submissions.drain();
		return renewal.done();
	}

	void stopRenewal(String reason, int passes) {
		change((now) -> this.term.stopRenewal(reason, passes));
	}

	boolean passOn() {
		this.lock.lock();
		try {
			return this.term.passOn(this.clock.nanoTime());
		}
		finally {
			this.lock.unlock();
		}
	}

	/** Change the term, and look at it again when that is due. */
	private boolean change(LongPredicate change) {
		boolean changed;
		this.lock.lock();
		try {
			changed = change.test(this.clock.nanoTime());
			this.dueNanos = this.term.nextLookNanos();
		}
		finally {
			this.lock.unlock();
		}
		if (changed) {
			this.schedule.update(this);
		}
		return changed;
	}

	@Override
	public void onReplied(int slot) {
		this.owing.getAndUpdate((owing) -> owing & ~Voters.bit(slot));
	}

	@Override
	public boolean onConfirmed(Renewal renewal, long confirmedBy) {
		boolean atRisk = this.term.isAtRisk();
		if (!change((now) -> confirm(renewal, now))) {
			return false;
		}
		this.holders = confirmedBy;
		this.lease.onRenewed(true);
		notifyOfRisk(atRisk);
		return true;
	}

	private boolean confirm(Renewal renewal, long now) {
		boolean confirmed = this.term.confirm(renewal, now);
		if (confirmed && !this.term.isAtRisk()) {
			this.unconfirmed = null;
		}
		return confirmed;
	}

	@Override
	public void onAlsoConfirmed(int slot) {
		this.lock.lock();
		try {
			this.holders = this.holders | Voters.bit(slot);
		}
		finally {
			this.lock.unlock();
		}
	}

	@Override
	public void onFailed(Renewal renewal, String reason) {
		if (change((now) -> this.term.fail(renewal, reason))) {
			this.lease.onRenewed(false);
		}
	}

	/**
	 * A quorum says that another has the lock, so that no retry can save it: its validity
	 * ends here (R7).
	 */
	@Override
	public void onRefused(Renewal renewal) {
		String reason = "a majority of the nodes says that another owner holds it";
		onFailed(renewal, reason);
		change((now) -> this.term.cutShort(reason, now));
	}

	// ---- the end

	/**
	 * End the lease and send its release, so that no renewal follows it (R3).
	 * @param end ends the term, or returns whether it goes on
	 * @param release sends the release; made under the lock
	 * @return whether the lease was held until now
	 */
	boolean end(LongPredicate end, Supplier<Runnable> release) {
		this.lock.lock();
		try {
			if (!this.term.isHeld() || !end.test(this.clock.nanoTime())) {
				return false;
			}
			this.submissions.add(release.get());
		}
		finally {
			this.lock.unlock();
		}
		this.schedule.update(this);
		this.submissions.drain();
		return true;
	}

}
