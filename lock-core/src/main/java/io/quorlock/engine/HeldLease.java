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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;

import org.jspecify.annotations.Nullable;

import io.quorlock.LockHandle;
import io.quorlock.LockLostException;
import io.quorlock.LockMode;
import io.quorlock.LockRequest;
import io.quorlock.LogText;
import io.quorlock.ReleaseRequest;
import io.quorlock.store.Grant;

/**
 * A lease that this process holds: its holders, and what happens when it is lost, handed
 * over or released. The store keeps it alive.
 */
final class HeldLease implements LocalQueue.Member, Grant.Listener {

	/** The two ends are final. */
	private enum State {

		/** It has a holder, or is about to have one. */
		HELD,

		/** It is kept, though it is unused (R24). */
		RETAINED,

		RELEASED, LOST

	}

	private static final AtomicReferenceFieldUpdater<HeldLease, State> STATE = AtomicReferenceFieldUpdater
		.newUpdater(HeldLease.class, State.class, "state");

	final LockEngine engine;

	final Grant grant;

	/** Not made before the lease is passed on. */
	private volatile @Nullable TokenRange tokens;

	/** Not made before it is needed: most leases have one holder, which never waits. */
	private volatile @Nullable Tenure tenure;

	private final long sinceNanos;

	/** What the store was asked for. */
	private final LockRequest request;

	/** Whether it may be kept while it is unused (R24). */
	final boolean retainable;

	private volatile State state = State.HELD;

	/** Renewals of a lease are confirmed one after another. */
	private volatile boolean longHoldReported;

	private volatile String lossReason = "";

	/**
	 * How it excludes others on the nodes, where readers may have an exclusive one (R19).
	 * Known under any lock.
	 */
	private volatile LockMode mode;

	/** Its present holders. */
	volatile Turn turn;

	/** Few leases ever need it. */
	private volatile @Nullable RiskReports risk;

	/** Whether requests of others to release the lease are received. */
	private boolean listening;

	HeldLease(LockEngine engine, Grant grant, Holder holder, boolean retainable) {
		this.engine = engine;
		this.grant = grant;
		this.mode = grant.mode();
		this.turn = Turn.of(this.mode, holder);
		this.request = holder.request;
		this.retainable = retainable;
		this.sinceNanos = holder.sinceNanos;
	}

	/** Watch the lease until it ends. */
	void start() {
		if (Tenure.isLimited(this.engine.settings, this.request)) {
			tenure().held(this.turn.first);
		}
		if (this.retainable) {
			this.grant.onWanted(this::wanted);
		}
		this.grant.keep(this);
	}

	@Override
	public void onRenewed(boolean confirmed) {
		Holder holder = holder();
		this.engine.events.renewed(holder.request, confirmed);
		if (this.state == State.HELD && !this.longHoldReported) {
			this.longHoldReported = Tenure.reportLongHold(this.engine.settings, this, holder);
		}
	}

	@Override
	public void onRisk() {
		if (this.risk != null || this.grant.risk() != null) {
			risk().look();
		}
	}

	/** Return the reports of the risk (R26). */
	synchronized RiskReports risk() {
		RiskReports present = this.risk;
		if (present == null) {
			present = new RiskReports(this);
			this.risk = present;
		}
		return present;
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

	/** Return whether it has neither been lost nor released. */
	boolean isKept() {
		State now = this.state;
		return now == State.HELD || now == State.RETAINED;
	}

	/** Return whether the lease is valid; once it is not, it never is again (R7). */
	boolean isHeld() {
		return this.state == State.HELD && isValid();
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
		return this.state == State.RETAINED && isValid();
	}

	Duration remaining() {
		long left = (isHeld() || isRetained()) ? this.grant.validUntilNanos() - this.engine.clock.nanoTime() : 0;
		return Duration.ofNanos(Math.max(0, left));
	}

	CompletionStage<Boolean> extend(Holder holder, Duration lease) {
		boolean others = holders().size() > 1;
		Duration min = this.engine.settings.leaseTime();
		// What one reader asks for must not shorten the lease of the others.
		return this.grant.extend((others && lease.compareTo(min) < 0) ? min : lease, holder.turnNumber);
	}

	/** Return the failure of a call that needs a lease that was lost. */
	LockLostException lostException() {
		return new LockLostException(
				"Lock '" + this + "' was lost: " + this.lossReason + ". Another instance may hold it by now");
	}

	@Override
	public List<String> names() {
		return this.request.names();
	}

	@Override
	public LockMode mode() {
		return this.mode;
	}

	@Override
	public int permits() {
		return this.request.permits();
	}

	/** Return how long this process may keep it. */
	synchronized Tenure tenure() {
		Tenure present = this.tenure;
		if (present == null) {
			present = new Tenure(this.engine, this.grant, this.sinceNanos, this.retainable);
			this.tenure = present;
		}
		return present;
	}

	private void endTenure() {
		Tenure present = this.tenure;
		if (present != null) {
			present.end();
		}
	}

	private void left(Holder holder) {
		Duration cooldown = holder.cooldown();
		if (!cooldown.isZero()) {
			tenure().coolDown(cooldown);
		}
	}

	private Duration cooldown() {
		Tenure present = this.tenure;
		return (present != null) ? present.cooldown() : Duration.ZERO;
	}

	/** Return the tokens of the turns. */
	synchronized TokenRange tokens() {
		TokenRange present = this.tokens;
		if (present == null) {
			present = new TokenRange(this.grant, this.retainable);
			this.tokens = present;
		}
		return present;
	}

	Collection<Holder> holders() {
		return this.turn.holders();
	}

	/** Return the holder that has held the lease for the longest time. */
	Holder holder() {
		return this.turn.longest();
	}

	/**
	 * Listen for requests of others to release the lease (R24). Nothing is received
	 * before a holder wants to know.
	 * @throws UnsupportedOperationException if the store cannot pass requests on, also
	 * when it is called again
	 */
	void listen() {
		if (listening(true)) {
			try {
				this.grant.onReleaseRequested(this::releaseRequested);
			}
			catch (UnsupportedOperationException ex) {
				listening(false);
				throw ex;
			}
		}
	}

	/** Return whether that is another state than before. */
	private synchronized boolean listening(boolean now) {
		boolean before = this.listening;
		this.listening = now;
		return before != now;
	}

	private void releaseRequested(ReleaseRequest wanted) {
		wanted();
		holders().forEach((holder) -> holder.releaseRequested(wanted));
	}

	/** Others want the lease, which is given up if it is unused. */
	private void wanted() {
		tenure().wanted = true;
		this.engine.succession.giveUp(this);
	}

	/** Return the readers that another may join, or null if it may not (R19). */
	@Nullable Turn sharable() {
		Turn present = this.turn;
		return (present.isShared() && this.request.leaseTime() == null && tenure().isYoung()) ? present : null;
	}

	/** Share the lease with another reader. The queue of the name is locked. */
	boolean join(Turn readers, Holder reader) {
		if (!readers.join(reader)) {
			return false;
		}
		if (this.state == State.HELD) {
			return true;
		}
		readers.forget(reader);
		return false;
	}

	/**
	 * Turn the only holder into a reader (R19). Its handles are a reader's before the
	 * nodes are asked, since others may read from then on; they are a writer's again if
	 * the lease is no longer its own.
	 */
	CompletionStage<Boolean> downgrade(Holder writer) {
		Turn before = this.turn;
		writer.downgraded = true;
		CompletionStage<Boolean> turned;
		try {
			turned = downgrade(writer.turnNumber);
		}
		finally {
			writer.downgraded = this.mode == LockMode.SHARED;
		}
		if (before.first == writer && this.mode == LockMode.SHARED && this.turn == before && before.downgrade()) {
			tenure().begin();
			this.engine.succession.shared(this);
		}
		return turned;
	}

	/** Turn the lease into a shared one, unless it was passed on meanwhile. */
	private CompletionStage<Boolean> downgrade(int turnNumber) {
		CompletionStage<Boolean> turned = this.grant.downgrade(turnNumber);
		if (this.grant.mode() == LockMode.SHARED) {
			this.mode = LockMode.SHARED;
		}
		return turned;
	}

	/** Readers have an exclusive lease only as long as hand-overs may keep others out. */
	private void shareIfNotYoung() {
		Turn readers = this.turn;
		if (readers.isShared() && this.mode == LockMode.EXCLUSIVE && !tenure().isYoung() && isHeld()) {
			downgrade(readers.number());
			this.engine.succession.admitBeside(this);
		}
	}

	/** The last handle of the holder was closed: hand the lease over or release it. */
	CompletionStage<?> holderLeft(Holder left) {
		CompletionStage<?> done = CompletableFuture.completedFuture(null);
		if (!isHeld()) {
			this.turn.leave(left);
			// Who reports the loss may not have seen the holder any more.
			if (this.state == State.LOST) {
				this.engine.events.lost(this, List.of(left), left, this.lossReason);
			}
			return done;
		}
		left(left);
		if (this.turn.leave(left) && !staysHere(left)) {
			if (!end(State.HELD)) {
				this.engine.events.lost(this, List.of(left), left, this.lossReason);
				return done;
			}
			done = this.engine.succession.release(this, cooldown());
		}
		this.engine.events.released(left);
		return done;
	}

	/** Others of this process get the lease, or may: unless it cools down (R18). */
	private boolean staysHere(Holder left) {
		boolean coolsDown = !cooldown().isZero();
		return !coolsDown && (this.engine.succession.handOver(this) || this.engine.succession.retain(this, left));
	}

	/** Others of this process take over (R17). */
	void passTo(Turn next) {
		this.turn = next;
		this.longHoldReported = false;
		Tenure tenure = tenure();
		tenure.taker = null;
		tenure.held(next.first);
		if (next.isShared()) {
			tenure.whenOver(this::shareIfNotYoung);
			shareIfNotYoung();
		}
	}

	/** Keep a lease that has no holder any more; {@code false} if it has ended. */
	boolean retain() {
		return STATE.compareAndSet(this, State.HELD, State.RETAINED);
	}

	/** Use it again; {@code false} if it is in use, or has ended. */
	boolean resume() {
		return STATE.compareAndSet(this, State.RETAINED, State.HELD);
	}

	/** Use it again, for a request that is about to hold it (R24). */
	boolean take(LocalQueue.Member next) {
		boolean resumed = resume();
		if (resumed) { // the one before may just be taking its turn
			tenure().taker = next;
		}
		return resumed;
	}

	/** Return the request that is about to hold it, or null. */
	LocalQueue.@Nullable Member taker() {
		Tenure present = this.tenure;
		return (present != null && this.state == State.HELD) ? present.taker : null;
	}

	/** End a lease that has no holder any more; {@code false} if it was lost. */
	boolean end() {
		return isHeld() && end(State.HELD);
	}

	/** End a lease that was kept; {@code false} if it is used again, or was lost. */
	boolean endUnused() {
		return end(State.RETAINED);
	}

	private boolean end(State expected) {
		boolean ended = STATE.compareAndSet(this, expected, State.RELEASED);
		if (ended) {
			endTenure();
		}
		return ended;
	}

	/**
	 * The engine stops: release the lease, and notify the holders (R14).
	 * @return whether there were holders
	 */
	boolean stop() {
		String reason = "the lock engine of this instance was stopped while it was held";
		if (!isValid() || !setLost(reason)) {
			return false;
		}
		holders().forEach(this::left);
		this.engine.succession.release(this, cooldown());
		return this.engine.events.lost(this, holders(), null, reason);
	}

	@Override
	public void onLost(String reason) {
		lose(reason);
		LocalQueues.run(this.engine.queues.leave(this));
	}

	private void lose(String reason) {
		if (setLost(reason)) {
			this.engine.events.lost(this, holders(), holder(), reason);
		}
	}

	/** Return whether it had not ended before. */
	private boolean setLost(String reason) {
		if (this.lossReason.isEmpty()) {
			this.lossReason = reason; // before the state shows the loss
		}
		State before = STATE.getAndUpdate(this,
				(now) -> (now == State.HELD || now == State.RETAINED) ? State.LOST : now);
		boolean lost = before == State.HELD || before == State.RETAINED;
		if (lost) {
			endTenure();
		}
		return lost;
	}

	@Override
	public String toString() {
		return LogText.names(names());
	}

}
