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

package io.quorlock.zookeeper;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

import org.apache.zookeeper.KeeperException.Code;
import org.jspecify.annotations.Nullable;

import io.quorlock.LockMode;
import io.quorlock.ReleaseRequest;
import io.quorlock.store.Claim;
import io.quorlock.time.LockTimer;

/**
 * Nodes that are first in their queues, for as long as their session is proven (R22) and
 * the lease lasts, if it has an end.
 */
final class ZooKeeperGrant implements StoreContext.Held, Session.Member {

	private final StoreContext context;

	private final Claim claim;

	private final ClaimNodes entry;

	private final Session session;

	private final String owner;

	private final long @Nullable [] tokens;

	private final int permit;

	private final int proof;

	/** Of the session, when the lease was granted. */
	private final int riskBefore;

	/** Since {@link #keep}. */
	private ClaimNodes.@Nullable Watch nodeWatch;

	/** Shared after a downgrade (R19). */
	private volatile LockMode mode;

	/** When the lease ends even if the session goes on, if it does. */
	private volatile @Nullable Long endNanos;

	private LockTimer.Timeout endTimer = () -> {
	};

	private int turn;

	private boolean over;

	/** Why it ends, or why it is not held any more. */
	private String reason = "the lease ended";

	private volatile @Nullable Listener listener;

	ZooKeeperGrant(StoreContext context, Claim claim, ClaimNodes entry, String owner, long @Nullable [] tokens,
			int permit, int proof) {
		this.context = context;
		this.claim = claim;
		this.entry = entry;
		this.session = entry.session();
		this.owner = owner;
		this.tokens = tokens;
		this.permit = permit;
		this.proof = proof;
		this.riskBefore = this.session.risk();
		this.mode = claim.mode();
		this.endNanos = claim.renewed() ? null : context.now() + claim.leaseNanos();
		context.granted(this);
	}

	@Override
	public void keep(Listener listener) {
		String lost;
		synchronized (this) {
			lost = this.over ? this.reason : null;
			this.listener = listener;
		}
		if (lost != null) {
			listener.onLost(lost);
			return;
		}
		this.session.join(this);
		Risk begun = risk();
		if (begun != null && begun.episode() != Episode.BEFORE_GRANT) {
			listener.onRisk(); // since before it joined
		}
		watchNodes();
		watchEnd();
	}

	private synchronized void watchNodes() {
		if (!this.over) {
			this.nodeWatch = new ClaimNodes.Watch(this.session, this.entry.paths(), this::deletedFromOutside);
		}
	}

	private synchronized void forgetNodes() {
		if (this.nodeWatch != null) {
			this.nodeWatch.forget();
			this.nodeWatch = null;
		}
	}

	/** There is one timer, however often the lease is extended. */
	private synchronized void watchEnd() {
		if (!this.over && this.endNanos != null) {
			this.endTimer.cancel();
			this.endTimer = this.context.timer.schedule(this.endNanos - this.context.now(), () -> {
				if (isValid()) {
					watchEnd();
				}
			});
		}
	}

	@Override
	public @Nullable String loss() {
		String lost;
		synchronized (this) {
			if (this.over) {
				return this.reason;
			}
			if (!this.session.isProven(this.proof)) {
				lost = "the session with ZooKeeper is not proven to be alive";
			}
			else if (this.endNanos != null && this.context.now() - this.endNanos >= 0) {
				lost = this.reason;
			}
			else {
				return null;
			}
		}
		lose(lost);
		return lost;
	}

	@Override
	public long validUntilNanos() {
		long proven = this.session.provenUntil();
		Long end = this.endNanos;
		return (end != null && end - proven < 0) ? end : proven;
	}

	@Override
	public boolean passOn() {
		if (!isValid() || this.session.provenUntil() - this.context.now() < this.session.timeoutMillis() * 250_000L) {
			return false;
		}
		synchronized (this) {
			if (this.over || this.mode != this.claim.mode() || (this.claim.renewed() && this.endNanos != null)) {
				return false;
			}
			this.turn++;
			if (this.endNanos != null) {
				this.endNanos = this.context.now() + this.claim.leaseNanos();
			}
		}
		watchEnd(); // the holder before may have extended the lease for longer
		return true;
	}

	@Override
	public void onReleaseRequested(Consumer<ReleaseRequest> callback) {
		throw requestsAreNotPassedOn();
	}

	static UnsupportedOperationException requestsAreNotPassedOn() {
		return new UnsupportedOperationException("Requests to release a lock are not passed on by the backend "
				+ "'zookeeper': keep the locks on Redis nodes, or ask the holder in another way");
	}

	@Override
	public CompletionStage<Boolean> extend(Duration lease, int turn) {
		boolean extended = changed(turn, () -> {
			// A renewed lease goes on for as long as the session does.
			if (this.endNanos != null) {
				this.endNanos = this.context.now() + lease.toNanos();
			}
		});
		if (extended) {
			watchEnd();
		}
		return CompletableFuture.completedFuture(extended);
	}

	/** Change the lease for its holder, unless it is lost or has been passed on. */
	private boolean changed(int turn, Runnable change) {
		if (!isValid()) {
			return false;
		}
		synchronized (this) {
			if (this.over || turn != this.turn) {
				return false;
			}
			change.run();
			return true;
		}
	}

	@Override
	public void stopRenewal(String reason, int turn) {
		synchronized (this) {
			if (!this.over && this.endNanos == null && turn == this.turn) {
				long lease = this.context.now() + this.claim.leaseNanos();
				long proven = this.session.provenUntil();
				this.endNanos = (lease - proven < 0) ? lease : proven;
				this.reason = reason;
			}
		}
		watchEnd();
	}

	/**
	 * Give the names back.
	 * @param cooldown how long others are kept out all the same
	 * @return completes when the nodes are gone, with {@code false} if the servers refuse
	 * to delete them
	 */
	CompletionStage<Boolean> release(Duration cooldown) {
		if (!finish("it was released")) {
			return this.entry.gone();
		}
		if (this.permit > 0 && !cooldown.isZero()) {
			// A name that cools down keeps everybody out, but other permits stay free:
			// instead, the node of this one is kept.
			this.context.timer.schedule(cooldown.toNanos(), () -> this.context.removed(this.entry.remove()));
			return CompletableFuture.completedFuture(true);
		}
		CompletionStage<Boolean> gone = cooldown.isZero() ? this.entry.remove()
				: this.entry.remove(Cooldown.data(cooldown, this.owner));
		if (!cooldown.isZero()) {
			gone.thenRun(() -> this.context.timer.schedule(cooldown.toNanos(), this::endCooldown));
		}
		this.context.removed(gone);
		return gone;
	}

	/** The next claim does it too, if this process is not there any more. */
	private void endCooldown() {
		for (String container : this.entry.containers()) {
			Cooldown.end(this.session.requests(), container, this.owner);
		}
	}

	private void deletedFromOutside() {
		lose("its node is gone: it was deleted, or the session expired");
	}

	private void lose(String reason) {
		if (finish(reason)) {
			remove();
			tell((notified) -> notified.onLost(reason));
		}
	}

	@Override
	public Runnable revoke(String reason) {
		if (!finish(reason)) {
			return () -> {
			};
		}
		tell((notified) -> notified.onLost(reason));
		return this::remove;
	}

	private void remove() {
		this.context.removed(this.entry.remove());
	}

	private void tell(Consumer<Listener> event) {
		Listener notified = this.listener;
		if (notified != null) {
			event.accept(notified);
		}
	}

	/** Whether heartbeats keep the lease alive. */
	private boolean isRenewed() {
		return this.claim.renewed() && this.endNanos == null;
	}

	private boolean finish(String reason) {
		synchronized (this) {
			if (this.over) {
				return false;
			}
			this.over = true;
			this.reason = reason;
			this.endTimer.cancel();
		}
		forgetNodes();
		this.session.leave(this);
		this.context.released(this);
		return true;
	}

	@Override
	public void onHeartbeat(boolean proven) {
		if (isRenewed()) {
			boolean confirmed = proven && isValid();
			tell((notified) -> notified.onRenewed(confirmed));
		}
	}

	@Override
	public void onRisk() {
		if (isRenewed()) {
			tell(Listener::onRisk);
		}
	}

	@Override
	public @Nullable Risk risk() {
		int current = this.session.risk();
		return (current > 0 && isRenewed()) ? new Risk(this.session.provenSince(), List.of(),
				"ZooKeeper has not replied to the heartbeats of the session",
				(current == this.riskBefore) ? Episode.BEFORE_GRANT : Episode.OF_STORE) : null;
	}

	@Override
	public void onLapse() {
		isValid();
	}

	@Override
	public void onOver(String reason) {
		lose(reason);
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
		return this.tokens;
	}

	@Override
	public int tokenCount() {
		return this.claim.tokens();
	}

	@Override
	public LockMode mode() {
		return this.mode;
	}

	@Override
	public CompletionStage<Boolean> downgrade(int turn) {
		// R19: a writer no more, before a reader can be let in.
		if (!changed(turn, () -> this.mode = LockMode.SHARED)) {
			return CompletableFuture.completedFuture(false);
		}
		forgetNodes();
		String data = new ClaimQueue.NodeData(this.owner, (this.tokens != null) ? this.tokens[0] : 0).toString();
		CompletableFuture<Boolean> turned = new CompletableFuture<>();
		turn(data, turned);
		return this.context.withinOperationTimeout(turned);
	}

	/** Goes on until the session is over, or the nodes are being deleted. */
	private void turn(String data, CompletableFuture<Boolean> turned) {
		this.entry.downgrade(data, (code, results) -> {
			switch (code) {
				case CONNECTIONLOSS -> this.session.resume(() -> turn(data, turned));
				case NONODE -> deletedFromOutside();
				// With another result they go on as they were.
				default -> watchNodes();
			}
			if (code != Code.CONNECTIONLOSS) {
				turned.complete(code == Code.OK);
			}
		});
	}

	@Override
	public int permit() {
		return this.permit;
	}

	@Override
	public List<String> nodes() {
		return List.of(this.context.settings.connectString());
	}

}
