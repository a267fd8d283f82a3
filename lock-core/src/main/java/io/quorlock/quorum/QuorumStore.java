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
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import io.quorlock.LockMode;
import io.quorlock.quorum.node.CommandHeader;
import io.quorlock.quorum.node.LockNode;
import io.quorlock.quorum.node.LockTarget;
import io.quorlock.quorum.node.NodeCommand;
import io.quorlock.quorum.node.NodeReply;
import io.quorlock.quorum.node.OperatorCommand;
import io.quorlock.quorum.node.Ticket;
import io.quorlock.store.Claim;
import io.quorlock.store.Contender;
import io.quorlock.store.Grant;
import io.quorlock.store.LeaseStore;
import io.quorlock.store.NodeReport;
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

	private final Quorum quorum;

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
		this.quorum = new Quorum(settings, nodes, clock, timer, observers);
	}

	@Override
	public void start() {
		if (this.started) {
			this.quorum.renewIdentity();
		}
		this.started = true;
		this.quorum.unconfirmed.start();
		this.quorum.voters.nodes.forEach((node) -> node.start(this.quorum));
	}

	@Override
	public CompletionStage<@Nullable Void> stop() {
		CompletableFuture<@Nullable Void> idle = this.quorum.activity.whenIdle();
		LockTimer.Timeout timeout = this.quorum.timer.schedule(2 * this.quorum.timing.operationTimeoutNanos,
				() -> idle.complete(null));
		return idle.whenComplete((nothing, ex) -> timeout.cancel());
	}

	@Override
	public void close() {
		this.quorum.unconfirmed.stop();
		this.quorum.voters.nodes.forEach(LockNode::stop);
	}

	@Override
	public void check(Claim claim) {
		this.quorum.timing.checkLease(claim.leaseNanos(), claim);
		if (claim.names().size() > 1) {
			this.quorum.voters.nodes.forEach((node) -> node.check(claim.names()));
		}
	}

	@Override
	public Contender contend(Claim claim, Contender.Listener listener) {
		return new QuorumContender(this.quorum, claim, listener);
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
			this.quorum.messenger.flush();
		}
		return (release != null) ? release.done : CompletableFuture.completedFuture(ReleaseResult.CONFIRMED);
	}

	/**
	 * If no other instance waited before, the next claim asks right behind the release,
	 * on the same connections. Otherwise the release takes its ticket along (R17, R21).
	 */
	private boolean isQueuedBehind(QuorumGrant granted, QuorumContender next) {
		return granted.target.equals(next.target) && !granted.isAlone(this.settings.maxAloneDuration().toNanos());
	}

	@Override
	public StoreStatus status() {
		return this.quorum.status();
	}

	@Override
	public CompletionStage<List<NodeReport>> inspect(String name) {
		return query(new OperatorCommand.Inspect(name));
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
		List<Runnable> releases = this.quorum.channel
			.leases((lease) -> lease.names().contains(name) && (permit == 0 || permit == lease.permit()))
			.stream()
			.map((lease) -> lease.revoke(InstanceChannel.FORCED))
			.toList();
		return inspect(name).thenCompose((seen) -> {
			Set<String> owners = seen.stream()
				.flatMap((report) -> report.holders().stream())
				.filter((holder) -> holder.owner() != null && (permit == 0 || permit == holder.permit()))
				.map((holder) -> holder.owner())
				.collect(Collectors.toUnmodifiableSet());
			releases.forEach(Runnable::run);
			return query(new OperatorCommand.ForceRelease(name, permit, owners));
		});
	}

	@Override
	public CompletionStage<Boolean> requestRelease(String name, Duration deadline) {
		CommandHeader header = new CommandHeader(LockTarget.exclusive(List.of(name)), this.quorum.newAttempt(false));
		return NodeQuery
			.ask(this.quorum, OperatorCommand.RequestRelease.within(header, deadline), QuorumStore::isPassedOn)
			.thenApply(QuorumStore::isPassedOn);
	}

	private static boolean isPassedOn(List<@Nullable NodeReply> replies) {
		return replies.stream()
			.anyMatch((reply) -> reply instanceof NodeReply.PassedOn passedOn && passedOn.connections() > 0);
	}

	private CompletionStage<List<NodeReport>> query(NodeCommand command) {
		long nowMicros = this.quorum.clocks.micros(); // the clock that stamps tickets
		return NodeQuery.ask(this.quorum, command, (replies) -> false).thenApply((replies) -> {
			List<NodeReport> reports = new ArrayList<>(replies.size());
			for (int slot = 0; slot < replies.size(); slot++) {
				reports.add(report(this.quorum.voters.nodes.get(slot).name(), replies.get(slot), nowMicros));
			}
			return List.copyOf(reports);
		});
	}

	private NodeReport report(String node, @Nullable NodeReply reply, long nowMicros) {
		if (reply == null) {
			return NodeReport.failed(node, "no reply within " + this.quorum.timing.operationTimeoutMillis() + " ms");
		}
		if (reply instanceof NodeReply.Failed failed) {
			return NodeReport.failed(node, failed.message());
		}
		if (reply instanceof NodeReply.Inspected inspected) {
			return new NodeReport(node, reply.voting(), inspected.holders().stream().map(QuorumStore::holder).toList(),
					inspected.waiters().stream().map((ticket) -> waiter(ticket, nowMicros)).toList(), inspected.fence(),
					null);
		}
		return new NodeReport(node, reply.voting(), List.of(), List.of(), 0, null);
	}

	private static NodeReport.Holder holder(NodeReply.Inspected.Holder holder) {
		LockMode mode = (holder.kind() == LockTarget.Kind.SHARED) ? LockMode.SHARED : LockMode.EXCLUSIVE;
		return new NodeReport.Holder(holder.owner(), mode, holder.permit(),
				Duration.ofMillis(holder.remainingMillis()));
	}

	private static NodeReport.Waiter waiter(String ticket, long nowMicros) {
		LockMode mode = Ticket.isShared(ticket) ? LockMode.SHARED : LockMode.EXCLUSIVE;
		long micros = Math.max(0, nowMicros - Ticket.stampOf(ticket));
		return new NodeReport.Waiter(Ticket.claimOf(ticket), mode, Duration.ofMillis(micros / 1_000));
	}

}
