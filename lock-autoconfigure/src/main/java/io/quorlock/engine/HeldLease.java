package io.quorlock.engine;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import io.quorlock.LockLostEvent;
import io.quorlock.LockLostException;
import io.quorlock.engine.event.RequestObservation;
import io.quorlock.store.Grant;

/**
 * A lease that this process holds: who holds it, and what happens when it is lost, handed
 * over or released. The store keeps it alive.
 */
final class HeldLease implements LocalQueue.Member {

	private static final Log logger = LogFactory.getLog(HeldLease.class);

	/** A lock that is held for so many leases is reported once. */
	private static final int LONG_HOLD_LEASES = 20;

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

	}

	private enum State {

		HELD, RELEASED, LOST

	}

	private final Parts parts;

	private final Grant grant;

	private final Successor successor;

	private final long grantedNanos;

	private final AtomicReference<State> state = new AtomicReference<>(State.HELD);

	private final AtomicBoolean longHoldReported = new AtomicBoolean();

	private volatile Holder holder;

	private volatile String lossReason = "";

	private volatile EngineTimer.@Nullable Timeout maxHold;

	HeldLease(Parts parts, Grant grant, Holder holder, Successor successor) {
		this.parts = parts;
		this.grant = grant;
		this.holder = holder;
		this.successor = successor;
		this.grantedNanos = parts.clock().nanoTime();
	}

	/** Watch the lease until it ends. */
	void start() {
		this.parts.leases().add(this);
		limitHold();
		this.grant.keep(this::onLost, this::onRenewed);
	}

	private void limitHold() {
		Duration limit = this.parts.settings().maxHoldTime();
		if (!limit.isZero() && this.holder.request().leaseTime() == null) {
			String reason = "it was held for longer than %s (%s)"
				.formatted(this.parts.settings().nameOf("max-hold-time"), limit);
			this.maxHold = this.parts.timer().schedule(Nanos.of(limit), () -> this.grant.stopRenewal(reason));
		}
	}

	private void cancelLimit() {
		EngineTimer.Timeout limit = this.maxHold;
		if (limit != null) {
			limit.cancel();
		}
	}

	private void onRenewed(boolean confirmed) {
		Holder holder = this.holder;
		this.parts.listeners().renewed(holder.request(), confirmed);
		long heldNanos = heldNanos(holder);
		long longNanos = LONG_HOLD_LEASES * this.parts.settings().leaseTime().toNanos();
		if (heldNanos > longNanos && this.longHoldReported.compareAndSet(false, true)) {
			Throwable stack = holder.caller().stack();
			logger.warn(
					"Lock '%s' has been held for %d s by a request of thread '%s' and is still renewed. %s".formatted(
							LogText.escape(toString()), heldNanos / 1_000_000_000, holder.caller().thread(),
							(stack != null) ? "It was acquired here:" : "Is its handle closed? Set "
									+ this.parts.settings().nameOf("leak-detection") + " to record who acquires locks"),
					stack);
		}
	}

	private long heldNanos(Holder holder) {
		return this.parts.clock().nanoTime() - holder.sinceNanos();
	}

	// ---- what the handles ask

	/** Return whether the lease is valid; once it is not, it never is again (R7). */
	boolean isHeld() {
		return this.state.get() == State.HELD && this.grant.isValid();
	}

	Duration remaining() {
		if (!isHeld()) {
			return Duration.ZERO;
		}
		return Duration.ofNanos(Math.max(0, this.grant.validUntilNanos() - this.parts.clock().nanoTime()));
	}

	CompletionStage<Boolean> extend(Holder holder, Duration lease) {
		return this.grant.extend(lease, holder.generation());
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

	Grant grant() {
		return this.grant;
	}

	Holder holder() {
		return this.holder;
	}

	Parts parts() {
		return this.parts;
	}

	/** Whether others were not kept out for longer yet than hand-overs may (R17). */
	boolean isYoung() {
		return this.parts.clock().nanoTime()
				- this.grantedNanos < this.parts.settings().handoverMaxDuration().toNanos();
	}

	LockHold describe() {
		Holder holder = this.holder;
		long[] tokens = this.grant.tokens();
		Map<String, Long> byName = new TreeMap<>();
		for (int i = 0; tokens != null && i < names().size(); i++) {
			byName.put(names().get(i), tokens[i] + holder.generation());
		}
		return new LockHold(names(), holder.request().baseName(), this.grant.owner(), byName, remaining(),
				this.grant.nodes(), holder.caller().thread(), Duration.ofNanos(heldNanos(holder)));
	}

	// ---- the end of a holder

	/** The last handle of the holder was closed: hand the lease over or release it. */
	CompletionStage<@Nullable Void> holderLeft(Holder left) {
		if (this.successor.handOver(this, left)) {
			return CompletableFuture.completedFuture(null);
		}
		if (!this.state.compareAndSet(State.HELD, State.RELEASED)) {
			return CompletableFuture.completedFuture(null);
		}
		ended();
		CompletionStage<@Nullable Void> released = this.successor.release(this, cooldown(left));
		reportReleased(left);
		return released;
	}

	/** R18: only what somebody really held cools down. */
	private Duration cooldown(Holder left) {
		Duration least = left.request().holdAtLeast();
		if (least.isZero() || !left.isHandedOut()) {
			return Duration.ZERO;
		}
		return Duration.ofNanos(Math.max(0, Nanos.of(least) - heldNanos(left)));
	}

	/** Another request of this process takes over (R17). */
	void passTo(Holder next) {
		this.holder = next;
		cancelLimit();
		limitHold();
		this.longHoldReported.set(false);
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
		Holder loser = this.holder;
		CompletionStage<@Nullable Void> released = this.successor.release(this, cooldown(loser));
		lost(loser, "the lock engine of this instance was stopped while it was held");
		return released;
	}

	private void onLost(String reason) {
		if (this.state.compareAndSet(State.HELD, State.LOST)) {
			lost(this.holder, reason);
			this.successor.lost(this);
		}
	}

	private void lost(Holder loser, String reason) {
		this.lossReason = reason;
		ended();
		LockLostEvent event = new LockLostEvent(names(), this.grant.owner(), Duration.ofNanos(heldNanos(loser)),
				reason);
		logger.warn("Lock '%s' was lost after %d ms: %s. The integrity of what it protects may be compromised"
			.formatted(LogText.escape(event.name()), event.heldFor().toMillis(), reason));
		this.parts.listeners().lost(loser.request(), event);
		loser.lost(event);
	}

	private void ended() {
		cancelLimit();
		this.parts.leases().remove(this);
	}

	@Override
	public String toString() {
		return String.join(",", names());
	}

}
