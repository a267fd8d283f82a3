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
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;

import org.jspecify.annotations.Nullable;

import io.quorlock.quorum.node.NodeCommand;
import io.quorlock.quorum.node.NodeReply;
import io.quorlock.time.LockTimer;

/**
 * One renewal of a lease (R6), on all nodes or, as a retry, on a quorum of them. It
 * counts once a quorum confirmed; a retry is another renewal, and the replies to both may
 * still come.
 */
final class Renewal extends NodeRequest {

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

	private final Voters voters;

	private final NodeCommand.Renew command;

	private final Listener listener;

	private final int epoch;

	private final long leaseNanos;

	/** The nodes that are asked, set before any of them can reply. */
	private long asked;

	private final AtomicLong confirmed = new AtomicLong();

	/** Whether a quorum confirmed. */
	private final AtomicBoolean counted = new AtomicBoolean();

	private final AtomicLong refused = new AtomicLong();

	private final AtomicLong replied = new AtomicLong();

	private final AtomicReferenceArray<@Nullable String> errors;

	private final CompletableFuture<Boolean> done = new CompletableFuture<>();

	Renewal(Voters voters, Messenger messenger, NodeCommand.Renew command, long sentNanos, int epoch, long leaseNanos,
			Listener listener) {
		super(messenger, command, sentNanos);
		this.voters = voters;
		this.command = command;
		this.epoch = epoch;
		this.leaseNanos = leaseNanos;
		this.listener = listener;
		this.errors = new AtomicReferenceArray<>(voters.size());
	}

	void start(long slots, LockTimer timer, long timeoutNanos) {
		asks(slots);
		LockTimer.Timeout timeout = timer.schedule(timeoutNanos, this::onTimeout);
		this.done.whenComplete((renewed, ex) -> timeout.cancel());
		submit(slots);
	}

	/** Called before it is sent. */
	void asks(long slots) {
		this.asked = slots;
	}

	void onTimeout() {
		if (!this.done.isDone()) {
			fail("no quorum confirmed its renewal in time" + describe());
		}
	}

	@Override
	void received(int slot, NodeReply reply) {
		this.listener.onReplied(slot);
		long bit = Voters.bit(slot);
		if (reply instanceof NodeReply.Failed failed) {
			this.errors.set(slot, failed.message());
		}
		if (reply.voting() && reply instanceof NodeReply.Done) {
			long confirmed = this.confirmed.updateAndGet((slots) -> slots | bit);
			if (this.voters.isMajority(confirmed) && this.counted.compareAndSet(false, true)) {
				if (this.listener.onConfirmed(this, confirmed)) {
					this.done.complete(true);
				}
				else {
					// Not upon its timeout: a stop may close the timer before (R14).
					fail("a quorum confirmed its renewal too late, or after the lease was shortened");
				}
			}
			else if (this.counted.get()) {
				this.listener.onAlsoConfirmed(slot);
			}
		}
		else if (reply.voting() && reply instanceof NodeReply.Refused && isRefusedByQuorum(bit)) {
			refuse();
		}
		// Behind what it confirms: who sees the last reply sees all confirmations.
		long replied = this.replied.updateAndGet((slots) -> slots | bit);
		if (replied == this.asked && !this.counted.get()) {
			fail("no quorum confirmed its renewal" + describe());
		}
	}

	private boolean isRefusedByQuorum(long bit) {
		return this.voters.isMajority(this.refused.updateAndGet((slots) -> slots | bit));
	}

	/**
	 * Another has the lock, unless this is so late that a retry may have been granted.
	 */
	private void refuse() {
		if (!this.done.isDone()) {
			this.listener.onRefused(this);
			this.done.complete(false);
		}
	}

	private void fail(String reason) {
		if (this.done.complete(false)) {
			this.listener.onFailed(this, reason);
		}
	}

	/** What each node that did not confirm replied. */
	private String describe() {
		StringBuilder text = new StringBuilder();
		for (int slot = 0; slot < this.voters.size(); slot++) {
			if ((this.confirmed.get() & Voters.bit(slot)) != 0) {
				continue;
			}
			String error = this.errors.get(slot);
			if (error == null) {
				boolean replied = (this.replied.get() & Voters.bit(slot)) != 0;
				error = replied ? "held by another owner, or not voting" : "no reply";
			}
			text.append("; node ").append(this.voters.node(slot).name()).append(": ").append(error);
		}
		return text.toString();
	}

	NodeCommand.Renew command() {
		return this.command;
	}

	/** Return the nodes that confirmed it so far. */
	long confirmed() {
		return this.confirmed.get();
	}

	CompletableFuture<Boolean> done() {
		return this.done;
	}

	int epoch() {
		return this.epoch;
	}

	long leaseNanos() {
		return this.leaseNanos;
	}

}
