package io.quorlock.quorum;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;

import org.jspecify.annotations.Nullable;

import io.quorlock.LockMode;
import io.quorlock.engine.EngineTimer;
import io.quorlock.quorum.node.NodeCommand;
import io.quorlock.quorum.node.NodeReply;
import io.quorlock.store.NodeReport;

/**
 * One question of an operator to all nodes, complete when all have replied, or after one
 * operation timeout.
 */
final class NodeQuery extends NodeRequest {

	private final Voters voters;

	private final AtomicReferenceArray<@Nullable NodeReport> reports;

	private final AtomicInteger open;

	private final AtomicBoolean started = new AtomicBoolean();

	private final CompletableFuture<List<NodeReport>> done = new CompletableFuture<>();

	private final long timeoutMillis;

	NodeQuery(Voters voters, Messenger messenger, NodeCommand command, long sentNanos, long timeoutMillis) {
		super(messenger, command, sentNanos);
		this.voters = voters;
		this.timeoutMillis = timeoutMillis;
		this.reports = new AtomicReferenceArray<>(voters.size());
		this.open = new AtomicInteger(voters.size());
	}

	/** Send the question, unless it was sent before. */
	void start(EngineTimer timer) {
		if (!this.started.compareAndSet(false, true)) {
			return;
		}
		EngineTimer.Timeout timeout = timer.schedule(this.timeoutMillis * 1_000_000,
				() -> this.done.complete(collect()));
		this.done.whenComplete((reports, ex) -> timeout.cancel());
		submit(this.voters.all());
	}

	@Override
	void received(int slot, NodeReply reply) {
		this.reports.set(slot, report(this.voters.node(slot).name(), reply));
		if (this.open.decrementAndGet() == 0) {
			this.done.complete(collect());
		}
	}

	private static NodeReport report(String node, NodeReply reply) {
		if (reply instanceof NodeReply.Failed failed) {
			return NodeReport.failed(node, failed.message());
		}
		List<NodeReport.Holder> holders = List.of();
		long fence = 0;
		if (reply instanceof NodeReply.Inspected inspected) {
			fence = inspected.fence();
			if (inspected.owner() != null || inspected.coolingDown()) {
				holders = List.of(new NodeReport.Holder(inspected.owner(), LockMode.EXCLUSIVE, 0,
						Duration.ofMillis(inspected.remainingMillis())));
			}
		}
		return new NodeReport(node, reply.voting(), holders, List.of(), fence, null);
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

	/** Completes on a thread of a node's driver or of the timer. */
	CompletableFuture<List<NodeReport>> done() {
		return this.done;
	}

}
