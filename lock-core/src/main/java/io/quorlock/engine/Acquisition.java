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

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import io.quorlock.LockException;
import io.quorlock.LockMode;
import io.quorlock.store.ClaimFailure;
import io.quorlock.store.Contender;
import io.quorlock.store.Grant;
import io.quorlock.store.StoreStatus;
import io.quorlock.time.LockTimer;

/**
 * One attempt of a call to get its lock: it waits for its turn in the local queues (R13),
 * then asks the store. It blocks no thread; its outcome is reported once. The state
 * changes under the lock, everything else happens outside of it.
 */
final class Acquisition implements LocalQueue.Waiter, Contender.Listener {

	private enum State {

		/** Waits for its turn in the local queues. */
		QUEUED,

		/** Waits for the next question of a request of this process (R4). */
		FOLLOWING,

		/** Asks the store. */
		CONTENDING,

		/** The outcome was reported. */
		DONE

	}

	final LockCall call;

	private final LockEngine engine;

	private final ReentrantLock lock;

	private volatile State state = State.QUEUED;

	/** Ends the wait in the local queues, which the request may enter again. */
	private LockTimer.@Nullable Timeout wait;

	/** Ends a request that follows and does not wait, however often it follows (R4). */
	private LockTimer.@Nullable Timeout limit;

	/**
	 * The requests of this process that do not wait, and share the outcome of the next
	 * question (R4). Not made before there is one.
	 */
	private @Nullable Set<Acquisition> followers;

	/** Whether none can follow any more. */
	private boolean closed;

	/** Whether it was reported that it waits. */
	private boolean waitingReported;

	private volatile @Nullable Contender contender;

	/** Hands it the lease that it joined. */
	private volatile @Nullable Runnable joined;

	/** The request that this one follows. */
	private volatile @Nullable Acquisition head;

	Acquisition(LockCall call) {
		this.call = call;
		this.engine = call.engine;
		this.lock = call.engine.requestLocks.of(call.claim.names());
	}

	@Override
	public List<String> names() {
		return this.call.claim.names();
	}

	@Override
	public LockMode mode() {
		return this.call.claim.mode();
	}

	@Override
	public int permits() {
		return this.call.claim.permits();
	}

	@Override
	public boolean isSharable() {
		return mode() == LockMode.SHARED && Tenure.isPassable(this.call.request)
				&& this.engine.settings.handoverMax() > 0;
	}

	@Override
	public boolean isNested() {
		return this.call.nested;
	}

	int attempts() {
		Contender asking = this.contender;
		return (asking != null) ? asking.attempts() : 0;
	}

	/**
	 * Change the state, unless it is another than expected.
	 * @param change runs under the lock
	 * @return whether it was changed
	 */
	private boolean move(State from, State to, @Nullable Runnable change) {
		this.lock.lock();
		try {
			if (this.state != from) {
				return false;
			}
			this.state = to;
			if (change != null) {
				change.run();
			}
			if (to != from && this.wait != null) {
				this.wait.cancel();
			}
			if (to == State.DONE && this.limit != null) {
				this.limit.cancel();
			}
			return true;
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Enter the queues.
	 * @param again whether the caller waits already, so that no refusal is thrown
	 */
	void start(boolean again) {
		this.engine.acquisitions.add(this);
		if (!this.engine.isRunning()) {
			cancel(this.call.stopped()); // the stop did not find it there
		}
		else if (again) {
			enterLater();
		}
		else {
			try {
				enter();
			}
			catch (IllegalArgumentException ex) {
				this.engine.acquisitions.remove(this);
				this.call.observed.failed(this.call.refused(ex), 0);
				throw ex;
			}
		}
		if (this.state == State.DONE) {
			this.engine.acquisitions.remove(this); // perhaps it was before it was added
		}
	}

	/** What refuses the request ends its wait. */
	void enterLater() {
		try {
			enter();
		}
		catch (IllegalArgumentException ex) {
			cancel(this.call.refused(ex));
		}
	}

	/** Occupy the queues, or take a place in them. */
	private void enter() {
		LocalQueue.Member blocking = this.engine.queues.enter(this, !this.call.claim.isImmediate(), this::join);
		Runnable taking = this.joined;
		this.joined = null;
		if (taking != null) {
			taking.run();
		}
		else if (blocking == null) {
			onTurn();
		}
		else if (this.call.claim.isImmediate()) {
			enterAtOnce(blocking);
		}
		else {
			waitInQueue();
		}
	}

	private boolean join(LocalQueue.Member occupant) {
		this.joined = (occupant instanceof HeldLease lease) ? this.engine.succession.join(lease, this) : null;
		return this.joined != null;
	}

	private void leave() {
		LocalQueues.run(this.engine.queues.leave(this));
	}

	/** The request does not wait. */
	private void enterAtOnce(LocalQueue.Member blocking) {
		if (blocking instanceof HeldLease lease && this.engine.succession.giveUp(lease)) {
			enter(); // the lease, which does not suit, was unused
			return;
		}
		// The request that will have what is in the way, if any gets it (R4).
		LocalQueue.Member front = (blocking instanceof HeldLease lease) ? lease.taker() : blocking;
		if (blocking instanceof HeldLease lease && lease.isInUse()) {
			fail(this.call.heldHere(lease), State.QUEUED);
		}
		else if (mode() == LockMode.SHARED && blocking instanceof Acquisition writer && writer.state == State.QUEUED) {
			fail(this.call.behindOthers(), State.QUEUED);
		}
		else if (front instanceof Acquisition first && first.wants(names(), mode(), permits())) {
			follow(first);
		}
		else {
			contend(); // beside the others, without a place
		}
	}

	private boolean wants(List<String> names, LockMode mode, int permits) {
		return names().equals(names) && mode() == mode && permits() == permits;
	}

	private void waitInQueue() {
		boolean waits = move(State.QUEUED, State.QUEUED, () -> {
			if (this.wait != null) {
				this.wait.cancel();
			}
			long left = this.call.claim.remainingNanos(this.engine.clock.nanoTime());
			this.wait = this.engine.timer.schedule(left, () -> fail(whyQueued(), State.QUEUED));
		});
		if (waits) { // otherwise its turn has come already
			reportWaiting();
		}
		else if (this.state == State.DONE && this.contender == null) {
			leave(); // it was cancelled before it was in the queues
		}
		for (LocalQueue.Member occupant : this.engine.queues.occupants(this)) {
			if (occupant instanceof HeldLease lease) {
				this.engine.succession.offer(lease); // perhaps it is unused by now
			}
		}
	}

	/** Why a request that waited in the local queues was not served. */
	private LockException whyQueued() {
		LocalQueue.Member blocking = this.engine.queues.inFrontOf(this);
		if (blocking instanceof HeldLease lease && lease.isHeld()) {
			return this.call.heldHere(lease);
		}
		if (blocking instanceof Acquisition front) {
			Contender asking = front.contender;
			ClaimFailure last = (asking != null) ? asking.lastFailure() : null;
			if (last instanceof ClaimFailure.Held || last instanceof ClaimFailure.Unavailable) {
				return this.call.failure(last);
			}
			StoreStatus status = this.engine.store.status(names());
			if (!status.available()) {
				return this.call.unavailable(status.description());
			}
		}
		return this.call.behindOthers();
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

	/** Share a question with a request in front (R4). */
	private void follow(Acquisition first) {
		boolean follows = move(State.QUEUED, State.FOLLOWING, () -> {
			this.head = first;
			if (this.limit == null) {
				this.limit = this.engine.timer.schedule(
						this.engine.settings.immediateLimit().toNanos() - this.call.waited().toNanos(),
						() -> cancel(this.call.unavailable("its outcome was not known in time, since another thread of "
								+ "this instance asked before")));
			}
		});
		if (follows && !first.lead(this)) {
			Trampoline.run(() -> onHeadEnded(null));
		}
	}

	private boolean lead(Acquisition follower) {
		boolean follows = change(() -> {
			this.followers = (this.followers != null) ? this.followers : new LinkedHashSet<>();
			return !this.closed && this.followers.add(follower);
		});
		Contender asking = this.contender;
		if (follows && asking != null) {
			asking.askFor(follower::onHeadFailed);
		}
		return follows;
	}

	private void onHeadFailed(ClaimFailure failure) {
		fail(this.call.failure(failure), State.FOLLOWING);
	}

	/** Return the followers, which follow no longer. */
	private List<Acquisition> removeFollowers(boolean close) {
		return change(() -> {
			List<Acquisition> all = copyOfFollowers();
			this.followers = null;
			this.closed |= close;
			return all;
		});
	}

	/** Called under the lock. */
	private List<Acquisition> copyOfFollowers() {
		return (this.followers != null) ? List.copyOf(this.followers) : List.of();
	}

	private <T> T change(Supplier<T> change) {
		this.lock.lock();
		try {
			return change.get();
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Followers are refused if the lease has an exclusive holder, or ask by themselves:
	 * of permits there may be another.
	 */
	void dismiss(@Nullable HeldLease held) {
		for (Acquisition follower : removeFollowers(true)) {
			boolean alone = held != null && held.mode() == LockMode.EXCLUSIVE && held.permits() == 0;
			HeldLease refusing = alone ? held : null;
			Trampoline.run(() -> follower.onHeadEnded(refusing));
		}
	}

	/** The lease that it was about to hold was lost: all ask again, this one first. */
	void enterAgain() {
		enterLater();
		removeFollowers(false).forEach((follower) -> Trampoline.run(() -> follower.onHeadEnded(null)));
	}

	private void onHeadEnded(@Nullable HeldLease refusing) {
		if (refusing != null) {
			fail(this.call.heldHere(refusing), State.FOLLOWING);
		}
		else if (move(State.FOLLOWING, State.QUEUED, null)) {
			enterLater();
		}
	}

	private boolean contend() {
		Contender asking = prepare();
		if (asking != null) {
			asking.start();
		}
		return asking != null;
	}

	/** Make the contender, which is started behind the release of the lease before. */
	@Nullable Contender prepare() {
		Contender made = this.engine.store.contend(this.call.claim, this);
		if (!move(State.QUEUED, State.CONTENDING, () -> this.contender = made)) {
			return null;
		}
		for (Acquisition follower : change(this::copyOfFollowers)) {
			made.askFor(follower::onHeadFailed);
		}
		return made;
	}

	@Override
	public void onWaiting() {
		if (this.state != State.DONE) {
			reportWaiting();
		}
	}

	/** Report once that the request waits. */
	private void reportWaiting() {
		boolean reported = change(() -> {
			boolean before = this.waitingReported;
			this.waitingReported = true;
			return before;
		});
		if (!reported) {
			this.engine.events.waiting(this.call.request);
		}
	}

	@Override
	public void onGranted(Grant grant) {
		Holder holder = new Holder(this.call, 0);
		HeldLease lease = new HeldLease(this.engine, grant, holder, this.call.claim.retained());
		this.engine.queues.replace(this, lease);
		boolean wanted = finish(State.CONTENDING);
		if (!wanted) {
			holder.end(); // nobody gets it, so that there is no hold to report
		}
		lease.start();
		if (!this.engine.isRunning()) {
			lease.stop(); // the engine stopped while the store was asked (R14)
		}
		Handle handle = new Handle(lease, holder);
		if (lease.mode() == LockMode.SHARED) {
			this.engine.succession.shared(lease);
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
		fail(this.call.failure(failure), State.CONTENDING);
		leave();
		dismiss(null);
	}

	/** Give up, unless the outcome is known already. */
	void cancel(LockException failure) {
		State before = this.state;
		while (before != State.DONE && !fail(failure, before)) {
			before = this.state;
		}
	}

	private boolean fail(LockException failure, State expected) {
		Contender asking = this.contender;
		if (!finish(expected)) {
			return false;
		}
		if (expected == State.QUEUED) {
			leave();
		}
		else if (expected == State.CONTENDING && asking != null) {
			asking.cancel(); // the place is kept until nothing can be granted any more
		}
		Acquisition front = this.head;
		if (front != null) {
			front.change(() -> front.followers != null && front.followers.remove(this));
		}
		this.engine.events.notAcquired(this.call, failure);
		this.call.failed(failure);
		return true;
	}

	private void granted(Handle handle) {
		this.engine.events.acquired(this.call, handle);
		this.call.granted(handle);
	}

	private boolean finish(State expected) {
		boolean finished = move(expected, State.DONE, null);
		if (finished) {
			this.engine.acquisitions.remove(this);
		}
		return finished;
	}

}
