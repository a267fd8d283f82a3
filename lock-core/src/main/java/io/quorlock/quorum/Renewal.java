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

import io.quorlock.quorum.node.NodeCommand;
import io.quorlock.quorum.node.NodeReply;
import io.quorlock.time.LockTimer;

/**
 * One renewal of a lease (R6), on all nodes or, as a retry, on a quorum of them. It
 * counts once a quorum confirmed; a retry is another renewal, and the replies to both may
 * still come.
 */
final class Renewal extends NodeRequest<NodeCommand.Renew> {

	/** Is notified of the outcome. */
	interface Listener {

		/** A node that was asked replied, whatever it said. */
		void onReplied(int slot);

		/**
		 * A quorum confirmed.
		 * @return whether that came in time
		 */
		boolean onConfirmed(Renewal renewal, long confirmedBy);

		/** Another node confirmed a renewal that had its quorum already. */
		void onAlsoConfirmed(int slot);

		/** A quorum says that another owner has the lock. */
		void onRefused(Renewal renewal);

		/** No quorum confirmed. */
		void onFailed(Renewal renewal, String reason);

	}

	private enum Step {

		WAIT, CONFIRM, CONFIRM_ALSO, REFUSE, FAIL

	}

	private final Voters voters;

	private final Listener listener;

	final int epoch;

	final long leaseNanos;

	/** The nodes that are asked, set before any of them can reply. */
	private long asked;

	/** Of a renewal that is sent by itself. */
	private volatile LockTimer.@Nullable Timeout timeout;

	// Guarded by the monitor: a lock object each would be the half of a renewal.

	private long confirmed;

	private long refused;

	private long replied;

	/** By slot; made for the first error. */
	private @Nullable String @Nullable [] errors;

	/** Whether a quorum confirmed. */
	private boolean counted;

	/** What became of it, null while it is open. */
	private @Nullable Boolean outcome;

	/** Of a renewal that a holder asked for. */
	private @Nullable CompletableFuture<Boolean> done;

	Renewal(Voters voters, Messenger messenger, NodeCommand.Renew command, long sentNanos, int epoch, long leaseNanos,
			Listener listener) {
		super(messenger, command, sentNanos);
		this.voters = voters;
		this.epoch = epoch;
		this.leaseNanos = leaseNanos;
		this.listener = listener;
	}

	void start(long slots, LockTimer timer, long timeoutNanos) {
		asks(slots);
		this.timeout = timer.schedule(timeoutNanos, this::onTimeout);
		submit(slots);
	}

	/** Called before it is sent. */
	void asks(long slots) {
		this.asked = slots;
	}

	void onTimeout() {
		if (isOpen()) {
			fail("no quorum confirmed its renewal in time" + describe());
		}
	}

	@Override
	void received(int slot, NodeReply reply) {
		this.listener.onReplied(slot);
		switch (note(slot, reply)) {
			case WAIT -> {
			}
			case CONFIRM -> {
				if (this.listener.onConfirmed(this, confirmed())) {
					end(true);
				}
				else {
					// Not upon its timeout: a stop may close the timer before (R14).
					fail("a quorum confirmed its renewal too late, or after the lease was shortened");
				}
			}
			case CONFIRM_ALSO -> this.listener.onAlsoConfirmed(slot);
			case REFUSE -> {
				// Unless this is so late that a retry may have been confirmed.
				if (isOpen()) {
					this.listener.onRefused(this);
					end(false);
				}
			}
			case FAIL -> fail("no quorum confirmed its renewal" + describe());
		}
	}

	private synchronized Step note(int slot, NodeReply reply) {
		long bit = Voters.bit(slot);
		this.replied |= bit;
		if (reply instanceof NodeReply.Failed failed) {
			if (this.errors == null) {
				this.errors = new String[this.voters.size()];
			}
			this.errors[slot] = failed.message();
		}
		if (reply.voting() && reply instanceof NodeReply.Done) {
			this.confirmed |= bit;
			if (this.counted) {
				return Step.CONFIRM_ALSO;
			}
			this.counted = this.voters.isMajority(this.confirmed);
			if (this.counted) {
				return Step.CONFIRM;
			}
		}
		else if (reply.voting() && reply instanceof NodeReply.Refused) {
			this.refused |= bit;
			if (this.voters.isMajority(this.refused)) {
				return Step.REFUSE;
			}
		}
		return (this.replied == this.asked && !this.counted) ? Step.FAIL : Step.WAIT;
	}

	private void fail(String reason) {
		if (end(false)) {
			this.listener.onFailed(this, reason);
		}
	}

	/** Return whether it was still open. */
	private boolean end(boolean confirmed) {
		CompletableFuture<Boolean> done;
		synchronized (this) {
			if (this.outcome != null) {
				return false;
			}
			this.outcome = confirmed;
			done = this.done;
		}
		LockTimer.Timeout timeout = this.timeout;
		if (timeout != null) {
			timeout.cancel();
		}
		if (done != null) {
			done.complete(confirmed);
		}
		return true;
	}

	private synchronized boolean isOpen() {
		return this.outcome == null;
	}

	/** What each node that did not confirm replied. */
	private synchronized String describe() {
		StringBuilder text = new StringBuilder();
		for (int slot = 0; slot < this.voters.size(); slot++) {
			if ((this.confirmed & Voters.bit(slot)) != 0) {
				continue;
			}
			String error = (this.errors != null) ? this.errors[slot] : null;
			if (error == null) {
				boolean replied = (this.replied & Voters.bit(slot)) != 0;
				error = replied ? "held by another owner, or not voting" : "no reply";
			}
			text.append("; node ").append(this.voters.nodes.get(slot).name()).append(": ").append(error);
		}
		return text.toString();
	}

	/** Return the nodes that confirmed it so far. */
	synchronized long confirmed() {
		return this.confirmed;
	}

	/** Return whether it was confirmed, once that is known. */
	synchronized CompletableFuture<Boolean> done() {
		if (this.outcome != null) {
			return CompletableFuture.completedFuture(this.outcome);
		}
		if (this.done == null) {
			this.done = new CompletableFuture<>();
		}
		return this.done;
	}

}
