package io.quorlock.engine;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;

import org.jspecify.annotations.Nullable;

import io.quorlock.LockLostException;
import io.quorlock.LockMode;
import io.quorlock.LockRequest;
import io.quorlock.store.Grant;

/**
 * A lease that this process holds: who holds it, and what happens when it is lost, handed
 * over or released. The store keeps it alive.
 */
final class HeldLease implements LocalQueue.Member {

	/** What leases of one engine share. */
	record Parts(Object engine, EngineSettings settings, EngineClock clock, EngineTimer timer, Listeners listeners,
			Callbacks callbacks, Set<HeldLease> leases) {
	}

	/** What follows the end of a lease in this process. */
	interface Successor {

		/** Hand the lease over to the next requests, if it may be (R17). */
		boolean handOver(HeldLease lease);

		/** Release the lease and let the next request ask. */
		CompletionStage<@Nullable Void> release(HeldLease lease, Duration cooldown);

		/** Let the next request ask, since the lease was lost. */
		void lost(HeldLease lease);

		/** Let readers of this process share the lease (R19). */
		void shared(HeldLease lease);

		/** Let others ask for leases beside this one, which is shared by now. */
		void admitBeside(HeldLease lease);

	}

	private enum State {

		HELD, RELEASED, LOST

	}

	private final Parts parts;

	private final Grant grant;

	private final Successor successor;

	/** What the store was asked for. */
	private final LockRequest request;

	private final HandOverTime handOverTime;

	private final AtomicReference<State> state = new AtomicReference<>(State.HELD);

	/** On the nodes, where readers may have an exclusive lease. Known under any lock. */
	private volatile LockMode mode;

	/** Who holds it. */
	private final AtomicReference<Turn> turn;

	private final HoldLimit limit;

	private final LeaseReports reports;

	private final RequestsToRelease requests;

	private volatile String lossReason = "";

	HeldLease(Parts parts, Grant grant, Holder holder, Successor successor) {
		this.parts = parts;
		this.grant = grant;
		this.mode = grant.mode();
		this.turn = new AtomicReference<>(Turn.of(this.mode, holder));
		this.successor = successor;
		this.request = holder.request();
		this.requests = new RequestsToRelease(grant, this::holders);
		this.limit = new HoldLimit(parts.settings(), parts.timer(), grant);
		this.reports = new LeaseReports(parts.listeners(), parts.clock(), grant);
		this.handOverTime = new HandOverTime(parts.clock(), parts.timer(), parts.settings());
	}

	/** Watch the lease until it ends. */
	void start() {
		this.parts.leases().add(this);
		this.limit.start(holder());
		this.grant.keep(this::onLost, this::onRenewed);
	}

	private void onRenewed(boolean confirmed) {
		Holder holder = holder();
		this.reports.renewed(holder, confirmed);
		this.limit.renewed(holder, heldNanos(holder));
	}

	long heldNanos(Holder holder) {
		return this.reports.heldNanos(holder);
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
		boolean others = holders().size() > 1;
		Duration least = this.parts.settings().leaseTime();
		// What one reader asks for must not shorten the lease of the others.
		return this.grant.extend((others && lease.compareTo(least) < 0) ? least : lease, holder.generation());
	}

	LockLostException lostException() {
		return new LockLostException(
				"Lock '" + this + "' was lost: " + this.lossReason + ". Another instance may hold it by now");
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
		return this.request.permits();
	}

	/** Return how many turns it may have (R17). */
	int range() {
		return HandOvers.range(this.parts.settings(), this.request);
	}

	Turn turn() {
		return Objects.requireNonNull(this.turn.get());
	}

	Collection<Holder> holders() {
		return turn().holders();
	}

	RequestsToRelease requests() {
		return this.requests;
	}

	Grant grant() {
		return this.grant;
	}

	/** Return who has held the lease for the longest time of those who hold it now. */
	Holder holder() {
		return turn().longest();
	}

	Parts parts() {
		return this.parts;
	}

	/** Whether others were not kept out for longer yet than hand-overs may (R17). */
	boolean isYoung() {
		return !this.requests.isWanted() && this.handOverTime.isLeft();
	}

	// ---- readers

	/** Return those whom a reader may join, or null if it may not (R19). */
	@Nullable Turn sharable() {
		Turn turn = turn();
		return (turn.isShared() && this.request.leaseTime() == null && isYoung()) ? turn : null;
	}

	/** Share the lease with another reader. The queue of the name is locked. */
	boolean join(Turn turn, Holder reader) {
		if (!turn.join(reader)) {
			return false;
		}
		if (this.state.get() == State.HELD) {
			return true;
		}
		turn.forget(reader);
		return false;
	}

	/** Turn the only holder into a reader (R19). */
	CompletionStage<Boolean> downgrade(Holder writer) {
		Turn before = turn();
		CompletionStage<Boolean> turned = downgrade(writer.generation());
		if (!before.isShared() && before.first() == writer && mode() == LockMode.SHARED
				&& this.turn.compareAndSet(before, Turn.of(LockMode.SHARED, writer))) {
			writer.downgraded();
			this.handOverTime.begin();
			this.successor.shared(this);
		}
		return turned;
	}

	/** Readers have an exclusive lease only as long as hand-overs may keep others out. */
	private void shareIfNotYoung() {
		Turn readers = turn();
		if (readers.isShared() && mode() == LockMode.EXCLUSIVE && !isYoung() && isHeld()) {
			downgrade(readers.generation());
			this.successor.admitBeside(this);
		}
	}

	private CompletionStage<Boolean> downgrade(int generation) {
		CompletionStage<Boolean> turned = this.grant.downgrade(generation);
		if (this.grant.mode() == LockMode.SHARED) {
			this.mode = LockMode.SHARED;
		}
		return turned;
	}

	// ---- the end of a holder

	/** The last handle of the holder was closed: hand the lease over or release it. */
	CompletionStage<@Nullable Void> holderLeft(Holder left) {
		CompletableFuture<@Nullable Void> done = CompletableFuture.completedFuture(null);
		if (!turn().leave(left) || this.successor.handOver(this)) {
			this.reports.released(left);
			return done;
		}
		if (!this.state.compareAndSet(State.HELD, State.RELEASED)) {
			return done;
		}
		ended();
		CompletionStage<@Nullable Void> released = this.successor.release(this, left.cooldown(heldNanos(left)));
		this.reports.released(left);
		return released;
	}

	/** Others of this process take over (R17). */
	void passTo(Turn next) {
		this.turn.set(next);
		this.limit.start(next.first());
		if (next.isShared()) {
			this.handOverTime.whenOver(this::shareIfNotYoung);
			shareIfNotYoung();
		}
	}

	/** The engine stops: release the lease, and notify the holders (R14). */
	CompletionStage<@Nullable Void> stop() {
		if (!this.state.compareAndSet(State.HELD, State.LOST)) {
			return CompletableFuture.completedFuture(null);
		}
		Holder holder = turn().first();
		CompletionStage<@Nullable Void> released = this.successor.release(this, holder.cooldown(heldNanos(holder)));
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
		this.reports.lost(holder(), holders(), reason);
	}

	private void ended() {
		this.limit.cancel();
		this.handOverTime.cancel();
		this.parts.leases().remove(this);
	}

	@Override
	public String toString() {
		return String.join(",", names());
	}

}
