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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;

import org.jspecify.annotations.Nullable;

import io.quorlock.LockMode;
import io.quorlock.quorum.node.LockTarget;
import io.quorlock.quorum.node.NodeCommand;
import io.quorlock.quorum.node.NodeReply;
import io.quorlock.quorum.node.Ticket;
import io.quorlock.store.NodeReport;
import io.quorlock.time.LockTimer;

/**
 * One question of an operator to all nodes, complete when all have replied, or after one
 * operation timeout.
 */
final class NodeQuery extends NodeRequest {

	private final Voters voters;

	private final AtomicReferenceArray<@Nullable NodeReport> reports;

	private final AtomicInteger open;

	private final CompletableFuture<List<NodeReport>> done = new CompletableFuture<>();

	/** The time by the clock that stamps tickets. */
	private final long nowMicros;

	private final long timeoutMillis;

	NodeQuery(Voters voters, Messenger messenger, NodeCommand command, long sentNanos, long nowMicros,
			long timeoutMillis) {
		super(messenger, command, sentNanos);
		this.voters = voters;
		this.nowMicros = nowMicros;
		this.timeoutMillis = timeoutMillis;
		this.reports = new AtomicReferenceArray<>(voters.size());
		this.open = new AtomicInteger(voters.size());
	}

	/**
	 * Send the question.
	 * @return the replies, on a thread of a node's driver or of the timer
	 */
	CompletionStage<List<NodeReport>> start(LockTimer timer) {
		LockTimer.Timeout timeout = timer.schedule(this.timeoutMillis * 1_000_000, () -> this.done.complete(collect()));
		this.done.whenComplete((reports, ex) -> timeout.cancel());
		submit(this.voters.all());
		return this.done;
	}

	@Override
	void received(int slot, NodeReply reply) {
		this.reports.set(slot, report(this.voters.node(slot).name(), reply));
		if (this.open.decrementAndGet() == 0) {
			this.done.complete(collect());
		}
	}

	private NodeReport report(String node, NodeReply reply) {
		if (reply instanceof NodeReply.Failed failed) {
			return NodeReport.failed(node, failed.message());
		}
		if (reply instanceof NodeReply.Inspected inspected) {
			return new NodeReport(node, reply.voting(), inspected.holders().stream().map(NodeQuery::holder).toList(),
					inspected.waiters().stream().map(this::waiter).toList(), inspected.fence(), null);
		}
		return new NodeReport(node, reply.voting(), List.of(), List.of(), 0, null);
	}

	private static NodeReport.Holder holder(NodeReply.Inspected.Holder holder) {
		LockMode mode = (holder.kind() == LockTarget.Kind.SHARED) ? LockMode.SHARED : LockMode.EXCLUSIVE;
		return new NodeReport.Holder(holder.owner(), mode, holder.permit(),
				Duration.ofMillis(holder.remainingMillis()));
	}

	private NodeReport.Waiter waiter(String ticket) {
		LockMode mode = Ticket.isShared(ticket) ? LockMode.SHARED : LockMode.EXCLUSIVE;
		long micros = Math.max(0, this.nowMicros - Ticket.stampOf(ticket));
		return new NodeReport.Waiter(Ticket.claimOf(ticket), mode, Duration.ofMillis(micros / 1_000));
	}

	private List<NodeReport> collect() {
		List<NodeReport> collected = new ArrayList<>(this.reports.length());
		for (int slot = 0; slot < this.reports.length(); slot++) {
			NodeReport report = this.reports.get(slot);
			collected.add((report != null) ? report : NodeReport.failed(this.voters.node(slot).name(),
					"no reply within " + this.timeoutMillis + " ms"));
		}
		return List.copyOf(collected);
	}

}
