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

package io.quorlock.memory;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

import io.quorlock.LockMode;
import io.quorlock.ReleaseRequest;
import io.quorlock.memory.InMemoryLeases.Store;
import io.quorlock.store.Claim;
import io.quorlock.store.ClaimFailure;
import io.quorlock.store.Contender;
import io.quorlock.store.Grant;
import io.quorlock.store.NodeReport;
import io.quorlock.time.LockTimer;

/**
 * A claim for names of the map, which becomes their lease. Its state changes under the
 * lock of the map.
 */
final class InMemoryLease implements Contender, Grant {

	private enum State {

		NEW, ASKING, HELD, ENDED

	}

	private final InMemoryLeases leases;

	final Store store;

	final Claim claim;

	private final Contender.Listener asker;

	private final String owner;

	final long[] tokens;

	private final List<Consumer<ClaimFailure>> asking = new ArrayList<>(0);

	private volatile State state = State.NEW;

	private boolean waiting;

	private volatile int attempts;

	private volatile ClaimFailure lastFailure = new ClaimFailure.Pending();

	private LockTimer.Timeout timeout = () -> {
	};

	int permit;

	private volatile LockMode mode;

	private volatile boolean renewing;

	private volatile long leaseNanos;

	/** The end of the wait, then of the lease, then of the cool-down behind it. */
	private volatile long untilNanos;

	/** Why it ends, or why it is not held any more. */
	private volatile String reason;

	private int turn;

	/**
	 * Extended, downgraded or not renewed any more, so that it is not passed on (R17).
	 */
	private boolean altered;

	private Grant.Listener holder = (reason) -> {
	};

	private Consumer<ReleaseRequest> onReleaseRequested = (request) -> {
	};

	private Runnable onWanted = () -> {
	};

	InMemoryLease(InMemoryLeases leases, Store store, Claim claim, Contender.Listener asker, String owner) {
		this.leases = leases;
		this.store = store;
		this.claim = claim;
		this.asker = asker;
		this.owner = owner;
		this.tokens = new long[claim.names().size()];
		this.mode = claim.mode();
		this.renewing = claim.renewed();
		this.reason = claim.renewed() ? "its validity ended without a renewal"
				: "its lease time of " + claim.leaseNanos() / 1_000_000 + " ms ended before it was released";
	}

	private void report(Consumer<Grant.Listener> report) {
		Grant.Listener notified = this.holder;
		this.leases.report(() -> report.accept(notified));
	}

	@Override
	public void start() {
		this.leases.change(this::begin);
	}

	void begin() {
		this.state = State.ASKING;
		this.untilNanos = this.claim.queuedAtNanos() + this.claim.waitNanos();
		ask();
		if (this.state == State.ASKING) {
			lookLater();
		}
	}

	void ask() {
		if (this.state != State.ASKING) {
			return;
		}
		this.attempts++;
		ClaimFailure failure = this.leases.take(this);
		if (failure == null) {
			this.state = State.HELD;
			hold(this.claim.leaseNanos());
			this.leases.report(() -> this.asker.onGranted(this));
			return;
		}
		this.lastFailure = failure;
		this.asking.forEach((outcome) -> this.leases.report(() -> outcome.accept(failure)));
		this.asking.clear();
		boolean down = failure instanceof ClaimFailure.Unavailable;
		if (this.claim.isImmediate() || this.attempts >= this.claim.maxAttempts() || (down && this.claim.failFast())) {
			fail(failure);
		}
		else if (!down && !this.waiting) {
			this.waiting = true;
			this.leases.report(this.asker::onWaiting);
		}
	}

	private void fail(ClaimFailure failure) {
		if (this.state == State.NEW || this.state == State.ASKING) {
			this.state = State.ENDED;
			this.timeout.cancel();
			this.leases.report(() -> this.asker.onFailed(failure));
			this.leases.remove(this);
		}
	}

	@Override
	public void cancel() {
		this.leases.change(() -> fail(new ClaimFailure.Cancelled()));
	}

	@Override
	public void askFor(Consumer<ClaimFailure> outcome) {
		this.leases.change(() -> {
			this.asking.add(outcome);
			ask();
		});
	}

	@Override
	public int attempts() {
		return this.attempts;
	}

	@Override
	public ClaimFailure lastFailure() {
		return this.lastFailure;
	}

	@Override
	public void keep(Grant.Listener listener) {
		this.leases.change(() -> {
			this.holder = listener;
			if (this.state == State.ENDED) {
				this.leases.report(() -> listener.onLost(this.reason));
			}
		});
	}

	@Override
	public void onReleaseRequested(Consumer<ReleaseRequest> callback) {
		this.leases.change(() -> this.onReleaseRequested = callback);
	}

	@Override
	public void onWanted(Runnable callback) {
		this.leases.change(() -> this.onWanted = callback);
	}

	/** Pass a request on to its holder. */
	void requestRelease(Duration deadline) {
		Consumer<ReleaseRequest> callback = this.onReleaseRequested;
		this.leases.report(this.onWanted);
		this.leases.report(() -> callback.accept(new ReleaseRequest(names(), deadline)));
	}

	private void hold(long nanos) {
		this.leaseNanos = nanos;
		this.untilNanos = this.leases.now() + nanos;
		lookLater();
	}

	private void lookLater() {
		long left = this.untilNanos - this.leases.now();
		boolean renewed = this.renewing && isHeld();
		this.timeout.cancel();
		this.timeout = this.store.timer.schedule(renewed ? Math.min(left, this.leaseNanos / 3 + 1) : left,
				() -> this.leases.change(this::look));
	}

	/** Renew the lease, or end the wait, the lease or its cool-down. */
	void look() {
		if (isKept()) {
			this.untilNanos = this.leases.now() + this.leaseNanos;
			report((notified) -> notified.onRenewed(true));
		}
		else if (isOver()) {
			switch (this.state) {
				case ASKING -> fail(this.lastFailure);
				case HELD -> lose(this.reason);
				default -> this.leases.remove(this);
			}
			return;
		}
		report(Grant.Listener::onRisk);
		lookLater();
	}

	private boolean isOver() {
		return this.leases.now() - this.untilNanos >= 0;
	}

	/** A map replies at once, so that no pause of the process ends a lease. */
	private boolean isKept() {
		return this.renewing && isHeld() && this.store.outage() == null;
	}

	@Override
	public @Nullable String loss() {
		if (isHeld() && !isKept() && isOver()) {
			this.leases.change(this::look);
		}
		return (this.state == State.ENDED) ? this.reason : null;
	}

	boolean isWaiting() {
		return this.state == State.ASKING;
	}

	boolean isHeld() {
		return this.state == State.HELD;
	}

	void lose(String reason) {
		end(reason, Duration.ZERO);
		report((notified) -> notified.onLost(reason));
	}

	/** End the lease, and free the names when they have cooled down (R18). */
	void end(String reason, Duration cooldown) {
		this.reason = reason;
		this.state = State.ENDED;
		this.untilNanos = this.leases.now() + cooldown.toNanos();
		if (cooldown.isZero()) {
			this.timeout.cancel();
			this.leases.remove(this);
		}
		else {
			lookLater();
		}
	}

	/** Change the lease, if it is held and was not passed on since. */
	private CompletionStage<Boolean> change(int turn, Runnable change) {
		return CompletableFuture.completedFuture(this.leases.locked(() -> {
			boolean held = turn == this.turn && isHeld() && (isKept() || !isOver());
			if (held) {
				this.altered = true;
				change.run();
			}
			return held;
		}));
	}

	@Override
	public CompletionStage<Boolean> extend(Duration lease, int turn) {
		return (this.store.outage() != null) ? CompletableFuture.completedFuture(false)
				: change(turn, () -> hold(lease.toNanos()));
	}

	@Override
	public void stopRenewal(String reason, int turn) {
		change(turn, () -> {
			this.renewing = false;
			this.reason = reason;
			lookLater();
		});
	}

	@Override
	public CompletionStage<Boolean> downgrade(int turn) {
		return change(turn, () -> {
			this.mode = LockMode.SHARED;
			this.leases.changed(names());
		});
	}

	@Override
	public boolean passOn() {
		return this.leases.locked(() -> {
			boolean passes = isHeld() && !this.altered && validUntilNanos() - this.leases.now() > this.leaseNanos / 2;
			this.turn += passes ? 1 : 0;
			return passes;
		});
	}

	@Override
	public @Nullable Risk risk() {
		String outage = this.store.outage();
		boolean risk = this.renewing && this.untilNanos - this.leases.now() <= this.leaseNanos / 3;
		return (risk && outage != null && isValid()) ? new Risk(this.untilNanos - this.leaseNanos, List.of(), outage)
				: null;
	}

	@Override
	public List<String> names() {
		return this.claim.names();
	}

	@Override
	public String owner() {
		return this.owner;
	}

	@Override
	public long @Nullable [] tokens() {
		return this.store.fencing ? this.tokens : null;
	}

	@Override
	public int tokenCount() {
		return (this.claim.mode() == LockMode.SHARED) ? 1 : this.claim.tokens();
	}

	@Override
	public int permit() {
		return this.permit;
	}

	@Override
	public LockMode mode() {
		return this.mode;
	}

	@Override
	public long validUntilNanos() {
		return isKept() ? this.leases.now() + this.leaseNanos : this.untilNanos;
	}

	@Override
	public List<String> nodes() {
		return List.of(InMemoryLeases.NODE);
	}

	/** Say why another claim does not get the name. */
	ClaimFailure.Held refuse(int permits) {
		String instance = this.store.instanceId;
		return switch (this.state) {
			case NEW, ASKING -> new ClaimFailure.Held(instance, instance + " has waited for it for longer");
			case ENDED -> new ClaimFailure.Held(null, "it cools down for another %d ms after its release"
				.formatted((this.untilNanos - this.leases.now()) / 1_000_000));
			case HELD -> new ClaimFailure.Held(instance, switch (permits) {
				case 0 -> instance + ((this.mode == LockMode.SHARED) ? " shares it" : " holds it");
				case 1 -> instance + " holds the only permit";
				default -> "all %d permits are held, one of them by %s".formatted(permits, instance);
			});
		};
	}

	NodeReport.Holder holder() {
		return new NodeReport.Holder(isHeld() ? this.owner : null, this.mode, this.permit,
				Duration.ofNanos(Math.max(0, validUntilNanos() - this.leases.now())));
	}

	NodeReport.Waiter waiter() {
		return new NodeReport.Waiter(this.owner, this.mode,
				Duration.ofNanos(this.leases.now() - this.claim.queuedAtNanos()));
	}

}
