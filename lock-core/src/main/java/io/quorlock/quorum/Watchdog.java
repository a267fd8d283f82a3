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
import java.util.concurrent.atomic.AtomicLongFieldUpdater;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import java.util.function.LongPredicate;

import org.jspecify.annotations.Nullable;

import io.quorlock.quorum.node.Attempt;
import io.quorlock.quorum.node.CommandHeader;
import io.quorlock.quorum.node.LockTarget;
import io.quorlock.quorum.node.NodeCommand;
import io.quorlock.quorum.node.Ticket;
import io.quorlock.store.Grant;

/**
 * Keeps a lease alive: renews it while it is due (R6), and finds out when its validity
 * ends (R7). The {@linkplain LeaseTerm term} changes under the lock; what it decides is
 * sent outside of it, in order.
 */
abstract class Watchdog extends RenewalSchedule.Entry implements Grant, Renewal.Listener {

	private static final Listener IGNORING = (reason) -> {
	};

	private static final AtomicLongFieldUpdater<Watchdog> OWING = AtomicLongFieldUpdater.newUpdater(Watchdog.class,
			"owing");

	final Quorum quorum;

	final Attempt attempt;

	final LeaseTerm term;

	private final ReentrantLock lock;

	/** Shared after a downgrade. */
	volatile LockTarget target;

	/** Nodes that may hold keys. Guarded by the lock. */
	private long mayHold;

	/** Nodes that confirmed the last time they were asked. */
	private volatile long holders;

	/** Nodes that owe the reply to a renewal. */
	private volatile long owing;

	/** When all nodes were asked last. Guarded by the lock. */
	private long askedAllNanos;

	/** The latest renewal, until one is confirmed. Guarded by the lock. */
	private @Nullable Renewal unconfirmed;

	private volatile Listener listener = IGNORING;

	Watchdog(Quorum quorum, AcquireRound round, boolean renewed) {
		this.quorum = quorum;
		this.target = round.target;
		this.lock = quorum.grantLocks.of(round.target.names());
		this.attempt = round.attempt;
		// It was granted: its votes change no more.
		this.mayHold = round.decision.ballot.touched();
		this.holders = round.decision.ballot.holders();
		this.term = new LeaseTerm(quorum.timing, renewed, round.leaseNanos, round.sentNanos, round.validUntilNanos);
		this.askedAllNanos = round.sentNanos;
	}

	/** Return what the nodes have to store. */
	abstract long @Nullable [] greatestTokens();

	/** It is no longer held. */
	abstract void ended();

	@Override
	public void keep(Listener listener) {
		this.listener = listener;
		if (!change((now) -> this.term.isHeld())) {
			ended();
			if (this.term.isLost()) {
				reportLoss();
			}
		}
	}

	@Override
	public List<String> nodes() {
		return this.quorum.voters.names(this.holders);
	}

	@Override
	public @Nullable String loss() {
		boolean held = this.term.isHeld() && (!this.term.isExpired(this.quorum.clock.nanoTime()) || !loseIfExpired());
		return held ? null : this.term.endReason();
	}

	@Override
	public long validUntilNanos() {
		return this.term.validUntilNanos();
	}

	@Override
	public @Nullable Risk risk() {
		if (!this.term.isAtRisk()) {
			return null;
		}
		Renewal latest;
		String reason;
		long confirmedNanos;
		this.lock.lock();
		try {
			latest = this.unconfirmed;
			reason = this.term.lossReason();
			confirmedNanos = this.term.confirmedNanos();
		}
		finally {
			this.lock.unlock();
		}
		return new Risk(confirmedNanos, this.quorum.voters.names((latest != null) ? latest.confirmed() : 0),
				reason.isEmpty() ? "no quorum has confirmed its renewal yet" : reason);
	}

	/** Whatever another thread did meanwhile, it looks at the risk as it is now. */
	private void notifyOfRisk(boolean before) {
		if (this.term.isAtRisk() != before) {
			this.listener.onRisk();
		}
	}

	/** Change the term, and look at it again when that is due. */
	private boolean change(LongPredicate change) {
		boolean changed;
		this.lock.lock();
		try {
			changed = change.test(this.quorum.clock.nanoTime());
			this.dueNanos = this.term.nextLookNanos();
		}
		finally {
			this.lock.unlock();
		}
		if (changed) {
			this.quorum.renewals.update(this);
		}
		return changed;
	}

	@Override
	boolean isWatched() {
		return this.term.isHeld();
	}

	@Override
	long jointNanos() {
		return this.term.jointNanos();
	}

	@Override
	boolean look(RenewalSchedule.Batch batch) {
		if (loseIfExpired()) {
			return false;
		}
		boolean atRisk = this.term.isAtRisk();
		boolean alone = beginSubmissions();
		boolean joined = false;
		this.lock.lock();
		try {
			long now = this.quorum.clock.nanoTime();
			this.term.takeRisk(now);
			long slots = this.term.takeRenewal(now) ? nodesToAsk(now) : 0;
			Renewal renewal = (slots != 0)
					? renewal(slots, false, this.term.isFenceDue(now), this.term.leaseNanos(), now) : null;
			// R3: nothing of the lease that was decided before may be sent behind it.
			if (renewal != null && alone && renewal.command.isJoinable() && hasNoSubmissions()) {
				batch.add(renewal, slots, this);
				joined = true;
			}
			else if (renewal != null) {
				submit(renewal, slots);
			}
			this.dueNanos = this.term.nextLookNanos();
		}
		finally {
			this.lock.unlock();
			if (!joined && alone) {
				endSubmissions();
			}
			else if (!joined) {
				drainSubmissions();
			}
		}
		notifyOfRisk(atRisk);
		return joined;
	}

	/**
	 * Return all nodes, or for a retry those that owe no reply, unless they are too few.
	 * On the others it would only stand in the queue behind the renewal before (R3),
	 * whose reply counts whenever it comes: retries of many leases would keep a slow node
	 * slow. A reply that is owed for a tenth of the lease is given up.
	 */
	private long nodesToAsk(long now) {
		if (now - this.askedAllNanos >= this.term.leaseNanos() / 10) {
			return this.quorum.voters.all;
		}
		long slots = this.quorum.voters.all & ~this.owing;
		return this.quorum.voters.isMajority(slots) ? slots : 0;
	}

	/** Called under the lock; the submissions have to be drained. */
	private Renewal renew(boolean shorten, long leaseNanos, long now) {
		Renewal renewal = renewal(this.quorum.voters.all, shorten, true, leaseNanos, now);
		submit(renewal, this.quorum.voters.all);
		return renewal;
	}

	private void submit(Renewal renewal, long slots) {
		addSubmission(() -> renewal.start(slots, this.quorum.timer, this.quorum.timing.operationTimeoutNanos));
	}

	/** Called under the lock. */
	private Renewal renewal(long slots, boolean shorten, boolean prolong, long leaseNanos, long now) {
		if (slots == this.quorum.voters.all) {
			this.askedAllNanos = now;
		}
		OWING.getAndUpdate(this, (owing) -> owing | slots);
		this.mayHold |= this.quorum.voters.all;
		NodeCommand.Renew command = new NodeCommand.Renew(new CommandHeader(this.target, this.attempt),
				leaseNanos / 1_000_000, shorten, greatestTokens(), this.quorum.timing.fenceMillis(leaseNanos), prolong,
				permit());
		Renewal renewal = new Renewal(this.quorum.voters, this.quorum.messenger, command, now, this.term.epoch(),
				leaseNanos, this);
		this.unconfirmed = renewal;
		return renewal;
	}

	@Override
	public CompletableFuture<Boolean> extend(Duration lease, int turn) {
		this.quorum.timing.checkLease(lease.toNanos(), String.join(",", names()));
		return renewNow((now) -> {
			if (!this.term.belongsTo(turn)) {
				return null;
			}
			boolean shorter = this.term.change(lease.toNanos(), now);
			return renew(shorter, this.term.leaseNanos(), now);
		});
	}

	/** Every renewal from now on turns the keys, where they are not turned yet (R19). */
	@Override
	public CompletableFuture<Boolean> downgrade(int turn) {
		return renewNow((now) -> {
			if (!this.term.downgrade(turn)) {
				return null;
			}
			this.target = LockTarget.shared(names());
			return renew(false, this.term.leaseToRenewNanos(now), now);
		});
	}

	/** Send a renewal, unless the lease belongs to another holder by now. */
	private CompletableFuture<Boolean> renewNow(LongFunction<@Nullable Renewal> decide) {
		Renewal renewal;
		this.lock.lock();
		try {
			renewal = decide.apply(this.quorum.clock.nanoTime());
			this.dueNanos = this.term.nextLookNanos();
		}
		finally {
			this.lock.unlock();
		}
		if (renewal == null) {
			return CompletableFuture.completedFuture(false);
		}
		this.quorum.renewals.update(this);
		drainSubmissions();
		return renewal.done();
	}

	@Override
	public void stopRenewal(String reason, int turn) {
		change((now) -> this.term.stopRenewal(reason, turn));
	}

	/** What one holder extended or could not renew is not the next one's (R17). */
	@Override
	public boolean passOn() {
		if (!isValid()) {
			return false;
		}
		this.lock.lock();
		try {
			return this.term.passOn(this.quorum.clock.nanoTime());
		}
		finally {
			this.lock.unlock();
		}
	}

	@Override
	public void onReplied(int slot) {
		OWING.getAndUpdate(this, (owing) -> owing & ~Voters.bit(slot));
	}

	@Override
	public boolean onConfirmed(Renewal renewal, long confirmedBy) {
		boolean atRisk = this.term.isAtRisk();
		if (!change((now) -> confirm(renewal, now))) {
			return false;
		}
		this.holders = confirmedBy;
		onRenewed(true);
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
			onRenewed(false);
		}
	}

	private void onRenewed(boolean confirmed) {
		if (this.term.renewed) {
			this.listener.onRenewed(confirmed);
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

	/**
	 * End the lease and decide its release, so that no renewal follows it (R3).
	 * @param ends ends the term, or returns false if it goes on
	 * @param cooldownNanos how long the keys stay, 0 for not at all (R18)
	 * @param ticket that of the next claim of this instance, if it has one (R21)
	 * @param send sends the release when it is its turn
	 * @return the release, or null if the lease goes on or had ended before
	 */
	final @Nullable Release end(LongPredicate ends, long cooldownNanos, @Nullable Ticket ticket,
			Consumer<Release> send) {
		Release release;
		this.lock.lock();
		try {
			long now = this.quorum.clock.nanoTime();
			if (!this.term.isHeld() || !ends.test(now)) {
				return null;
			}
			release = new Release(this.quorum, this.target, this.attempt, this.mayHold,
					(cooldownNanos > 0) ? now + cooldownNanos : 0, ticket, false);
			addSubmission(() -> send.accept(release));
		}
		finally {
			this.lock.unlock();
		}
		ended();
		this.quorum.renewals.update(this);
		drainSubmissions();
		return release;
	}

	private boolean loseIfExpired() {
		if (end(this.term::expire, 0, null, Release::submit) != null) {
			reportLoss();
		}
		return !this.term.isHeld();
	}

	final void reportLoss() {
		this.listener.onLost(this.term.lossReason());
	}

	@Override
	public String toString() {
		return this.target + " by " + this.attempt + " " + this.term;
	}

}
