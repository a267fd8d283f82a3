package io.quorlock.engine;

import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

import org.jspecify.annotations.Nullable;

import io.quorlock.LockException;
import io.quorlock.store.Claim;
import io.quorlock.store.ClaimFailure;
import io.quorlock.store.Contender;
import io.quorlock.store.Grant;
import io.quorlock.store.LeaseStore;

/**
 * One request on its way to a lock: it waits for its turn in the local queues (R13), then
 * asks the store. It blocks nobody; its outcome is reported once. The state changes under
 * the lock, everything else happens outside of it.
 */
final class Acquisition implements LocalQueue.Waiter, Contender.Listener {

	/** Is notified of the outcome once, on whatever thread found out. */
	interface Outcome {

		void granted(Handle handle, Acquisition acquisition);

		void failed(LockException failure, Acquisition acquisition);

	}

	/** What acquisitions of one engine share. */
	record Parts(LeaseStore store, LocalQueues queues, EngineSettings settings, EngineClock clock, EngineTimer timer,
			Listeners listeners, HeldLease.Parts leases, HeldLease.Successor successor, BooleanSupplier running,
			Set<Acquisition> active) {
	}

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

	private final Parts parts;

	private final Holder.Caller caller;

	private final Claim claim;

	private final boolean nested;

	private final Outcome outcome;

	private final ReentrantLock lock = new ReentrantLock();

	private volatile State state = State.QUEUED;

	// Guarded by the lock.

	private boolean waitingReported;

	/** Those who share the outcome of the next question (R4). */
	private final Set<Acquisition> followers = new LinkedHashSet<>(0);

	/** Whether it left its place: nobody can follow it any more. */
	private boolean left;

	/** The request that this one follows. */
	private volatile @Nullable Acquisition head;

	private EngineTimer.@Nullable Timeout timeout;

	/** Ends a request that followed another, and does not wait (R4). */
	private EngineTimer.@Nullable Timeout limit;

	private volatile @Nullable Contender contender;

	Acquisition(Parts parts, Holder.Caller caller, Claim claim, boolean nested, Outcome outcome) {
		this.parts = parts;
		this.caller = caller;
		this.claim = claim;
		this.nested = nested;
		this.outcome = outcome;
	}

	@Override
	public List<String> names() {
		return this.claim.names();
	}

	@Override
	public boolean isNested() {
		return this.nested;
	}

	void start() {
		this.parts.active().add(this);
		enter();
	}

	// ---- the local queues

	private void enter() {
		LocalQueue.Member blocking = this.parts.queues().enter(this, !this.claim.isImmediate());
		if (blocking == null) {
			onTurn();
		}
		else if (!this.claim.isImmediate()) {
			waitInQueue();
		}
		else if (blocking instanceof HeldLease lease) {
			fail(failures().heldHere(lease, instanceId(), now()), State.QUEUED);
		}
		else if (blocking instanceof Acquisition head && head.wantsTheSame(this)) {
			follow(head);
		}
		else {
			contend(State.QUEUED); // beside the others, without a place
		}
	}

	private void waitInQueue() {
		this.lock.lock();
		try {
			if (this.state != State.QUEUED) {
				return; // its turn has come already
			}
			this.timeout = this.parts.timer()
				.schedule(this.claim.remainingNanos(now()), () -> fail(whyQueued(), State.QUEUED));
		}
		finally {
			this.lock.unlock();
		}
		reportWaiting();
	}

	/** Why a request that waited in the local queues was not served. */
	private LockException whyQueued() {
		LocalQueue.Member blocking = this.parts.queues().inFrontOf(this);
		if (blocking instanceof HeldLease lease) {
			return failures().heldHere(lease, instanceId(), now());
		}
		if (blocking instanceof Acquisition head) {
			Contender contender = head.contender;
			ClaimFailure last = (contender != null) ? contender.lastFailure() : new ClaimFailure.Pending();
			if (last instanceof ClaimFailure.Held || last instanceof ClaimFailure.Unavailable) {
				return failures().of(last);
			}
			if (!this.parts.store().status().available()) {
				return failures().unavailable(this.parts.store().status().description());
			}
		}
		return failures().behindOthers(instanceId());
	}

	@Override
	public void onTurn() {
		if (!contend(State.QUEUED)) {
			leave(); // it was cancelled as its turn came
		}
	}

	/** R17: gets the lease of the request before it. */
	boolean takeOver(HeldLease lease, Holder holder) {
		if (!finish(State.QUEUED)) {
			return false;
		}
		granted(new Handle(lease, holder));
		return true;
	}

	private void leave() {
		LocalQueues.run(this.parts.queues().leave(this));
	}

	// ---- sharing a question with a request in front (R4)

	private boolean wantsTheSame(Acquisition other) {
		return names().equals(other.names()) && this.claim.mode() == other.claim.mode()
				&& this.claim.permits() == other.claim.permits();
	}

	private void follow(Acquisition head) {
		this.lock.lock();
		try {
			if (this.state != State.QUEUED) {
				return;
			}
			this.state = State.FOLLOWING;
			this.head = head;
			if (this.limit == null) {
				long left = this.parts.settings().immediateLimit().toNanos() - waitedNanos();
				this.limit = this.parts.timer()
					.schedule(left, () -> cancel(failures().unavailable(
							"its outcome was not known in time, since another thread of this instance asked before")));
			}
		}
		finally {
			this.lock.unlock();
		}
		if (!head.lead(this)) {
			Trampoline.run(this::followNoLonger);
		}
	}

	private boolean lead(Acquisition follower) {
		this.lock.lock();
		try {
			if (this.left) {
				return false;
			}
			this.followers.add(follower);
		}
		finally {
			this.lock.unlock();
		}
		Contender contender = this.contender;
		if (contender != null) {
			contender.askFor((failure) -> follower.fail(follower.failures().of(failure), State.FOLLOWING));
		}
		return true;
	}

	/** The head has ended without an outcome for this one. */
	private void followNoLonger() {
		this.lock.lock();
		try {
			if (this.state != State.FOLLOWING) {
				return;
			}
			this.state = State.QUEUED;
		}
		finally {
			this.lock.unlock();
		}
		enter();
	}

	private void unfollow(Acquisition follower) {
		this.lock.lock();
		try {
			this.followers.remove(follower);
		}
		finally {
			this.lock.unlock();
		}
	}

	private List<Acquisition> takeFollowers() {
		this.lock.lock();
		try {
			this.left = true;
			List<Acquisition> all = List.copyOf(this.followers);
			this.followers.clear();
			return all;
		}
		finally {
			this.lock.unlock();
		}
	}

	// ---- asking the store

	private boolean contend(State expected) {
		Contender contender = prepare(expected);
		if (contender == null) {
			return false;
		}
		contender.start();
		return true;
	}

	/** Make the contender, which is started behind the release of the lease before. */
	@Nullable Contender prepare() {
		return prepare(State.QUEUED);
	}

	private @Nullable Contender prepare(State expected) {
		Contender contender = this.parts.store().contend(this.claim, this);
		List<Acquisition> waiting;
		this.lock.lock();
		try {
			if (this.state != expected) {
				return null;
			}
			this.state = State.CONTENDING;
			cancelTimeout();
			this.contender = contender;
			waiting = List.copyOf(this.followers);
		}
		finally {
			this.lock.unlock();
		}
		waiting.forEach((follower) -> contender
			.askFor((failure) -> follower.fail(follower.failures().of(failure), State.FOLLOWING)));
		return contender;
	}

	@Override
	public void onWaiting() {
		reportWaiting();
	}

	@Override
	public void onGranted(Grant grant) {
		Holder holder = new Holder(this.caller, 0, now(), this.parts.leases().callbacks());
		HeldLease lease = new HeldLease(this.parts.leases(), grant, holder, this.parts.successor());
		this.parts.queues().replace(this, lease);
		boolean wanted = finish(State.CONTENDING);
		lease.start();
		if (!this.parts.running().getAsBoolean()) {
			lease.stop(); // the engine stopped while the store was asked (R14)
		}
		Handle handle = new Handle(lease, holder);
		takeFollowers().forEach(
				(follower) -> follower.fail(follower.failures().heldHere(lease, instanceId(), now()), State.FOLLOWING));
		if (wanted) {
			granted(handle);
		}
		else {
			handle.closeAsync();
		}
	}

	@Override
	public void onFailed(ClaimFailure failure) {
		fail(failures().of(failure), State.CONTENDING);
		// Whoever does not find it in its place any more does not follow it either.
		List<LocalQueue.Waiter> admitted = this.parts.queues().leave(this);
		List<Acquisition> waiting = takeFollowers();
		LocalQueues.run(admitted);
		waiting.forEach((follower) -> Trampoline.run(follower::followNoLonger));
	}

	// ---- the end

	/**
	 * Give up.
	 * @return false if the outcome is known already
	 */
	boolean cancel(LockException failure) {
		while (true) {
			State before = this.state;
			if (before == State.DONE) {
				return false;
			}
			if (fail(failure, before)) {
				return true;
			}
		}
	}

	private boolean fail(LockException failure, State expected) {
		Contender contender = this.contender;
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
			head.unfollow(this);
		}
		this.parts.listeners().notAcquired(this.caller.request(), failure, Duration.ofNanos(waitedNanos()), attempts());
		this.outcome.failed(failure, this);
		return true;
	}

	private void granted(Handle handle) {
		this.parts.listeners().acquired(this.caller.request(), handle, Duration.ofNanos(waitedNanos()), attempts());
		this.outcome.granted(handle, this);
	}

	private boolean finish(State expected) {
		this.lock.lock();
		try {
			if (this.state != expected) {
				return false;
			}
			this.state = State.DONE;
			cancelTimeout();
			if (this.limit != null) {
				this.limit.cancel();
			}
		}
		finally {
			this.lock.unlock();
		}
		this.parts.active().remove(this);
		return true;
	}

	private void reportWaiting() {
		this.lock.lock();
		try {
			if (this.waitingReported || this.state == State.DONE) {
				return;
			}
			this.waitingReported = true;
		}
		finally {
			this.lock.unlock();
		}
		this.parts.listeners().waiting(this.caller.request());
	}

	private void cancelTimeout() {
		if (this.timeout != null) {
			this.timeout.cancel();
			this.timeout = null;
		}
	}

	private String instanceId() {
		return this.parts.settings().instanceId();
	}

	private long now() {
		return this.parts.clock().nanoTime();
	}

	Failures failures() {
		return new Failures(this.claim.toString(), waitedNanos(), attempts());
	}

	long waitedNanos() {
		return now() - this.claim.queuedAtNanos();
	}

	long startNanos() {
		return this.claim.queuedAtNanos();
	}

	int attempts() {
		Contender contender = this.contender;
		return (contender != null) ? contender.attempts() : 0;
	}

	Holder.Caller caller() {
		return this.caller;
	}

	LockWait describe() {
		return new LockWait(names(), this.caller.request().baseName(), this.caller.thread(),
				Duration.ofNanos(waitedNanos()), attempts());
	}

	@Override
	public String toString() {
		return names() + " " + this.state;
	}

}
