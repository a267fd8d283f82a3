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

package io.quorlock.quorum;

import java.util.concurrent.CompletableFuture;

import org.jspecify.annotations.Nullable;

import io.quorlock.quorum.node.Attempt;
import io.quorlock.quorum.node.CommandHeader;
import io.quorlock.quorum.node.LockTarget;
import io.quorlock.quorum.node.NodeCommand;
import io.quorlock.quorum.node.NodeReply;
import io.quorlock.quorum.node.Ticket;
import io.quorlock.store.ReleaseResult;
import io.quorlock.time.LockTimer;

/**
 * The release of an attempt on every node that may hold its keys (R2, R8). Done when a
 * quorum confirmed, or after one operation timeout; what is not confirmed then is
 * repeated.
 */
final class Release implements Messenger.UnconfirmedReleases.Repeatable {

	private final Quorum quorum;

	private final LockTarget target;

	private final Attempt attempt;

	/** The nodes that may hold keys. */
	private final long slots;

	/** When the cool-down ends (R18), or 0 for none. */
	private final long cooldownUntilNanos;

	final CompletableFuture<ReleaseResult> done = new CompletableFuture<>();

	private volatile LockTimer.@Nullable Timeout timeout;

	/** Stands in the queue behind the release (R21). */
	private final @Nullable Ticket ticket;

	private final boolean ofFailedRound;

	/** From here on no key of the attempt can be left (R8). */
	private volatile long overNanos;

	// Guarded by the monitor.

	private long confirmed;

	private long failed;

	/** How many tickets wait, on the node with the most. */
	private int waiting;

	Release(Quorum quorum, LockTarget target, Attempt attempt, long slots, long cooldownUntilNanos,
			@Nullable Ticket ticket, boolean ofFailedRound) {
		this.ticket = ticket;
		this.ofFailedRound = ofFailedRound;
		this.quorum = quorum;
		this.target = target;
		this.attempt = attempt;
		this.slots = slots;
		this.cooldownUntilNanos = cooldownUntilNanos;
	}

	/** Send the release at once. */
	void submit() {
		submit(true);
	}

	/**
	 * Send the release at once, or with what follows; then the nodes have to be flushed.
	 */
	void submit(boolean atOnce) {
		this.attempt.releasing();
		Request request = request(this.ticket);
		this.overNanos = request.sentNanos + this.quorum.timing.longestLifeNanos
				+ Math.max(0, (this.cooldownUntilNanos != 0) ? this.cooldownUntilNanos - request.sentNanos : 0);
		this.quorum.activity.began();
		this.timeout = this.quorum.timer.schedule(this.quorum.timing.operationTimeoutNanos,
				() -> complete(ReleaseResult.UNCONFIRMED));
		request.submit(this.slots, atOnce);
		if (this.slots == 0) { // otherwise the replies do
			note(0, 0, 0);
		}
	}

	private void complete(ReleaseResult result) {
		if (this.done.complete(result)) {
			LockTimer.Timeout timeout = this.timeout;
			if (timeout != null) {
				timeout.cancel();
			}
			this.quorum.activity.ended();
		}
	}

	@Override
	public void repeat(int slot) {
		Request request = request(null); // the claim has perhaps ended since
		if (request.sentNanos - this.overNanos <= 0) {
			request.submit(Voters.bit(slot));
		}
	}

	private Request request(@Nullable Ticket ticket) {
		long now = this.quorum.clock.nanoTime();
		long cooldownNanos = (this.cooldownUntilNanos != 0) ? Math.max(0, this.cooldownUntilNanos - now) : 0;
		return new Request(new NodeCommand.Release(new CommandHeader(this.target, this.attempt),
				cooldownNanos / 1_000_000, ticket, this.ofFailedRound && ticket != null), now);
	}

	/** Some nodes replied. */
	private void note(long confirmed, long failed, int waiting) {
		boolean enough = false;
		boolean all = false;
		synchronized (this) {
			this.confirmed |= confirmed;
			this.failed |= failed;
			this.waiting = Math.max(this.waiting, waiting);
			if (!this.done.isDone()) {
				enough = this.quorum.voters.isMajority(this.confirmed) || this.confirmed == this.slots;
				all = (this.confirmed | this.failed) == this.slots;
			}
		}
		if (enough || all) {
			complete(enough ? ReleaseResult.CONFIRMED : ReleaseResult.UNCONFIRMED);
		}
	}

	/** Return whether it is confirmed, and no claim waits but the one behind it. */
	synchronized boolean isUnheard() {
		int own = (this.ticket != null) ? 1 : 0;
		return this.quorum.voters.isMajority(this.confirmed) && this.waiting <= own;
	}

	@Override
	public String toString() {
		return "release " + this.target + " by " + this.attempt;
	}

	private final class Request extends NodeRequest<NodeCommand.Release> {

		private Request(NodeCommand.Release command, long sentNanos) {
			super(Release.this.quorum.messenger, command, sentNanos);
		}

		@Override
		void received(int slot, NodeReply reply) {
			if (reply instanceof NodeReply.Released released) {
				note(Voters.bit(slot), 0, released.waiting());
			}
			else {
				Release.this.quorum.unconfirmed.add(slot, Release.this);
				note(0, Voters.bit(slot), 0);
			}
		}

	}

}
