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
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

import io.quorlock.LockMode;
import io.quorlock.ReleaseRequest;
import io.quorlock.store.Claim;
import io.quorlock.store.ClaimFailure.Held;
import io.quorlock.store.Grant;
import io.quorlock.store.NodeReport.Holder;
import io.quorlock.time.LockTimer;

/**
 * A lease of names of the map. Its state changes under the lock of the map.
 */
final class InMemoryGrant implements Grant {

	private final InMemoryLeases leases;

	private final InMemoryLeaseStore store;

	private final Claim claim;

	private final String owner;

	private final int permit;

	private final long[] tokens;

	private volatile LockMode mode;

	private volatile boolean renewing;

	private volatile long leaseNanos;

	/** The end of the lease, or of the cool-down behind it. */
	private volatile long untilNanos;

	/** Why it is not held any more. */
	private volatile @Nullable String end;

	private @Nullable String limit;

	private int passes;

	/**
	 * Extended, downgraded or not renewed any more, so that it is not passed on (R17).
	 */
	private boolean changed;

	private LockTimer.@Nullable Timeout timeout;

	private @Nullable Listener listener;

	private @Nullable Consumer<ReleaseRequest> onReleaseRequested;

	private @Nullable Runnable onWanted;

	InMemoryGrant(InMemoryLeases leases, InMemoryContender contender, int permit, long[] tokens) {
		this.leases = leases;
		this.store = contender.store;
		this.claim = contender.claim;
		this.owner = contender.owner;
		this.permit = permit;
		this.tokens = tokens;
		this.mode = this.claim.mode();
		this.renewing = this.claim.renewed();
		begin(this.claim.leaseNanos());
	}

	@Override
	public void keep(Listener listener) {
		this.leases.change(() -> {
			this.listener = listener;
			String reason = this.end;
			if (reason != null) {
				this.leases.report(() -> listener.onLost(reason));
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

	/** Pass a request on; {@code false} if nobody listens. */
	boolean requestRelease(ReleaseRequest request) {
		Consumer<ReleaseRequest> callback = this.onReleaseRequested;
		Runnable wanted = this.onWanted;
		if (this.end == null && wanted != null) {
			this.leases.report(wanted);
		}
		if (this.end == null && callback != null) {
			this.leases.report(() -> callback.accept(request));
		}
		return this.end == null && (wanted != null || callback != null);
	}

	private void begin(long nanos) {
		this.leaseNanos = nanos;
		this.untilNanos = this.leases.now() + nanos;
		lookLater();
	}

	private void lookLater() {
		cancelLook();
		long left = this.untilNanos - this.leases.now();
		long pause = (this.renewing && this.end == null) ? Math.min(left, this.leaseNanos / 3 + 1) : left;
		this.timeout = this.store.timer().schedule(pause, () -> this.leases.change(this::look));
	}

	private void cancelLook() {
		if (this.timeout != null) {
			this.timeout.cancel();
		}
	}

	/** Renew the lease, or end it or its cool-down. */
	void look() {
		boolean over = this.leases.now() - this.untilNanos >= 0;
		if (this.end == null && isKept()) {
			this.untilNanos = this.leases.now() + this.leaseNanos;
			report((notified) -> notified.onRenewed(true));
		}
		else if (this.end == null && over) {
			lose((this.limit != null) ? this.limit : this.claim.renewed() ? "its validity ended without a renewal"
					: "its lease time of " + this.leaseNanos / 1_000_000 + " ms ended before it was released");
			return;
		}
		else if (over) {
			this.leases.remove(this);
			return;
		}
		report(Listener::onRisk);
		lookLater();
	}

	private void report(Consumer<Listener> report) {
		Listener notified = this.listener;
		if (notified != null) {
			this.leases.report(() -> report.accept(notified));
		}
	}

	/** A map replies at once, so that no pause of the process ends a lease. */
	private boolean isKept() {
		return this.renewing && this.store.outage() == null;
	}

	@Override
	public @Nullable String loss() {
		if (this.end == null && !isKept() && this.leases.now() - this.untilNanos >= 0) {
			this.leases.change(this::look);
		}
		return this.end;
	}

	void lose(String reason) {
		if (this.end == null) {
			report((notified) -> notified.onLost(reason));
			end(reason, Duration.ZERO);
		}
	}

	/** End the lease, and free the names when they have cooled down (R18). */
	void end(String reason, Duration cooldown) {
		if (this.end == null) {
			this.end = reason;
			this.untilNanos = this.leases.now() + cooldown.toNanos();
			if (cooldown.isZero()) {
				cancelLook();
				this.leases.remove(this);
			}
			else {
				lookLater();
			}
		}
	}

	/** Change the lease, if it is held and was not passed on since. */
	private boolean change(int passes, Runnable change) {
		return this.leases.change(() -> {
			boolean held = passes == this.passes && this.end == null
					&& (isKept() || this.leases.now() - this.untilNanos < 0);
			if (held) {
				this.changed = true;
				change.run();
			}
			return held;
		});
	}

	@Override
	public CompletionStage<Boolean> extend(Duration lease, int passes) {
		return CompletableFuture
			.completedFuture(this.store.outage() == null && change(passes, () -> begin(lease.toNanos())));
	}

	@Override
	public void stopRenewal(String reason, int passes) {
		change(passes, () -> {
			this.renewing = false;
			this.limit = reason;
			lookLater();
		});
	}

	@Override
	public CompletionStage<Boolean> downgrade(int passes) {
		return CompletableFuture.completedFuture(change(passes, () -> {
			this.mode = LockMode.SHARED;
			this.leases.changed(names());
		}));
	}

	@Override
	public boolean passOn() {
		return this.leases.change(() -> {
			boolean passes = this.end == null && !this.changed
					&& validUntilNanos() - this.leases.now() > this.leaseNanos / 2;
			this.passes += passes ? 1 : 0;
			return passes;
		});
	}

	@Override
	public @Nullable Risk risk() {
		boolean risk = this.renewing && this.untilNanos - this.leases.now() <= this.leaseNanos / 3;
		String outage = this.store.outage();
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
		return this.store.fencing() ? this.tokens : null;
	}

	@Override
	public int tokenCount() {
		return (this.claim.mode() == LockMode.SHARED) ? 1 : this.claim.tokens();
	}

	long lastToken() {
		return this.tokens[0] + tokenCount() - 1;
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
		return (this.end == null && isKept()) ? this.leases.now() + this.leaseNanos : this.untilNanos;
	}

	@Override
	public List<String> nodes() {
		return List.of(InMemoryLeaseStore.NODE);
	}

	boolean isOf(String instanceId) {
		return this.store.instanceId().equals(instanceId);
	}

	/** Say why a claim does not get the name. */
	Held describe(int permits) {
		String instance = this.store.instanceId();
		if (this.end != null) {
			return new Held(null,
					"it cools down for another %d ms after its release".formatted(report().remaining().toMillis()));
		}
		return new Held(instance, switch (permits) {
			case 0 -> instance + ((this.mode == LockMode.SHARED) ? " shares it" : " holds it");
			case 1 -> instance + " holds the only permit";
			default -> "all %d permits are held, one of them by %s".formatted(permits, instance);
		});
	}

	Holder report() {
		return new Holder((this.end == null) ? this.owner : null, this.mode, this.permit,
				Duration.ofNanos(Math.max(0, validUntilNanos() - this.leases.now())));
	}

}
