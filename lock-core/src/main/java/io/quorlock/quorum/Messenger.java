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

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.IntPredicate;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import io.quorlock.quorum.node.JointRenewal;
import io.quorlock.quorum.node.LockNode;
import io.quorlock.quorum.node.NodeCommand;
import io.quorlock.quorum.node.NodeReply;
import io.quorlock.quorum.node.ReplyHandler;
import io.quorlock.store.ReplyOutcome;
import io.quorlock.store.StoreObserver;
import io.quorlock.time.LockClock;
import io.quorlock.time.LockTimer;

/**
 * Brings commands to the nodes, and their replies to the observers. Callers hold no lock:
 * a node that is not connected replies before {@code submit} returns.
 */
final class Messenger {

	private static final Log logger = LogFactory.getLog(Messenger.class);

	/** A node that owes a reply for longer than this hangs. */
	private static final long HANGING_NANOS = 10_000_000;

	private final Voters voters;

	private final LockClock clock;

	private final List<StoreObserver> observers;

	/** Per node: since when it has owed a reply, 0 if it owes none. */
	private final AtomicLongArray owingSince;

	Messenger(Voters voters, LockClock clock, List<? extends StoreObserver> observers) {
		this.voters = voters;
		this.owingSince = new AtomicLongArray(voters.size());
		this.clock = clock;
		this.observers = List.copyOf(observers);
	}

	/**
	 * Send a command.
	 * @param atOnce whether it is sent at once, or with what follows or by
	 * {@link #flush()}
	 */
	void submit(long slots, NodeCommand command, ReplyHandler handler, long nowNanos, boolean atOnce) {
		for (long left = slots; left != 0; left &= left - 1) {
			int slot = Long.numberOfTrailingZeros(left);
			submitted(slot, nowNanos);
			if (atOnce) {
				this.voters.nodes.get(slot).submit(command, slot, handler);
			}
			else {
				this.voters.nodes.get(slot).enqueue(command, slot, handler);
			}
		}
	}

	void submit(long slots, JointRenewal joint, long nowNanos) {
		for (long left = slots; left != 0; left &= left - 1) {
			int slot = Long.numberOfTrailingZeros(left);
			submitted(slot, nowNanos);
			this.voters.nodes.get(slot).submit(joint, slot);
		}
	}

	private void submitted(int slot, long nowNanos) {
		if (this.owingSince.get(slot) == 0) {
			this.owingSince.set(slot, nowNanos | 1); // never 0
		}
	}

	/** Return the nodes that hang: they are not waited for. */
	long hanging(long nowNanos) {
		long hanging = 0;
		for (int slot = 0; slot < this.owingSince.length(); slot++) {
			long since = this.owingSince.get(slot);
			if (since != 0 && nowNanos - since > HANGING_NANOS) {
				hanging |= Voters.bit(slot);
			}
		}
		return hanging;
	}

	void flush() {
		for (int slot = 0; slot < this.voters.size(); slot++) {
			this.voters.nodes.get(slot).flush();
		}
	}

	void replied(int slot, NodeCommand command, NodeReply reply, long sinceNanos) {
		this.owingSince.set(slot, 0);
		if (this.observers.isEmpty()) {
			return;
		}
		LockNode node = this.voters.nodes.get(slot);
		long nanos = this.clock.nanoTime() - sinceNanos;
		for (StoreObserver observer : this.observers) {
			try {
				observer.onReply(node.name(), command.operation(), outcome(reply),
						(reply instanceof NodeReply.Failed failed) ? failed.message() : null, nanos);
			}
			catch (RuntimeException | Error ex) {
				// A vote must not be lost by it.
				logger.error("Observer " + observer + " of lock nodes failed; mend it: it must not throw", ex);
			}
		}
	}

	private static ReplyOutcome outcome(NodeReply reply) {
		if (reply instanceof NodeReply.Failed failed) {
			return switch (failed.cause()) {
				case ERROR -> ReplyOutcome.ERROR;
				case CONNECTION_LOST -> ReplyOutcome.LOST;
				case NOT_SENT -> ReplyOutcome.NOT_SENT;
			};
		}
		boolean refused = reply instanceof NodeReply.Refused || reply instanceof NodeReply.NotHeld;
		return refused ? ReplyOutcome.REFUSED : ReplyOutcome.OK;
	}

	/**
	 * Releases that a node did not confirm. They are sent again when the node is
	 * connected again, or after a while (R8), so that no key stays longer than it must.
	 */
	static final class UnconfirmedReleases {

		/** A release that can be sent to one node once more. */
		interface Repeatable {

			void repeat(int slot);

		}

		/** Beyond this the oldest is dropped: its key expires with the lease. */
		private static final int MAX_PER_NODE = 100_000;

		private static final long RETRY_NANOS = 1_000_000_000;

		private final LockTimer timer;

		private final IntPredicate connected;

		/** By slot, the oldest first. */
		private final List<BlockingQueue<Repeatable>> releases = new ArrayList<>();

		private final AtomicBoolean scheduled = new AtomicBoolean();

		private volatile boolean stopped;

		UnconfirmedReleases(LockTimer timer, int nodes, IntPredicate connected) {
			this.timer = timer;
			this.connected = connected;
			for (int slot = 0; slot < nodes; slot++) {
				this.releases.add(new LinkedBlockingQueue<>(MAX_PER_NODE));
			}
		}

		void start() {
			this.stopped = false;
		}

		void stop() {
			this.stopped = true;
		}

		void add(int slot, Repeatable release) {
			BlockingQueue<Repeatable> ofNode = this.releases.get(slot);
			while (!ofNode.offer(release)) {
				ofNode.poll();
			}
			scheduleRetry();
		}

		private void scheduleRetry() {
			if (!this.stopped && this.scheduled.compareAndSet(false, true)) {
				this.timer.schedule(RETRY_NANOS, this::repeatAll);
			}
		}

		private void repeatAll() {
			this.scheduled.set(false);
			boolean left = false;
			for (int slot = 0; slot < this.releases.size(); slot++) {
				if (this.connected.test(slot)) {
					repeat(slot);
				}
				left |= !this.releases.get(slot).isEmpty();
			}
			if (left) {
				scheduleRetry();
			}
		}

		/** Send the releases of a node again, since it was connected. */
		void repeat(int slot) {
			BlockingQueue<Repeatable> ofNode = this.releases.get(slot);
			// Not until the queue is empty: what fails again is added again.
			for (int left = ofNode.size(); left > 0; left--) {
				Repeatable release = ofNode.poll();
				if (release != null) {
					release.repeat(slot);
				}
			}
		}

	}

}
