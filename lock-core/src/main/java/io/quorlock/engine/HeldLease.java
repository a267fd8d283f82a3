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
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;

import org.jspecify.annotations.Nullable;

import io.quorlock.LockHandle;
import io.quorlock.LockLostException;
import io.quorlock.LockMode;
import io.quorlock.LockRequest;
import io.quorlock.LogText;
import io.quorlock.store.Grant;
import io.quorlock.time.LockClock;
import io.quorlock.time.LockTimer;

/**
 * A lease that this process holds: its holders, and what happens when it is lost, handed
 * over or released. The store keeps it alive.
 */
final class HeldLease implements LocalQueue.Member, Grant.Listener, RiskReports.Lease {

	/** What leases of one engine share. */
	record Parts(Object engine, EngineSettings settings, LockClock clock, LockTimer timer, LeaseReports reports,
			Callbacks callbacks, Set<HeldLease> leases) {
	}

	/** Decides what follows in this process when a holder leaves a lease, or it ends. */
	interface Successor {

		/** Hand the lease over to the next requests, if it may be (R17). */
		boolean handOver(HeldLease lease);

		/** Keep the lease behind its last holder, if it may be (R24). */
		boolean retain(HeldLease lease, Holder left);

		/**
		 * Release the lease if it is unused; {@code false} if it is used, or has ended.
		 */
		boolean giveUp(HeldLease lease);

		/** Release the lease and let the next request ask. */
		CompletionStage<?> release(HeldLease lease, Duration cooldown);

		/** Let the next request ask, since the lease was lost. */
		void lost(HeldLease lease);

		/** Let readers of this process share the lease (R19). */
		void shared(HeldLease lease);

		/** Let others ask for leases beside this one, which is shared by now. */
		void admitBeside(HeldLease lease);

	}

	private static final AtomicReferenceFieldUpdater<HeldLease, @Nullable RiskReports> RISK = AtomicReferenceFieldUpdater
		.newUpdater(HeldLease.class, RiskReports.class, "risk");

	private static final AtomicReferenceFieldUpdater<HeldLease, @Nullable RequestsToRelease> REQUESTS = AtomicReferenceFieldUpdater
		.newUpdater(HeldLease.class, RequestsToRelease.class, "requests");

	private final Parts parts;

	private final Grant grant;

	private final Successor successor;

	/** What the store was asked for. */
	private final LockRequest request;

	private final LeaseState state = new LeaseState();

	private final LeaseMode mode;

	/** Its present holders. */
	private final AtomicReference<Turn> turn;

	private final TokenRange tokens;

	private final Tenure tenure;

	private volatile @Nullable RiskReports risk;

	private volatile @Nullable RequestsToRelease requests;

	HeldLease(Parts parts, Grant grant, Holder holder, boolean retainable, Successor successor) {
		this.parts = parts;
		this.grant = grant;
		this.mode = new LeaseMode(grant);
		this.turn = new AtomicReference<>(Turn.of(this.mode.get(), holder));
		this.successor = successor;
		this.request = holder.request();
		this.tenure = new Tenure(parts.settings(), parts.clock(), parts.timer(), holder, retainable, grant);
		this.tokens = new TokenRange(grant, retainable);
	}

	/** Watch the lease until it ends. */
	void start() {
		this.parts.leases().add(this);
		this.tenure.held(turn());
		if (this.tenure.isRetainable()) {
			this.grant.onWanted(this::wanted);
		}
		this.grant.keep(this);
	}

	@Override
	public void onRenewed(boolean confirmed) {
		Holder holder = holder();
		this.parts.reports().renewed(holder, confirmed);
		if (this.state.isHeld()) {
			this.tenure.renewed(holder, heldNanos(holder));
		}
	}

	// ---- at risk (R26)

	@Override
	public void onRisk() {
		if (this.risk != null || this.grant.risk() != null) {
			risk().look();
		}
	}

	/** Return the reports of the risk, which few leases ever need. */
	RiskReports risk() {
		RiskReports present = this.risk;
		if (present != null) {
			return present;
		}
		RISK.compareAndSet(this, null,
				new RiskReports(this, this.parts.reports().listeners(), this.parts.callbacks(), this.parts.clock()));
		return Objects.requireNonNull(this.risk);
	}

	void forgetRisk(LockHandle handle) {
		RiskReports reports = this.risk;
		if (reports != null) {
			reports.forget(handle);
		}
	}

	boolean isAtRisk() {
		return isHeld() && this.grant.risk() != null;
	}

	long heldNanos(Holder holder) {
		return this.parts.reports().heldNanos(holder);
	}

	/** Return whether the lease is valid; once it is not, it never is again (R7). */
	@Override
	public boolean isHeld() {
		return this.state.isHeld() && isValid();
	}

	/**
	 * Everything that depends on the validity asks here, and whoever sees its end first
	 * reports the loss: it may be anybody before the timer, and another thread may just
	 * be on its way from the store to {@link #onLost}.
	 */
	private boolean isValid() {
		String loss = this.grant.loss();
		if (loss != null) {
			lose(loss);
		}
		return loss == null;
	}

	/** Return whether it has a holder, so that a refusal because of it is true. */
	boolean isInUse() {
		return isHeld() && !holders().isEmpty();
	}

	/** Return whether it is kept although it is unused (R24). */
	boolean isRetained() {
		return this.state.isRetained() && isValid();
	}

	@Override
	public Duration remaining() {
		long left = (isHeld() || isRetained()) ? this.grant.validUntilNanos() - this.parts.clock().nanoTime() : 0;
		return Duration.ofNanos(Math.max(0, left));
	}

	CompletionStage<Boolean> extend(Holder holder, Duration lease) {
		boolean others = holders().size() > 1;
		Duration least = this.parts.settings().leaseTime();
		// What one reader asks for must not shorten the lease of the others.
		return this.grant.extend((others && lease.compareTo(least) < 0) ? least : lease, holder.generation());
	}

	LockLostException lostException() {
		return this.state.lostException(toString());
	}

	@Override
	public List<String> names() {
		return this.grant.names();
	}

	@Override
	public LockMode mode() {
		return this.mode.get();
	}

	@Override
	public int permits() {
		return this.request.permits();
	}

	TokenRange tokens() {
		return this.tokens;
	}

	Turn turn() {
		return Objects.requireNonNull(this.turn.get());
	}

	@Override
	public Collection<Holder> holders() {
		return turn().holders();
	}

	/** Return the requests to release it, which few leases ever listen to. */
	RequestsToRelease requests() {
		RequestsToRelease present = this.requests;
		if (present != null) {
			return present;
		}
		REQUESTS.compareAndSet(this, null, new RequestsToRelease(this.grant, this::holders, this::wanted));
		return Objects.requireNonNull(this.requests);
	}

	/** Others want the lease, which is given up if it is unused. */
	private void wanted() {
		this.tenure.wanted();
		this.successor.giveUp(this);
	}

	@Override
	public Grant grant() {
		return this.grant;
	}

	/** Return the holder that has held the lease for the longest time. */
	Holder holder() {
		return turn().longest();
	}

	Parts parts() {
		return this.parts;
	}

	LeaseState state() {
		return this.state;
	}

	Tenure tenure() {
		return this.tenure;
	}

	// ---- readers

	/** Return the readers that another may join, or null if it may not (R19). */
	@Nullable Turn sharable() {
		Turn turn = turn();
		return (turn.isShared() && this.request.leaseTime() == null && this.tenure.isYoung()) ? turn : null;
	}

	/** Share the lease with another reader. The queue of the name is locked. */
	boolean join(Turn turn, Holder reader) {
		if (!turn.join(reader)) {
			return false;
		}
		if (this.state.isHeld()) {
			return true;
		}
		turn.forget(reader);
		return false;
	}

	/** Turn the only holder into a reader (R19). */
	CompletionStage<Boolean> downgrade(Holder writer) {
		Turn before = turn();
		CompletionStage<Boolean> turned = this.mode.downgrade(writer);
		if (!before.isShared() && before.first() == writer && mode() == LockMode.SHARED
				&& this.turn.compareAndSet(before, before.downgraded())) {
			this.tenure.begin();
			this.successor.shared(this);
		}
		return turned;
	}

	/** Readers have an exclusive lease only as long as hand-overs may keep others out. */
	private void shareIfNotYoung() {
		Turn readers = turn();
		if (readers.isShared() && mode() == LockMode.EXCLUSIVE && !this.tenure.isYoung() && isHeld()) {
			this.mode.downgrade(readers.generation());
			this.successor.admitBeside(this);
		}
	}

	// ---- the end of a holder

	/** The last handle of the holder was closed: hand the lease over or release it. */
	CompletionStage<?> holderLeft(Holder left) {
		CompletionStage<?> done = CompletableFuture.completedFuture(null);
		if (!isHeld()) {
			turn().leave(left);
			return done;
		}
		if (left.coolsDown()) {
			this.tenure.left(left.cooldown(heldNanos(left)));
		}
		if (turn().leave(left) && !staysHere(left)) {
			if (!end()) {
				this.parts.reports().lost(this.grant, left, List.of(left), this.state.lossReason());
				return done;
			}
			done = this.successor.release(this, this.tenure.cooldown());
		}
		this.parts.reports().released(left);
		return done;
	}

	/** Others of this process get the lease, or may: unless it cools down (R18). */
	private boolean staysHere(Holder left) {
		boolean coolsDown = !this.tenure.cooldown().isZero();
		return !coolsDown && (this.successor.handOver(this) || this.successor.retain(this, left));
	}

	/** End a lease that has no holder any more; {@code false} if it was lost. */
	boolean end() {
		return ended(isHeld() && this.state.release());
	}

	/** End a lease that was kept; {@code false} if it is used again, or was lost. */
	boolean endUnused() {
		return ended(this.state.giveUp());
	}

	/** Others of this process take over (R17). */
	void passTo(Turn next) {
		this.turn.set(next);
		this.state.taken();
		this.tenure.held(next);
		if (next.isShared()) {
			this.tenure.whenOver(this::shareIfNotYoung);
			shareIfNotYoung();
		}
	}

	// ---- the end of the lease

	/**
	 * The engine stops: release the lease, and notify the holders (R14).
	 * @return whether there were holders
	 */
	boolean stop() {
		String reason = "the lock engine of this instance was stopped while it was held";
		if (!isValid() || !this.state.lose(reason)) {
			return false;
		}
		holders().forEach((holder) -> this.tenure.left(holder.cooldown(heldNanos(holder))));
		this.successor.release(this, this.tenure.cooldown());
		ended(true);
		return this.parts.reports().stopped(this.grant, holders(), reason);
	}

	@Override
	public void onLost(String reason) {
		lose(reason);
		this.successor.lost(this);
	}

	private void lose(String reason) {
		if (this.state.lose(reason)) {
			ended(true);
			this.parts.reports().lost(this.grant, holder(), holders(), reason);
		}
	}

	private boolean ended(boolean ended) {
		if (ended) {
			this.tenure.cancel();
			this.parts.leases().remove(this);
		}
		return ended;
	}

	@Override
	public String toString() {
		return LogText.names(names());
	}

}
