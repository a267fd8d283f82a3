package io.quorlock.engine;

import java.util.Objects;

import org.jspecify.annotations.Nullable;

import io.quorlock.LockException;
import io.quorlock.LockMode;
import io.quorlock.engine.Progress.State;
import io.quorlock.store.Claim;
import io.quorlock.store.ClaimFailure;
import io.quorlock.store.Contender;
import io.quorlock.store.Grant;

/**
 * One request on its way to a lock: it waits for its turn in the local queues (R13), then
 * asks the store. It blocks no thread; its outcome is reported once. The state changes
 * under the lock, everything else happens outside of it.
 */
final class Acquisition extends PendingRequest implements Contender.Listener {

	/** Is notified of the outcome once, on whatever thread found out. */
	interface Outcome {

		void granted(Handle handle, Acquisition acquisition);

		void failed(LockException failure, Acquisition acquisition);

	}

	private final Outcome outcome;

	private final Followers<Acquisition> followers = new Followers<>();

	private final Progress progress = new Progress();

	/** The request that this one follows. */
	private volatile @Nullable Acquisition head;

	Acquisition(Parts parts, Holder.Caller caller, Claim claim, boolean nested, Outcome outcome) {
		super(parts, caller, claim, nested);
		this.outcome = outcome;
	}

	void start(boolean again) {
		parts().active().add(this);
		if (again) {
			enterLater();
		}
		else {
			enterFirst();
		}
	}

	// ---- the local queues

	@Override
	void enter() {
		LocalQueue.Member blocking = parts().queues().enter(this, !claim().isImmediate(), this::join);
		Runnable joined = takeJoined();
		if (joined != null) {
			joined.run();
		}
		else if (blocking == null) {
			onTurn();
		}
		else if (claim().isImmediate()) {
			enterAtOnce(blocking);
		}
		else {
			waitInQueue();
		}
	}

	/** The request does not wait. */
	private void enterAtOnce(LocalQueue.Member blocking) {
		if (blocking instanceof HeldLease lease && parts().successor().giveUp(lease)) {
			eachLeaseInTheWay(parts().successor()::giveUp);
			enter(); // the leases, which do not suit, were unused
		}
		else if (blocking instanceof HeldLease lease && lease.isInUse()) {
			fail(failures().heldHere(lease, instanceId(), now()), State.QUEUED);
		}
		else if (mode() == LockMode.SHARED && blocking instanceof Acquisition writer
				&& writer.progress.state() == State.QUEUED) {
			fail(failures().behindOthers(instanceId()), State.QUEUED);
		}
		else if (asking(blocking) instanceof Acquisition head && head.wantsTheSame(this)) {
			follow(head);
		}
		else {
			contend(); // beside the others, without a place
		}
	}

	private void waitInQueue() {
		boolean waits = this.progress.move(State.QUEUED, State.QUEUED, () -> this.progress.limitWait(parts().timer(),
				claim().remainingNanos(now()), () -> fail(whyQueued(), State.QUEUED)));
		if (waits) { // otherwise its turn has come already
			reportWaiting();
		}
		eachLeaseInTheWay(parts().successor()::offer); // perhaps it is unused by now
	}

	@Override
	public void onTurn() {
		if (!contend()) {
			leave(); // it was cancelled as its turn came
		}
	}

	@Override
	boolean take(Handle handle) {
		boolean taken = finish(State.QUEUED);
		if (taken) {
			granted(handle);
		}
		return taken;
	}

	/** R19: it was taken out of the queue, to share a lease. */
	void shareOrEnter(HeldLease lease) {
		if (join(lease)) {
			Objects.requireNonNull(takeJoined()).run();
		}
		else {
			enterLater();
		}
	}

	// ---- sharing a question with a request in front (R4)

	private void follow(Acquisition head) {
		boolean follows = this.progress.move(State.QUEUED, State.FOLLOWING, () -> {
			this.head = head;
			long left = parts().settings().immediateLimit().toNanos() - waitedNanos();
			this.progress.limitFollowing(parts().timer(), left, () -> cancel(failures()
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
		Contender contender = contender();
		if (contender != null) {
			contender.askFor(follower::onHeadFailed);
		}
		return true;
	}

	private void onHeadFailed(ClaimFailure failure) {
		fail(failures().of(failure), State.FOLLOWING);
	}

	/**
	 * Followers are refused if the lease has an exclusive holder, or ask by themselves.
	 */
	void dismiss(@Nullable HeldLease held) {
		HeldLease refusing = (held != null && held.mode() == LockMode.EXCLUSIVE) ? held : null;
		this.followers.close().forEach((follower) -> Trampoline.run(() -> follower.onHeadEnded(refusing)));
	}

	/** The lease that it was about to hold was lost: all ask again, this one first. */
	void enterAgain() {
		enterLater();
		this.followers.removeAll().forEach((follower) -> Trampoline.run(() -> follower.onHeadEnded(null)));
	}

	private void onHeadEnded(@Nullable HeldLease refusing) {
		if (refusing != null) {
			fail(failures().heldHere(refusing, instanceId(), now()), State.FOLLOWING);
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
		Contender contender = parts().store().contend(claim(), this);
		if (!this.progress.move(State.QUEUED, State.CONTENDING, () -> contender(contender))) {
			return null;
		}
		this.followers.all().forEach((follower) -> contender.askFor(follower::onHeadFailed));
		return contender;
	}

	@Override
	public void onWaiting() {
		if (this.progress.state() != State.DONE) {
			reportWaiting();
		}
	}

	@Override
	public void onGranted(Grant grant) {
		Holder holder = holder(0);
		HeldLease lease = new HeldLease(parts().leases(), grant, holder, parts().successor());
		parts().queues().replace(this, lease);
		boolean wanted = finish(State.CONTENDING);
		lease.start();
		if (!parts().running().getAsBoolean()) {
			lease.stop(); // the engine stopped while the store was asked (R14)
		}
		Handle handle = new Handle(lease, holder);
		if (grant.mode() == LockMode.SHARED) {
			parts().successor().shared(lease);
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
		fail(failures().of(failure), State.CONTENDING);
		leave();
		dismiss(null);
	}

	// ---- the end

	/**
	 * Give up.
	 * @return false if the outcome is known already
	 */
	boolean cancel(LockException failure) {
		while (true) {
			State before = this.progress.state();
			if (before == State.DONE) {
				return false;
			}
			if (fail(failure, before)) {
				return true;
			}
		}
	}

	private boolean fail(LockException failure, State expected) {
		Contender contender = contender();
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
		reportNotAcquired(failure);
		this.outcome.failed(failure, this);
		return true;
	}

	private void granted(Handle handle) {
		reportAcquired(handle);
		this.outcome.granted(handle, this);
	}

	private boolean finish(State expected) {
		boolean finished = this.progress.move(expected, State.DONE);
		if (finished) {
			parts().active().remove(this);
		}
		return finished;
	}

	@Override
	public String toString() {
		return names() + " " + this.progress;
	}

}
