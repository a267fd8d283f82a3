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
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

import io.quorlock.LockMode;
import io.quorlock.ReleaseRequest;
import io.quorlock.quorum.node.Attempt;
import io.quorlock.quorum.node.CommandHeader;
import io.quorlock.quorum.node.LockTarget;
import io.quorlock.quorum.node.NodeCommand;
import io.quorlock.quorum.node.Ticket;
import io.quorlock.store.Claim;
import io.quorlock.store.Grant;
import io.quorlock.time.LockClock;

/**
 * A lease that a quorum granted: keys that live for a while on the nodes, and the
 * validity that follows from it. The {@linkplain Watchdog watchdog} renews it (R6), and
 * it is lost when its validity ends (R7).
 */
final class QuorumGrant implements Grant, Watchdog.Lease, Grants.Member {

	private static final Listener IGNORING = (reason) -> {
	};

	private final Releases parts;

	private final LockClock clock;

	private final Claim claim;

	private final Attempt attempt;

	private final GrantTokens tokens;

	private final int permit;

	private final long grantedNanos;

	private final @Nullable Release previous;

	/** The grants that are held, to which this one belongs until it ends. */
	private final Grants grants;

	private final InstanceChannel channel;

	private final LeaseTerm term;

	private final Watchdog watchdog;

	/** Shared after a downgrade. */
	private volatile LockTarget target;

	/** Nodes that may hold keys. Guarded by the watchdog's lock. */
	private long mayHold;

	private volatile @Nullable RequestCallback onReleaseRequested;

	private volatile Runnable onWanted = () -> {
	};

	private volatile Listener listener = IGNORING;

	QuorumGrant(Rounds rounds, Claim claim, LockTarget target, AcquireRound round, @Nullable Release previous,
			Grants grants, InstanceChannel channel) {
		this.parts = rounds.releases();
		this.clock = rounds.clock();
		this.claim = claim;
		this.target = target;
		AcquireDecision decision = round.decision();
		this.attempt = round.command().attempt();
		this.permit = decision.ballot().permit();
		this.tokens = new GrantTokens(rounds, claim, this.permit, round.command().range(), decision.fences());
		this.grantedNanos = round.startNanos();
		this.mayHold = round.touched();
		this.previous = previous;
		this.grants = grants;
		this.channel = channel;
		this.term = new LeaseTerm(rounds.timing(), claim.renewed(), round.leaseNanos(), round.startNanos(),
				round.validUntilNanos());
		this.watchdog = new Watchdog(this.parts, this, this.term, decision.ballot().holders());
	}

	@Override
	public void keep(Listener listener) {
		this.listener = listener;
		this.grants.add(this);
		this.channel.open();
		if (!this.watchdog.start()) {
			this.grants.remove(this);
			if (this.term.isLost()) {
				reportLoss();
			}
		}
	}

	@Override
	public void onReleaseRequested(Consumer<ReleaseRequest> callback) {
		this.onReleaseRequested = new RequestCallback(callback);
	}

	@Override
	public void releaseRequested(String id, Duration deadline) {
		RequestCallback callback = this.onReleaseRequested;
		if (callback != null && this.term.isHeld()) {
			callback.requested(id, new ReleaseRequest(names(), deadline));
		}
	}

	@Override
	public void onWanted(Runnable callback) {
		this.onWanted = callback;
	}

	@Override
	public void wanted() {
		this.onWanted.run();
	}

	@Override
	public List<String> names() {
		return this.claim.names();
	}

	@Override
	public String owner() {
		return this.attempt.token();
	}

	@Override
	public long @Nullable [] tokens() {
		return this.tokens.least();
	}

	@Override
	public int tokenCount() {
		return this.tokens.range();
	}

	@Override
	public CompletableFuture<Boolean> moreTokens(int count) {
		return this.tokens.more(count, new CommandHeader(this.target, this.attempt));
	}

	@Override
	public int permit() {
		return this.permit;
	}

	@Override
	public LockMode mode() {
		return (this.target.kind() == LockTarget.Kind.SHARED) ? LockMode.SHARED : LockMode.EXCLUSIVE;
	}

	@Override
	public @Nullable String loss() {
		boolean held = this.term.isHeld() && (!this.term.isExpired(this.clock.nanoTime()) || !loseIfExpired());
		return held ? null : this.term.endReason();
	}

	@Override
	public long validUntilNanos() {
		return this.term.validUntilNanos();
	}

	@Override
	public List<String> nodes() {
		return this.parts.voters().names(this.watchdog.holders());
	}

	// ---- renewal

	@Override
	public Renewal renewal(boolean shorten, boolean prolong, long leaseNanos, int epoch, long nowNanos,
			Renewal.Listener listener) {
		NodeCommand.Renew command = new NodeCommand.Renew(new CommandHeader(this.target, this.attempt),
				leaseNanos / 1_000_000, shorten, this.tokens.greatest(), this.parts.timing().fenceMillis(leaseNanos),
				prolong, this.permit);
		this.mayHold |= this.parts.voters().all();
		return new Renewal(this.parts.voters(), this.parts.messenger(), command, nowNanos, epoch, leaseNanos, listener);
	}

	@Override
	public void onRenewed(boolean confirmed) {
		if (this.claim.renewed()) {
			this.listener.onRenewed(confirmed);
		}
	}

	@Override
	public void onRisk() {
		this.listener.onRisk();
	}

	@Override
	public @Nullable Risk risk() {
		return this.watchdog.risk();
	}

	@Override
	public CompletableFuture<Boolean> extend(Duration lease, int passes) {
		this.parts.timing().checkLease(lease.toNanos(), String.join(",", names()));
		return this.watchdog.extend(lease, passes);
	}

	@Override
	public void stopRenewal(String reason, int passes) {
		this.watchdog.stopRenewal(reason, passes);
	}

	/** Every renewal from now on turns the keys, where they are not turned yet (R19). */
	@Override
	public CompletableFuture<Boolean> downgrade(int passes) {
		return this.watchdog.downgrade(passes, () -> this.target = LockTarget.shared(this.claim.names()));
	}

	/** What one holder extended or could not renew is not the next one's (R17). */
	@Override
	public boolean passOn() {
		return isValid() && this.watchdog.passOn();
	}

	// ---- the end

	@Override
	public boolean loseIfExpired() {
		boolean lost = this.watchdog.end((now) -> {
			boolean expired = this.term.isExpired(now);
			if (expired) {
				this.term.expire();
			}
			return expired;
		}, () -> ended(0, null)::submit);
		if (lost) {
			reportLoss();
		}
		return !this.term.isHeld();
	}

	@Override
	public Runnable revoke(String reason) {
		AtomicReference<@Nullable Release> made = new AtomicReference<>();
		boolean lost = this.watchdog.end((now) -> {
			this.term.lose(reason);
			return true;
		}, () -> {
			// No renewal is sent again from here on, although the release comes later.
			this.attempt.releasing();
			made.set(ended(0, null));
			return () -> {
			};
		});
		if (lost) {
			reportLoss();
		}
		return () -> {
			Release release = made.get();
			if (release != null) {
				release.submit();
			}
		};
	}

	private void reportLoss() {
		this.listener.onLost(this.term.lossReason());
	}

	/**
	 * End the lease.
	 * @param cooldownNanos how long the keys stay, 0 for not at all (R18)
	 * @param now whether the release is sent at once, or with what follows
	 * @param ticket that of the next claim of this instance, if it has one (R21)
	 * @return the release, or null if the lease had ended before
	 */
	@Nullable Release release(long cooldownNanos, boolean now, @Nullable Ticket ticket) {
		AtomicReference<@Nullable Release> made = new AtomicReference<>();
		AtomicLong until = new AtomicLong();
		Thread caller = Thread.currentThread();
		AtomicBoolean alone = new AtomicBoolean();
		this.watchdog.end((time) -> {
			until.set((cooldownNanos > 0) ? time + cooldownNanos : 0);
			this.term.release();
			return true;
		}, () -> {
			Release release = ended(until.get(), ticket);
			made.set(release);
			return () -> send(release, now, alone.get() || Thread.currentThread() != caller);
		});
		alone.set(true);
		return made.get();
	}

	/**
	 * A release behind a renewal that another thread is sending may come too late for
	 * what follows to flush it.
	 */
	private void send(Release release, boolean now, boolean alone) {
		if (now) {
			release.submit();
			return;
		}
		release.enqueue();
		if (alone) {
			this.parts.messenger().flush();
		}
	}

	private Release ended(long cooldownUntil, @Nullable Ticket ticket) {
		this.grants.remove(this);
		return new Release(this.parts, this.target, this.attempt, this.mayHold, cooldownUntil, ticket, false);
	}

	LockTarget target() {
		return this.target;
	}

	/**
	 * Return whether no other instance waited for the names when they were released
	 * before, and others have not been kept out for longer than hand-overs may (R17).
	 */
	boolean isAlone(long handoverMaxNanos) {
		return this.clock.nanoTime() - this.grantedNanos < handoverMaxNanos && this.previous != null
				&& this.previous.isUnheard();
	}

	@Override
	public String toString() {
		return this.claim + " by " + this.attempt + " " + this.term;
	}

}
