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

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import io.quorlock.quorum.node.Attempt;
import io.quorlock.quorum.node.CommandHeader;
import io.quorlock.quorum.node.LockNode;
import io.quorlock.quorum.node.LockTarget;
import io.quorlock.quorum.node.NodeCommand;
import io.quorlock.quorum.node.NodeListener;
import io.quorlock.quorum.node.NodeStatus;
import io.quorlock.quorum.node.OperatorCommand;
import io.quorlock.quorum.node.Ticket;
import io.quorlock.store.Claim;
import io.quorlock.store.Contender;
import io.quorlock.store.Grant;
import io.quorlock.store.LeaseStore;
import io.quorlock.store.NodeReport;
import io.quorlock.store.NodeState;
import io.quorlock.store.ReleaseResult;
import io.quorlock.store.StoreObserver;
import io.quorlock.store.StoreStatus;
import io.quorlock.time.LockClock;
import io.quorlock.time.LockTimer;

/**
 * Redlock over a quorum of independent nodes. The store has no thread of its own:
 * callers, the nodes' drivers and the timer drive it, so that one thread can run it under
 * a simulated clock (R16).
 *
 * @since 0.1.0
 */
public final class QuorumStore implements LeaseStore {

	private final QuorumSettings settings;

	private final Voters voters;

	private final LockClock clock;

	private final LockTimer timer;

	private final Timing timing;

	private final NodeClocks clocks;

	private final Messenger messenger;

	private final InstanceChannel channel;

	private final UnconfirmedReleases unconfirmed;

	private final Activity activity = new Activity();

	private final QuorumContender.Parts contenders;

	private final Rounds rounds;

	private final Grants grants;

	private final AtomicLong counter = new AtomicLong();

	private volatile String tokenPrefix;

	private boolean started;

	/**
	 * Create a store; {@link #start()} connects it.
	 * @param settings the settings
	 * @param nodes all nodes that are configured
	 * @param clock the clock
	 * @param timer runs the watchdog and the time-outs
	 * @param observers observe the nodes' replies
	 */
	public QuorumStore(QuorumSettings settings, List<? extends LockNode> nodes, LockClock clock, LockTimer timer,
			List<? extends StoreObserver> observers) {
		this.settings = settings;
		this.voters = new Voters(nodes);
		this.clock = clock;
		this.timer = timer;
		this.timing = new Timing(settings);
		PendingReplies pending = new PendingReplies(this.voters.size());
		this.messenger = new Messenger(this.voters, pending, clock, observers);
		this.clocks = new NodeClocks(clock, this.voters);
		this.unconfirmed = new UnconfirmedReleases(timer, this.voters.size(),
				(slot) -> this.voters.node(slot).status().isConnected());
		Releases releases = new Releases(this.voters, this.messenger, clock, timer, this.timing, this.unconfirmed,
				this.activity, new RenewalSchedule(this.messenger, clock, timer, this.timing));
		FenceProposals proposals = new FenceProposals(this.clocks, settings.fencingFloor(),
				this.timing.readersStepMicros());
		this.rounds = new Rounds(releases, pending, proposals,
				new RoundFailures(this::status, this.timing.operationTimeoutMillis()), settings.fencing(),
				this::newAttempt);
		this.grants = new Grants();
		this.channel = new InstanceChannel(this.voters, this.messenger, () -> this.tokenPrefix, this.grants,
				this::withdraw);
		this.contenders = new QuorumContender.Parts(this.rounds, this.channel, this.grants);
		this.tokenPrefix = newTokenPrefix();
	}

	private void withdraw(int slot, String ticket, String name) {
		new Leftovers(this.rounds, Ticket.targetOf(ticket, name)).withdraw(ticket, Voters.bit(slot));
	}

	private String newTokenPrefix() {
		return this.settings.instanceId() + ":" + Long.toHexString(this.settings.identity().getAsLong()) + ":";
	}

	private Attempt newAttempt(boolean retainable) {
		String mark = retainable ? Attempt.RETAINABLE : "";
		return new Attempt(this.tokenPrefix + mark + this.counter.incrementAndGet(), this.clocks.unconfirmedMicros());
	}

	@Override
	public void start() {
		if (this.started) {
			// This may be one of several copies that were restored from one checkpoint.
			this.tokenPrefix = newTokenPrefix();
		}
		this.started = true;
		this.unconfirmed.start();
		NodeListener listener = new NodeEvents(this.rounds, this.clocks, this.channel);
		this.voters.nodes().forEach((node) -> node.start(listener));
	}

	@Override
	public CompletionStage<@Nullable Void> stop() {
		CompletableFuture<@Nullable Void> idle = this.activity.whenIdle();
		LockTimer.Timeout timeout = this.timer.schedule(2 * this.timing.operationTimeoutNanos(),
				() -> idle.complete(null));
		return idle.whenComplete((nothing, ex) -> timeout.cancel());
	}

	@Override
	public void close() {
		this.unconfirmed.stop();
		this.voters.nodes().forEach(LockNode::stop);
	}

	@Override
	public void check(Claim claim) {
		this.timing.checkLease(claim.leaseNanos(), claim);
		if (claim.names().size() > 1) {
			this.voters.nodes().forEach((node) -> node.check(claim.names()));
		}
	}

	@Override
	public Contender contend(Claim claim, Contender.Listener listener) {
		return new QuorumContender(this.contenders, claim, listener);
	}

	@Override
	public CompletionStage<ReleaseResult> release(Grant grant, Duration cooldown, @Nullable Contender next) {
		QuorumGrant granted = (QuorumGrant) grant;
		QuorumContender contender = (QuorumContender) next;
		Ticket ticket = (contender != null && isQueuedBehind(granted, contender)) ? contender.queueBehindRelease()
				: null;
		Release release = granted.release(cooldown.toNanos(), contender == null, ticket);
		if (contender != null) {
			if (release != null) {
				contender.follows(release);
			}
			if (release != null && ticket != null) {
				contender.awaitOffer();
			}
			else {
				contender.start();
			}
			this.messenger.flush();
		}
		return (release != null) ? release.done() : CompletableFuture.completedFuture(ReleaseResult.CONFIRMED);
	}

	/**
	 * If no other instance waited before, the next claim asks right behind the release,
	 * on the same connections. Otherwise the release takes its ticket along (R17, R21).
	 */
	private boolean isQueuedBehind(QuorumGrant granted, QuorumContender next) {
		return granted.target().equals(next.target())
				&& !granted.isAlone(this.settings.handoverMaxDuration().toNanos());
	}

	// ---- for operators

	@Override
	public StoreStatus status() {
		List<NodeState> nodes = new ArrayList<>(this.voters.size());
		long voting = 0;
		for (int slot = 0; slot < this.voters.size(); slot++) {
			NodeStatus status = this.voters.node(slot).status();
			voting |= status.isVoting() ? Voters.bit(slot) : 0;
			nodes.add(new NodeState(this.voters.node(slot).name(), status.isVoting(),
					status.state().name().toLowerCase(Locale.ROOT), status.reason(), status.votesIn(), status.version(),
					status.runId(), offsetToWallClock(status), status.mismatch()));
		}
		return new StoreStatus(this.voters.isMajority(voting), this.voters.majority(), List.copyOf(nodes), Map.of(),
				this.voters.lists().describe(this.settings.instanceId(), voting));
	}

	private @Nullable Long offsetToWallClock(NodeStatus status) {
		if (status.clockOffsetMicros().isEmpty()) {
			return null;
		}
		return this.clock.nanoTime() / 1_000 + status.clockOffsetMicros().getAsLong() - this.clock.wallMicros();
	}

	@Override
	public CompletionStage<List<NodeReport>> inspect(String name) {
		return query(new OperatorCommand.Inspect(name)).start(this.timer);
	}

	/**
	 * {@inheritDoc}
	 * <p>
	 * The nodes are asked first who holds the name, and then to release it from those:
	 * whoever is granted it meanwhile keeps it.
	 * <p>
	 * A holder in <em>another</em> instance is notified through its channel. If that
	 * fails it finds out at its next renewal, which puts the key back on nodes where no
	 * other owner has taken the name by then, since to the watchdog a deleted key looks
	 * like one that a node has lost (R6). Until then two may run at once, and only
	 * fencing tokens protect the resource.
	 */
	@Override
	public CompletionStage<List<NodeReport>> forceRelease(String name, int permit) {
		List<Runnable> releases = this.grants.of(name)
			.stream()
			.filter((grant) -> permit == 0 || permit == grant.permit())
			.map((grant) -> grant.revoke(Grants.FORCED))
			.toList();
		return inspect(name).thenCompose((seen) -> {
			Set<String> owners = seen.stream()
				.flatMap((report) -> report.holders().stream())
				.filter((holder) -> holder.owner() != null && (permit == 0 || permit == holder.permit()))
				.map((holder) -> holder.owner())
				.collect(Collectors.toUnmodifiableSet());
			releases.forEach(Runnable::run);
			return query(new OperatorCommand.ForceRelease(name, permit, owners)).start(this.timer);
		});
	}

	@Override
	public CompletionStage<Boolean> requestRelease(String name, Duration deadline) {
		CommandHeader header = new CommandHeader(LockTarget.exclusive(List.of(name)), newAttempt(false));
		ReleaseRequests requests = new ReleaseRequests(this.voters, this.messenger,
				OperatorCommand.RequestRelease.within(header, deadline), this.clock.nanoTime());
		return requests.start(this.timer, this.timing.operationTimeoutNanos());
	}

	private NodeQuery query(NodeCommand command) {
		return new NodeQuery(this.voters, this.messenger, command, this.clock.nanoTime(), this.clocks.micros(),
				this.timing.operationTimeoutMillis());
	}

}
