package io.quorlock.engine;

import java.time.Duration;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import io.quorlock.LockLostEvent;
import io.quorlock.LockLostException;
import io.quorlock.LockMode;
import io.quorlock.engine.event.RequestObservation;
import io.quorlock.store.Grant;

/**
 * A lease that this process holds: who holds it, and what happens when it is lost, handed
 * over or released. The store keeps it alive.
 */
final class HeldLease implements LocalQueue.Member {

	private static final Log logger = LogFactory.getLog(HeldLease.class);

	/** What leases of one engine share. */
	record Parts(Object engine, EngineSettings settings, EngineClock clock, EngineTimer timer, Listeners listeners,
			Callbacks callbacks, Set<HeldLease> leases) {
	}

	/** What follows the end of a lease in this process. */
	interface Successor {

		/** Hand the lease over to the next request, if it may be (R17). */
		boolean handOver(HeldLease lease, Holder left);

		/** Release the lease and let the next request ask. */
		CompletionStage<@Nullable Void> release(HeldLease lease, Duration cooldown);

		/** Let the next request ask, since the lease was lost. */
		void lost(HeldLease lease);

		/** Let readers of this process share the lease (R19). */
		void shared(HeldLease lease);

	}

	private enum State {

		HELD, RELEASED, LOST

	}

	private final Parts parts;

	private final Grant grant;

	private final Successor successor;

	/** Until when others may be kept out by hand-overs and by readers who join. */
	private volatile long youngSinceNanos;

	private final AtomicReference<State> state = new AtomicReference<>(State.HELD);

	/** The only holder; of a shared lease the first. */
	private volatile Holder holder;

	/** Shared after a downgrade (R19). */
	private volatile LockMode mode;

	private final Readers readers = new Readers();

	private final HoldLimit limit;

	private final RequestsToRelease requests;

	private volatile String lossReason = "";

	HeldLease(Parts parts, Grant grant, Holder holder, Successor successor) {
		this.parts = parts;
		this.grant = grant;
		this.holder = holder;
		this.successor = successor;
		this.mode = grant.mode();
		this.requests = new RequestsToRelease(grant, this::holders);
		this.limit = new HoldLimit(parts.settings(), parts.timer(), grant);
		if (grant.mode() == LockMode.SHARED) {
			this.readers.addFirst(holder);
		}
		this.youngSinceNanos = parts.clock().nanoTime();
	}

	/** Watch the lease until it ends. */
	void start() {
		this.parts.leases().add(this);
		this.limit.start(this.holder);
		this.grant.keep(this::onLost, this::onRenewed);
	}

	private void onRenewed(boolean confirmed) {
		Holder holder = holder();
		this.parts.listeners().renewed(holder.request(), confirmed);
		this.limit.renewed(holder, heldNanos(holder));
	}

	long heldNanos(Holder holder) {
		return this.parts.clock().nanoTime() - holder.sinceNanos();
	}

	/** Return whether the lease is valid; once it is not, it never is again (R7). */
	boolean isHeld() {
		return this.state.get() == State.HELD && this.grant.isValid();
	}

	Duration remaining() {
		long left = isHeld() ? this.grant.validUntilNanos() - this.parts.clock().nanoTime() : 0;
		return Duration.ofNanos(Math.max(0, left));
	}

	CompletionStage<Boolean> extend(Holder holder, Duration lease) {
		boolean others = this.mode == LockMode.SHARED && this.readers.all().size() > 1;
		Duration least = this.parts.settings().leaseTime();
		// What one reader asks for must not shorten the lease of the others.
		return this.grant.extend((others && lease.compareTo(least) < 0) ? least : lease, holder.generation());
	}

	LockLostException lostException() {
		return new LockLostException(
				"Lock '" + this + "' was lost: " + this.lossReason + ". Another instance may hold it by now");
	}

	/** The fencing token of a holder: hand-over takes them from the bottom (R9). */
	long fencingToken(int name, Holder holder) {
		long[] tokens = this.grant.tokens();
		if (tokens == null) {
			throw new IllegalStateException("Lock '" + this + "' has no fencing token: "
					+ this.parts.settings().nameOf("fencing.enabled") + " is false");
		}
		return tokens[name] + holder.generation();
	}

	@Override
	public List<String> names() {
		return this.grant.names();
	}

	@Override
	public LockMode mode() {
		return this.mode;
	}

	@Override
	public int permits() {
		return this.holder.request().permits();
	}

	/** Return who holds the lease: one, or some readers. */
	Collection<Holder> holders() {
		return (mode() == LockMode.SHARED) ? this.readers.all() : List.of(this.holder);
	}

	RequestsToRelease requests() {
		return this.requests;
	}

	Grant grant() {
		return this.grant;
	}

	/** Return who has held the lease for the longest time of those who hold it now. */
	Holder holder() {
		Iterator<Holder> holders = holders().iterator();
		return holders.hasNext() ? holders.next() : this.holder;
	}

	Parts parts() {
		return this.parts;
	}

	/** Whether others were not kept out for longer yet than hand-overs may (R17). */
	boolean isYoung() {
		return !this.requests.isWanted() && this.parts.clock().nanoTime()
				- this.youngSinceNanos < this.parts.settings().handoverMaxDuration().toNanos();
	}

	// ---- readers

	boolean isSharable() {
		return this.mode == LockMode.SHARED && this.holder.request().leaseTime() == null && isYoung();
	}

	/**
	 * Share the lease with another reader of this process, unless others have been kept
	 * out by that for long enough (R19). The queue of the name is locked.
	 * @return whether the reader holds it now
	 */
	boolean join(Holder reader) {
		if (!isSharable() || !this.readers.join(reader)) {
			return false;
		}
		if (this.state.get() == State.HELD) {
			return true;
		}
		this.readers.forget(reader);
		return false;
	}

	/** Turn the only holder into a reader (R19). */
	CompletionStage<Boolean> downgrade(Holder writer) {
		CompletionStage<Boolean> turned = this.grant.downgrade(writer.generation());
		if (this.grant.mode() == LockMode.SHARED) {
			this.readers.addFirst(writer);
			this.youngSinceNanos = this.parts.clock().nanoTime();
			this.mode = LockMode.SHARED;
			this.successor.shared(this);
		}
		return turned;
	}

	// ---- the end of a holder

	/** The last handle of the holder was closed: hand the lease over or release it. */
	CompletionStage<@Nullable Void> holderLeft(Holder left) {
		if (mode() == LockMode.SHARED) {
			if (!this.readers.leave(left)) {
				reportReleased(left);
				return CompletableFuture.completedFuture(null);
			}
		}
		else if (this.successor.handOver(this, left)) {
			return CompletableFuture.completedFuture(null);
		}
		if (!this.state.compareAndSet(State.HELD, State.RELEASED)) {
			return CompletableFuture.completedFuture(null);
		}
		ended();
		CompletionStage<@Nullable Void> released = this.successor.release(this, left.cooldown(heldNanos(left)));
		reportReleased(left);
		return released;
	}

	/** Another request of this process takes over (R17). */
	void passTo(Holder next) {
		this.holder = next;
		this.limit.start(next);
	}

	void reportReleased(Holder left) {
		left.caller().observed().ended(RequestObservation::onReleased);
		this.parts.listeners().released(left.request(), Duration.ofNanos(heldNanos(left)));
	}

	/**
	 * The engine stops: releases the lease, and notifies the holder of the loss (R14).
	 */
	CompletionStage<@Nullable Void> stop() {
		if (!this.state.compareAndSet(State.HELD, State.LOST)) {
			return CompletableFuture.completedFuture(null);
		}
		CompletionStage<@Nullable Void> released = this.successor.release(this,
				this.holder.cooldown(heldNanos(this.holder)));
		lost("the lock engine of this instance was stopped while it was held");
		return released;
	}

	private void onLost(String reason) {
		if (this.state.compareAndSet(State.HELD, State.LOST)) {
			lost(reason);
			this.successor.lost(this);
		}
	}

	private void lost(String reason) {
		this.lossReason = reason;
		ended();
		logger.warn("Lock '%s' was lost after %d ms: %s. The integrity of what it protects may be compromised"
			.formatted(LogText.escape(toString()), heldNanos(this.holder) / 1_000_000, reason));
		for (Holder loser : holders()) {
			LockLostEvent event = new LockLostEvent(names(), this.grant.owner(), Duration.ofNanos(heldNanos(loser)),
					reason);
			this.parts.listeners().lost(loser.request(), event);
			loser.lost(event);
		}
	}

	private void ended() {
		this.limit.cancel();
		this.parts.leases().remove(this);
	}

	@Override
	public String toString() {
		return String.join(",", names());
	}

}
