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
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

import org.jspecify.annotations.Nullable;

import io.quorlock.quorum.node.Attempt;
import io.quorlock.quorum.node.CommandHeader;
import io.quorlock.quorum.node.InstanceMessage;
import io.quorlock.quorum.node.LockNode;
import io.quorlock.quorum.node.LockTarget;
import io.quorlock.quorum.node.NodeCommand;
import io.quorlock.quorum.node.NodeListener;
import io.quorlock.quorum.node.NodeReply;
import io.quorlock.quorum.node.NodeStatus;
import io.quorlock.quorum.node.OtherList;
import io.quorlock.quorum.node.Ticket;
import io.quorlock.store.NameLocks;
import io.quorlock.store.NodeState;
import io.quorlock.store.StoreObserver;
import io.quorlock.store.StoreStatus;
import io.quorlock.time.LockClock;
import io.quorlock.time.LockTimer;

/**
 * The nodes of a store, what is known of them, and what all claims and leases of the
 * store have in common.
 */
final class Quorum implements NodeListener {

	final Voters voters;

	final LockClock clock;

	final LockTimer timer;

	final Timing timing;

	/** Whether grants carry fencing tokens. */
	final boolean fencing;

	final Messenger messenger;

	final NodeClocks clocks;

	final FenceProposals proposals;

	final Messenger.UnconfirmedReleases unconfirmed;

	final Activity activity = new Activity();

	final RenewalSchedule renewals;

	final InstanceChannel channel;

	final NameLocks grantLocks = new NameLocks();

	final NameLocks roundLocks = new NameLocks();

	final NameLocks contenderLocks = new NameLocks();

	private final QuorumSettings settings;

	private final AtomicLong counter = new AtomicLong();

	private volatile String ownerPrefix;

	Quorum(QuorumSettings settings, List<? extends LockNode> nodes, LockClock clock, LockTimer timer,
			List<? extends StoreObserver> observers) {
		this.settings = settings;
		this.voters = new Voters(nodes);
		this.clock = clock;
		this.timer = timer;
		this.timing = new Timing(settings);
		this.fencing = settings.fencing();
		this.messenger = new Messenger(this.voters, clock, observers);
		this.clocks = new NodeClocks(clock, this.voters);
		this.proposals = new FenceProposals(this.clocks, settings.fencingFloor(), this.timing.readersStepMicros());
		this.unconfirmed = new Messenger.UnconfirmedReleases(timer, this.voters.size(),
				(slot) -> this.voters.nodes.get(slot).status().isConnected());
		this.renewals = new RenewalSchedule(this.messenger, clock, timer, this.timing);
		this.channel = new InstanceChannel(this.voters, this.messenger, () -> this.ownerPrefix,
				(slot, ticket, name) -> withdraw(Ticket.targetOf(ticket, name), ticket, Voters.bit(slot)));
		this.ownerPrefix = newOwnerPrefix();
	}

	private String newOwnerPrefix() {
		return this.settings.instanceId() + ":" + Long.toHexString(this.settings.identity().getAsLong()) + ":";
	}

	/** This may be one of several copies that were restored from one checkpoint. */
	void renewIdentity() {
		this.ownerPrefix = newOwnerPrefix();
	}

	/**
	 * Create an attempt with an owner of its own.
	 * @param retainable whether claims that are refused because of it ask for its lease
	 */
	Attempt newAttempt(boolean retainable) {
		String prefix = retainable ? this.ownerPrefix + Attempt.RETAINABLE : this.ownerPrefix;
		return new Attempt(prefix, this.counter.incrementAndGet(), this.clocks.unconfirmedMicros());
	}

	/** The ticket of a claim that was granted or ended goes (R21). */
	void withdraw(LockTarget target, String ticket, long slots) {
		if (slots != 0) {
			CommandHeader header = new CommandHeader(target, new Attempt(Ticket.claimOf(ticket)));
			new Ignored(new NodeCommand.Withdraw(header, ticket)).submit(slots);
		}
	}

	/** Permits beside the one that was granted are not needed (R20). */
	void drop(LockTarget target, Attempt attempt, int permit, long slots) {
		if (slots != 0 && !attempt.isReleasing()) {
			new Ignored(new NodeCommand.Drop(new CommandHeader(target, attempt), permit)).submit(slots);
		}
	}

	@Override
	public void onConnected(LockNode node) {
		this.clocks.refresh();
		this.unconfirmed.repeat(this.voters.slotOf(node));
	}

	@Override
	public void onLists(LockNode node, List<OtherList> lists) {
		this.voters.lists.report(this.voters.slotOf(node), lists, this.clock.minNanoTime());
	}

	@Override
	public void onMessage(LockNode node, InstanceMessage message) {
		this.channel.received(this.voters.slotOf(node), message);
	}

	@Override
	public void onListening(LockNode node) {
		this.channel.listening(this.voters.slotOf(node));
	}

	StoreStatus status() {
		List<NodeState> nodes = new ArrayList<>(this.voters.size());
		long voting = 0;
		for (int slot = 0; slot < this.voters.size(); slot++) {
			NodeStatus status = this.voters.nodes.get(slot).status();
			voting |= status.isVoting() ? Voters.bit(slot) : 0;
			nodes.add(new NodeState(this.voters.nodes.get(slot).name(), status.isVoting(),
					status.state().name().toLowerCase(Locale.ROOT), status.reason(), status.votesIn(), status.version(),
					status.runId(), offsetToWallClock(status), status.mismatch()));
		}
		return new StoreStatus(this.voters.isMajority(voting), this.voters.majority, List.copyOf(nodes), Map.of(),
				this.voters.lists.describe(this.settings.instanceId(), voting));
	}

	private @Nullable Long offsetToWallClock(NodeStatus status) {
		if (status.clockOffsetMicros().isEmpty()) {
			return null;
		}
		return this.clock.nanoTime() / 1_000 + status.clockOffsetMicros().getAsLong() - this.clock.wallMicros();
	}

	/** Its reply is not awaited: what is left over expires. */
	private final class Ignored extends NodeRequest<NodeCommand> {

		private Ignored(NodeCommand command) {
			super(Quorum.this.messenger, command, Quorum.this.clock.nanoTime());
		}

		@Override
		void received(int slot, NodeReply reply) {
		}

	}

	/**
	 * Counts what is under way, so that a store that stops can wait for it (R14).
	 */
	static final class Activity {

		private final AtomicInteger running = new AtomicInteger();

		private final AtomicReference<@Nullable CompletableFuture<@Nullable Void>> idle = new AtomicReference<>();

		void began() {
			this.running.incrementAndGet();
		}

		void ended() {
			if (this.running.decrementAndGet() == 0) {
				CompletableFuture<@Nullable Void> waiting = this.idle.get();
				if (waiting != null) {
					waiting.complete(null);
				}
			}
		}

		/** Complete when nothing is under way; for one caller at a time. */
		CompletableFuture<@Nullable Void> whenIdle() {
			CompletableFuture<@Nullable Void> idle = new CompletableFuture<>();
			this.idle.set(idle);
			if (this.running.get() == 0) {
				idle.complete(null);
			}
			return idle;
		}

	}

}
