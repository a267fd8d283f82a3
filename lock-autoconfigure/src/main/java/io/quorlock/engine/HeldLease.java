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
 * A lease that this process holds: its holders, and what happens when it is lost, handed
 * over or released. The store keeps it alive.
 */
final class HeldLease implements LocalQueue.Member {

	/** What leases of one engine share. */
	record Parts(Object engine, EngineSettings settings, EngineClock clock, EngineTimer timer, Listeners listeners,
			Callbacks callbacks, Set<HeldLease> leases) {
	}

	private final Parts parts;

	private final Grant grant;

	private final Successor<HeldLease> successor;

	/** What the store was asked for. */
	private final LockRequest request;

	private final LeaseState state = new LeaseState();

	private final LeaseMode mode;

	/** Its present holders. */
	private final AtomicReference<Turn> turn;

	private final LeaseReports reports;

	private final RequestsToRelease requests;

	private final TokenRange tokens;

	private final Tenure tenure;

	HeldLease(Parts parts, Grant grant, Holder holder, Successor<HeldLease> successor) {
		this.parts = parts;
		this.grant = grant;
		this.mode = new LeaseMode(grant);
		this.turn = new AtomicReference<>(Turn.of(this.mode.get(), holder));
		this.successor = successor;
		this.request = holder.request();
		this.requests = new RequestsToRelease(grant, this::holders, () -> successor.giveUp(this));
		this.tenure = new Tenure(parts.settings(), parts.clock(), parts.timer(), this.request, grant, this.requests);
		this.tokens = new TokenRange(grant, this.tenure.isRetainable());
		this.reports = new LeaseReports(parts.listeners(), parts.clock(), grant);
	}

	/** Watch the lease until it ends. */
	void start() {
		this.parts.leases().add(this);
		this.tenure.held(turn());
		if (this.tenure.isRetainable()) {
			this.grant.onWanted(this.requests::wanted);
		}
		this.grant.keep(this::onLost, this::onRenewed);
	}

	private void onRenewed(boolean confirmed) {
		Holder holder = holder();
		this.reports.renewed(holder, confirmed);
		if (this.state.isHeld()) {
			this.tenure.renewed(holder, heldNanos(holder));
		}
	}

	long heldNanos(Holder holder) {
		return this.reports.heldNanos(holder);
	}

	/** Return whether the lease is valid; once it is not, it never is again (R7). */
	boolean isHeld() {
		return this.state.isHeld() && this.grant.isValid();
	}

	/** Return whether it has a holder, so that a refusal because of it is true. */
	boolean isInUse() {
		return isHeld() && !holders().isEmpty();
	}

	/** Return whether it is kept although it is unused (R24). */
	boolean isRetained() {
		return this.state.isRetained() && this.grant.isValid();
	}

	Duration remaining() {
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

	Collection<Holder> holders() {
		return turn().holders();
	}

	RequestsToRelease requests() {
		return this.requests;
	}

	Grant grant() {
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
				&& this.turn.compareAndSet(before, Turn.of(LockMode.SHARED, writer))) {
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
	CompletionStage<@Nullable Void> holderLeft(Holder left) {
		CompletionStage<@Nullable Void> done = CompletableFuture.completedFuture(null);
		this.tenure.left(left.cooldown(heldNanos(left)));
		if (turn().leave(left) && !this.successor.handOver(this) && !this.successor.retain(this, left)) {
			if (!end()) {
				this.reports.lost(left, List.of(left), this.state.lossReason());
				return done;
			}
			done = this.successor.release(this, this.tenure.cooldown());
		}
		this.reports.released(left);
		return done;
	}

	/** End a lease that has no holder any more; {@code false} if it was lost. */
	boolean end() {
		return ended(this.state.release());
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

	/** The engine stops: release the lease, and notify the holders (R14). */
	CompletionStage<@Nullable Void> stop() {
		String reason = "the lock engine of this instance was stopped while it was held";
		if (!this.state.lose(reason)) {
			return CompletableFuture.completedFuture(null);
		}
		holders().forEach((holder) -> this.tenure.left(holder.cooldown(heldNanos(holder))));
		CompletionStage<@Nullable Void> released = this.successor.release(this, this.tenure.cooldown());
		lost(reason);
		return released;
	}

	private void onLost(String reason) {
		if (this.state.lose(reason)) {
			lost(reason);
			this.successor.lost(this);
		}
	}

	private void lost(String reason) {
		ended(true);
		this.reports.lost(holder(), holders(), reason);
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
		return String.join(",", names());
	}

}
