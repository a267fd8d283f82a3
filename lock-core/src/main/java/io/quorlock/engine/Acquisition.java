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

import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;

import org.jspecify.annotations.Nullable;

import io.quorlock.LockException;
import io.quorlock.LockMode;
import io.quorlock.engine.Progress.State;
import io.quorlock.store.Claim;
import io.quorlock.store.ClaimFailure;
import io.quorlock.store.Contender;
import io.quorlock.store.Grant;
import io.quorlock.store.LeaseStore;
import io.quorlock.store.StoreStatus;
import io.quorlock.time.LockTimer;

/**
 * One request on its way to a lock: it waits for its turn in the local queues (R13), then
 * asks the store. It blocks no thread; its outcome is reported once. The state changes
 * under the lock, everything else happens outside of it.
 */
final class Acquisition implements LocalQueue.Waiter, Contender.Listener {

	/** Is notified of the outcome once, on whatever thread found out. */
	interface Outcome {

		void granted(Handle handle, Acquisition acquisition);

		void failed(LockException failure, Acquisition acquisition);

	}

	/** Gives leases of this process to requests that may have them. */
	interface Leases extends HeldLease.Successor {

		/**
		 * Take a lease that is unused (R24), or share that of other readers (R19). The
		 * queue of the name is locked.
		 * @return what hands it to the request, or null if the request may not have it
		 */
		@Nullable Runnable join(HeldLease lease, Acquisition acquisition);

		/** Hand an unused lease to the requests that wait for it, or release it. */
		void offer(HeldLease lease);

	}

	/** What requests of one engine share. */
	record Parts(LeaseStore store, LocalQueues<Acquisition> queues, EngineSettings settings, LockTimer timer,
			HeldLease.Parts leases, Leases successor, BooleanSupplier running, Set<Acquisition> active,
			PendingRequest.Parts requests) {
	}

	private final Parts parts;

	private final PendingRequest request;

	private final boolean nested;

	private final Outcome outcome;

	private final Followers<Acquisition> followers = new Followers<>();

	private final Progress progress = new Progress();

	/** Hands it the lease that it joined. */
	private volatile @Nullable Runnable joined;

	/** The request that this one follows. */
	private volatile @Nullable Acquisition head;

	Acquisition(Parts parts, Holder.Caller caller, Claim claim, boolean nested, Outcome outcome) {
		this.parts = parts;
		this.request = new PendingRequest(parts.requests(), caller, claim);
		this.nested = nested;
		this.outcome = outcome;
	}

	PendingRequest request() {
		return this.request;
	}

	@Override
	public List<String> names() {
		return this.request.claim().names();
	}

	@Override
	public LockMode mode() {
		return this.request.claim().mode();
	}

	@Override
	public int permits() {
		return this.request.claim().permits();
	}

	@Override
	public boolean isSharable() {
		return mode() == LockMode.SHARED && HandOvers.suits(this.request.caller().request())
				&& this.parts.settings().handoverMax() > 0;
	}

	@Override
	public boolean isNested() {
		return this.nested;
	}

	/**
	 * Enter the queues.
	 * @param again whether the caller waits already: what refuses the request ends its
	 * wait then, and is thrown otherwise
	 */
	void start(boolean again) {
		this.parts.active().add(this);
		if (this.progress.state() == State.DONE) {
			this.parts.active().remove(this); // cancelled before it could be found there
			return;
		}
		if (!this.parts.running().getAsBoolean()) {
			cancel(this.request.failures().stopped()); // the stop did not find it there
			return;
		}
		if (again) {
			enterLater();
			return;
		}
		try {
			enter();
		}
		catch (IllegalArgumentException ex) {
			this.parts.active().remove(this);
			this.request.caller().observed().failed(this.request.failures().refused(ex), 0);
			throw ex;
		}
	}

	private void enterLater() {
		try {
			enter();
		}
		catch (IllegalArgumentException ex) {
			cancel(this.request.failures().refused(ex));
		}
	}

	// ---- the local queues

	/** Occupy the queues, or take a place in them. */
	private void enter() {
		LocalQueue.Member blocking = this.parts.queues().enter(this, !this.request.claim().isImmediate(), this::join);
		Runnable joined = this.joined;
		this.joined = null;
		if (joined != null) {
			joined.run();
		}
		else if (blocking == null) {
			onTurn();
		}
		else if (this.request.claim().isImmediate()) {
			enterAtOnce(blocking);
		}
		else {
			waitInQueue();
		}
	}

	private boolean join(LocalQueue.Member occupant) {
		this.joined = (occupant instanceof HeldLease lease) ? this.parts.successor().join(lease, this) : null;
		return this.joined != null;
	}

	/** Leave the queues. */
	private void leave() {
		LocalQueues.run(this.parts.queues().leave(this));
	}

	/** The request does not wait. */
	private void enterAtOnce(LocalQueue.Member blocking) {
		if (blocking instanceof HeldLease lease && this.parts.successor().giveUp(lease)) {
			enter(); // the lease, which does not suit, was unused
		}
		else if (blocking instanceof HeldLease lease && lease.isInUse()) {
			fail(this.request.heldHere(lease), State.QUEUED);
		}
		else if (mode() == LockMode.SHARED && blocking instanceof Acquisition writer
				&& writer.progress.state() == State.QUEUED) {
			fail(this.request.behindOthers(), State.QUEUED);
		}
		else if (asking(blocking) instanceof Acquisition head && head.request.wantsTheSame(this.request)) {
			follow(head);
		}
		else {
			contend(); // beside the others, without a place
		}
	}

	/** Return the request that will have what is in the way, if any gets it (R4). */
	private static LocalQueue.@Nullable Member asking(LocalQueue.@Nullable Member blocking) {
		return (blocking instanceof HeldLease lease) ? lease.state().taker() : blocking;
	}

	private void waitInQueue() {
		boolean waits = this.progress.move(State.QUEUED, State.QUEUED, () -> this.progress.limitWait(this.parts.timer(),
				this.request.claim().remainingNanos(this.request.now()), () -> fail(whyQueued(), State.QUEUED)));
		if (waits) { // otherwise its turn has come already
			this.request.reportWaiting();
		}
		else if (this.progress.state() == State.DONE && this.request.contender() == null) {
			leave(); // it was cancelled before it was in the queues
		}
		for (LocalQueue.Member occupant : this.parts.queues().occupants(this)) {
			if (occupant instanceof HeldLease lease) {
				this.parts.successor().offer(lease); // perhaps it is unused by now
			}
		}
	}

	/** Why a request that waited in the local queues was not served. */
	private LockException whyQueued() {
		LocalQueue.Member blocking = this.parts.queues().inFrontOf(this);
		if (blocking instanceof HeldLease lease && lease.isHeld()) {
			return this.request.heldHere(lease);
		}
		if (blocking instanceof Acquisition front) {
			ClaimFailure last = front.request.lastFailure();
			if (last != null) {
				return this.request.failures().of(last);
			}
			StoreStatus status = this.parts.store().status(names());
			if (!status.available()) {
				return this.request.failures().unavailable(status.description());
			}
		}
		return this.request.behindOthers();
	}

	@Override
	public void onTurn() {
		if (!contend()) {
			leave(); // it was cancelled as its turn came
			dismiss(null);
		}
	}

	/**
	 * Take a lease that another request got.
	 * @return false if the outcome is known already
	 */
	boolean take(Handle handle) {
		boolean taken = finish(State.QUEUED);
		if (taken) {
			granted(handle);
		}
		return taken;
	}

	/** R19: it was taken out of the queue, to share a lease. */
	void shareOrEnter(HeldLease lease) {
		Runnable joined = this.parts.successor().join(lease, this);
		if (joined != null) {
			joined.run();
		}
		else {
			enterLater();
		}
	}

	// ---- sharing a question with a request in front (R4)

	private void follow(Acquisition head) {
		boolean follows = this.progress.move(State.QUEUED, State.FOLLOWING, () -> {
			this.head = head;
			long left = this.parts.settings().immediateLimit().toNanos() - this.request.waitedNanos();
			this.progress.limitFollowing(this.parts.timer(), left, () -> cancel(this.request.failures()
				.unavailable("its outcome was not known in time, since another thread of this instance asked before")));
		});
		if (follows && !head.lead(this)) {
			Trampoline.run(() -> onHeadEnded(null));
		}
	}

	private boolean lead(Acquisition follower) {
		if (!this.followers.add(follower)) {
			return false;
		}
		Contender contender = this.request.contender();
		if (contender != null) {
			contender.askFor(follower::onHeadFailed);
		}
		return true;
	}

	private void onHeadFailed(ClaimFailure failure) {
		fail(this.request.failures().of(failure), State.FOLLOWING);
	}

	/**
	 * Followers are refused if the lease has an exclusive holder, or ask by themselves:
	 * of permits there may be another.
	 */
	void dismiss(@Nullable HeldLease held) {
		boolean alone = held != null && held.mode() == LockMode.EXCLUSIVE && held.permits() == 0;
		HeldLease refusing = alone ? held : null;
		for (Acquisition follower : this.followers.close()) {
			Trampoline.run(() -> follower.onHeadEnded(refusing));
		}
	}

	/** The lease that it was about to hold was lost: all ask again, this one first. */
	void enterAgain() {
		enterLater();
		this.followers.removeAll().forEach((follower) -> Trampoline.run(() -> follower.onHeadEnded(null)));
	}

	private void onHeadEnded(@Nullable HeldLease refusing) {
		if (refusing != null) {
			fail(this.request.heldHere(refusing), State.FOLLOWING);
		}
		else if (this.progress.move(State.FOLLOWING, State.QUEUED)) {
			enterLater();
		}
	}

	// ---- asking the store

	private boolean contend() {
		Contender contender = prepare();
		if (contender != null) {
			contender.start();
		}
		return contender != null;
	}

	/** Make the contender, which is started behind the release of the lease before. */
	@Nullable Contender prepare() {
		Contender contender = this.parts.store().contend(this.request.claim(), this);
		if (!this.progress.move(State.QUEUED, State.CONTENDING, () -> this.request.contender(contender))) {
			return null;
		}
		for (Acquisition follower : this.followers.all()) {
			contender.askFor(follower::onHeadFailed);
		}
		return contender;
	}

	@Override
	public void onWaiting() {
		if (this.progress.state() != State.DONE) {
			this.request.reportWaiting();
		}
	}

	@Override
	public void onGranted(Grant grant) {
		Holder holder = this.request.holder(0);
		HeldLease lease = new HeldLease(this.parts.leases(), grant, holder, this.request.claim().retained(),
				this.parts.successor());
		this.parts.queues().replace(this, lease);
		boolean wanted = finish(State.CONTENDING);
		if (!wanted) {
			holder.end(); // nobody gets it, so that there is no hold to report
		}
		lease.start();
		if (!this.parts.running().getAsBoolean()) {
			lease.stop(); // the engine stopped while the store was asked (R14)
		}
		Handle handle = new Handle(lease, holder);
		if (grant.mode() == LockMode.SHARED) {
			this.parts.successor().shared(lease);
		}
		if (wanted) {
			granted(handle);
		}
		else {
			handle.closeAsync();
		}
		dismiss(wanted ? lease : null);
	}

	@Override
	public void onFailed(ClaimFailure failure) {
		fail(this.request.failures().of(failure), State.CONTENDING);
		leave();
		dismiss(null);
	}

	// ---- the end

	/** Give up, unless the outcome is known already. */
	void cancel(LockException failure) {
		State before = this.progress.state();
		while (before != State.DONE && !fail(failure, before)) {
			before = this.progress.state();
		}
	}

	private boolean fail(LockException failure, State expected) {
		Contender contender = this.request.contender();
		if (!finish(expected)) {
			return false;
		}
		if (expected == State.QUEUED) {
			leave();
		}
		else if (expected == State.CONTENDING && contender != null) {
			contender.cancel(); // the place is kept until nothing can be granted any more
		}
		Acquisition head = this.head;
		if (head != null) {
			head.followers.remove(this);
		}
		this.request.reportNotAcquired(failure);
		this.outcome.failed(failure, this);
		return true;
	}

	private void granted(Handle handle) {
		this.request.reportAcquired(handle);
		this.outcome.granted(handle, this);
	}

	private boolean finish(State expected) {
		boolean finished = this.progress.move(expected, State.DONE);
		if (finished) {
			this.parts.active().remove(this);
		}
		return finished;
	}

	@Override
	public String toString() {
		return names() + " " + this.progress;
	}

}
