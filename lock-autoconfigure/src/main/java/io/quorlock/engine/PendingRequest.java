package io.quorlock.engine;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

import io.quorlock.LockException;
import io.quorlock.LockMode;
import io.quorlock.store.Claim;
import io.quorlock.store.ClaimFailure;
import io.quorlock.store.Contender;
import io.quorlock.store.LeaseStore;
import io.quorlock.store.StoreStatus;

/**
 * What is known of a request that has not got its lock yet: its caller, what it asks for,
 * since when, and what keeps it waiting.
 */
abstract class PendingRequest implements LocalQueue.Waiter {

	/** What requests of one engine share. */
	record Parts(LeaseStore store, LocalQueues queues, EngineSettings settings, EngineClock clock, EngineTimer timer,
			Listeners listeners, HeldLease.Parts leases, Successor<HeldLease> successor, BooleanSupplier running,
			Set<PendingRequest> active) {
	}

	private final Parts parts;

	private final Holder.Caller caller;

	private final Claim claim;

	private final boolean nested;

	private final AtomicBoolean waitingReported = new AtomicBoolean();

	private volatile @Nullable Contender contender;

	/** Takes the lease that it joined. */
	private volatile @Nullable Runnable joined;

	PendingRequest(Parts parts, Holder.Caller caller, Claim claim, boolean nested) {
		this.parts = parts;
		this.caller = caller;
		this.claim = claim;
		this.nested = nested;
	}

	/**
	 * Give up.
	 * @return false if the outcome is known already
	 */
	abstract boolean cancel(LockException failure);

	/**
	 * Take a lease that another request got.
	 * @return false if the outcome is known already
	 */
	abstract boolean take(Handle handle);

	/** Occupy the queues, or take a place in them. */
	abstract void enter();

	/** Enter the queues, or refuse the request to its caller. */
	final void enterFirst() {
		try {
			enter();
		}
		catch (IllegalArgumentException ex) {
			this.parts.active().remove(this);
			caller().observed().failed(failures().refused(ex), 0);
			throw ex;
		}
	}

	/**
	 * Enter the queues on behalf of a caller that waits already: what refuses the request
	 * ends its wait.
	 */
	final void enterLater() {
		try {
			enter();
		}
		catch (IllegalArgumentException ex) {
			cancel(failures().refused(ex));
		}
	}

	/** Leave the queues. */
	final void leave() {
		LocalQueues.run(this.parts.queues().leave(this));
	}

	final Parts parts() {
		return this.parts;
	}

	final Claim claim() {
		return this.claim;
	}

	/** Return what takes the lease that it joined, once. */
	final @Nullable Runnable takeJoined() {
		Runnable joined = this.joined;
		this.joined = null;
		return joined;
	}

	final @Nullable Contender contender() {
		return this.contender;
	}

	final void contender(Contender contender) {
		this.contender = contender;
	}

	@Override
	public List<String> names() {
		return this.claim.names();
	}

	@Override
	public LockMode mode() {
		return this.claim.mode();
	}

	@Override
	public int permits() {
		return this.claim.permits();
	}

	@Override
	public boolean isSharable() {
		return mode() == LockMode.SHARED && HandOvers.suits(this.caller.request())
				&& this.parts.settings().handoverMax() > 0;
	}

	@Override
	public boolean isNested() {
		return this.nested;
	}

	/**
	 * Take the lease that is unused (R24), or share that of other readers (R19). The
	 * queue of the name is locked.
	 */
	final boolean join(LocalQueue.Member occupant) {
		if (!(occupant instanceof HeldLease lease)) {
			return false;
		}
		if (this.caller.request().isRetainable() && lease.state().take(this)) {
			this.joined = () -> this.parts.successor().resume(lease, this);
			return true;
		}
		return isSharable() && share(lease);
	}

	private boolean share(HeldLease lease) {
		Turn readers = lease.sharable();
		if (readers == null) {
			return false;
		}
		// With the token of the holders before, one of which may have been a writer.
		Holder holder = holder(readers.generation());
		boolean joined = lease.join(readers, holder);
		if (joined) {
			this.joined = () -> takeShare(new Handle(lease, holder));
		}
		return joined;
	}

	private void takeShare(Handle handle) {
		if (!take(handle)) {
			handle.closeAsync(); // it was cancelled meanwhile
		}
	}

	/** Do something with the leases of this process that hold any of the names. */
	final void eachLeaseInTheWay(Consumer<HeldLease> action) {
		for (LocalQueue.Member occupant : this.parts.queues().occupants(this)) {
			if (occupant instanceof HeldLease lease) {
				action.accept(lease);
			}
		}
	}

	/** Return the request that will have what is in the way, if any gets it (R4). */
	static LocalQueue.@Nullable Member asking(LocalQueue.@Nullable Member blocking) {
		return (blocking instanceof HeldLease lease) ? lease.state().taker() : blocking;
	}

	/** Return whether another request asks the store for the same. */
	final boolean wantsTheSame(PendingRequest other) {
		return names().equals(other.names()) && this.claim.mode() == other.claim.mode()
				&& this.claim.permits() == other.claim.permits();
	}

	/** Why a request that waited in the local queues was not served. */
	final LockException whyQueued() {
		LocalQueue.Member blocking = this.parts.queues().inFrontOf(this);
		if (blocking instanceof HeldLease lease && lease.isHeld()) {
			return failures().heldHere(lease, instanceId(), now());
		}
		if (blocking instanceof PendingRequest head) {
			Contender contender = head.contender;
			ClaimFailure last = (contender != null) ? contender.lastFailure() : new ClaimFailure.Pending();
			if (last instanceof ClaimFailure.Held || last instanceof ClaimFailure.Unavailable) {
				return failures().of(last);
			}
			StoreStatus status = this.parts.store().status(names());
			if (!status.available()) {
				return failures().unavailable(status.description());
			}
		}
		return failures().behindOthers(instanceId());
	}

	final Holder holder(int generation) {
		return new Holder(this.caller, generation, now(), this.parts.leases().callbacks());
	}

	final void reportAcquired(Handle handle) {
		this.parts.listeners().acquired(this.caller.request(), handle, Duration.ofNanos(waitedNanos()), attempts());
	}

	final void reportNotAcquired(LockException failure) {
		this.parts.listeners().notAcquired(this.caller.request(), failure, Duration.ofNanos(waitedNanos()), attempts());
	}

	/** Report once that the request waits. */
	final void reportWaiting() {
		if (this.waitingReported.compareAndSet(false, true)) {
			this.parts.listeners().waiting(this.caller.request());
		}
	}

	final String instanceId() {
		return this.parts.settings().instanceId();
	}

	final long now() {
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
				Duration.ofNanos(waitedNanos()), attempts(), this.caller.request().mode(),
				this.caller.request().permits(), this.caller.request().isFair());
	}

}
