package io.quorlock.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;

import org.jspecify.annotations.Nullable;

import io.quorlock.quorum.node.NodeCommand;
import io.quorlock.quorum.node.NodeReply;
import io.quorlock.quorum.node.ReplyHandler;

/**
 * One question of an operator to all nodes, answered when all have answered, or after one
 * operation timeout.
 */
final class NodeQuery implements ReplyHandler {

	private final LockEngine engine;

	private final NodeCommand command;

	private final AtomicReferenceArray<@Nullable NodeAnswer> answers;

	private final AtomicInteger open;

	private final AtomicBoolean started = new AtomicBoolean();

	private final CompletableFuture<List<NodeAnswer>> done = new CompletableFuture<>();

	private volatile long sentNanos;

	NodeQuery(LockEngine engine, NodeCommand command) {
		this.engine = engine;
		this.command = command;
		this.answers = new AtomicReferenceArray<>(engine.quorum().size());
		this.open = new AtomicInteger(engine.quorum().size());
	}

	/** Sends the question, once. */
	void start() {
		if (!this.started.compareAndSet(false, true)) {
			return;
		}
		this.sentNanos = this.engine.clock().nanoTime();
		EngineTimer.Timeout timeout = this.engine.timer()
			.schedule(this.engine.operationTimeoutNanos(), () -> this.done.complete(collect()));
		this.done.whenComplete((answers, ex) -> timeout.cancel());
		for (int slot = 0; slot < this.engine.quorum().size(); slot++) {
			this.engine.quorum().node(slot).submit(this.command, slot, this);
		}
	}

	@Override
	public void onReply(int slot, NodeReply reply) {
		this.engine.observe(slot, this.command.operation(), reply, this.sentNanos);
		this.answers.set(slot, NodeAnswer.of(this.engine.quorum().node(slot), reply));
		if (this.open.decrementAndGet() == 0) {
			this.done.complete(collect());
		}
	}

	private List<NodeAnswer> collect() {
		List<NodeAnswer> collected = new ArrayList<>(this.answers.length());
		for (int slot = 0; slot < this.answers.length(); slot++) {
			NodeAnswer answer = this.answers.get(slot);
			collected.add((answer != null) ? answer : NodeAnswer.none(this.engine.quorum().node(slot),
					this.engine.operationTimeoutNanos() / 1_000_000));
		}
		return List.copyOf(collected);
	}

	/** Completes on a thread of the engine. */
	CompletableFuture<List<NodeAnswer>> done() {
		return this.done;
	}

}
