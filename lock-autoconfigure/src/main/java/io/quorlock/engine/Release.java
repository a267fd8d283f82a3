package io.quorlock.engine;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;

import org.jspecify.annotations.Nullable;

import io.quorlock.quorum.node.Attempt;
import io.quorlock.quorum.node.NodeCommand;
import io.quorlock.quorum.node.NodeReply;
import io.quorlock.quorum.node.ReplyHandler;

/**
 * Releases an attempt on every node that may hold its keys (R2, R8). Done when a quorum
 * confirmed, or after one operation timeout; what is unanswered then goes on behind it.
 */
final class Release implements ReplyHandler {

	private final LockEngine engine;

	private final List<String> keys;

	private final Attempt attempt;

	/** The nodes that may hold keys. */
	private final long slots;

	/** When the cool-down ends (R18), 0 for none. */
	private final long cooldownUntilNanos;

	private final AtomicLong confirmed = new AtomicLong();

	private final AtomicLong failed = new AtomicLong();

	private final CompletableFuture<@Nullable Void> done = new CompletableFuture<>();

	private volatile int listeners;

	private volatile long sentNanos;

	/** From here on no key of the attempt can be left (R8). */
	private volatile long overNanos;

	Release(LockEngine engine, List<String> keys, Attempt attempt, long slots, long cooldownUntilNanos) {
		this.engine = engine;
		this.keys = keys;
		this.attempt = attempt;
		this.slots = slots;
		this.cooldownUntilNanos = cooldownUntilNanos;
	}

	/**
	 * Sends the release.
	 * @return completes on a thread of the engine, never with an error
	 */
	CompletableFuture<@Nullable Void> start() {
		return start(this.engine.quorum()::submit);
	}

	/**
	 * Sends the release with what follows; the nodes have to be flushed.
	 * @return completes on a thread of the engine, never with an error
	 */
	CompletableFuture<@Nullable Void> enqueue() {
		return start(this.engine.quorum()::enqueue);
	}

	private CompletableFuture<@Nullable Void> start(Quorum.Sender sender) {
		this.attempt.releasing();
		this.sentNanos = this.engine.clock().nanoTime();
		this.overNanos = this.sentNanos + this.engine.longestLifeNanos()
				+ Math.max(0, (this.cooldownUntilNanos != 0) ? this.cooldownUntilNanos - this.sentNanos : 0);
		EngineTimer.Timeout timeout = this.engine.timer()
			.schedule(this.engine.operationTimeoutNanos(), () -> this.done.complete(null));
		this.done.thenRun(timeout::cancel);
		NodeCommand.Release command = command();
		for (int slot = 0; slot < this.engine.quorum().size(); slot++) {
			if ((this.slots & 1L << slot) != 0) {
				sender.send(slot, command, slot, this, this.sentNanos);
			}
		}
		completeIfSettled();
		return this.done;
	}

	/** Sends it once more to a node that did not answer, unless the lease has ended. */
	void resend(int slot) {
		if (this.engine.clock().nanoTime() - this.overNanos > 0) {
			return;
		}
		this.engine.quorum().submit(slot, command(), slot, this, this.engine.clock().nanoTime());
	}

	private NodeCommand.Release command() {
		long cooldownNanos = (this.cooldownUntilNanos != 0) ? this.cooldownUntilNanos - this.engine.clock().nanoTime()
				: 0;
		return new NodeCommand.Release(this.keys, this.attempt, Math.max(0, cooldownNanos / 1_000_000));
	}

	@Override
	public void onReply(int slot, NodeReply reply) {
		this.engine.observe(slot, "release", reply, this.sentNanos);
		long bit = 1L << slot;
		if (!(reply instanceof NodeReply.Failed)) {
			// Several nodes may answer at once: a 0 must not overwrite anything.
			if (Replies.listeners(reply) > this.listeners) {
				this.listeners = Replies.listeners(reply);
			}
			this.confirmed.getAndUpdate((slots) -> slots | bit);
		}
		else {
			this.failed.getAndUpdate((slots) -> slots | bit);
			this.engine.unconfirmed().add(slot, this);
		}
		completeIfSettled();
	}

	private void completeIfSettled() {
		long confirmed = this.confirmed.get();
		if (this.engine.quorum().isMajority(confirmed) || (confirmed | this.failed.get()) == this.slots) {
			this.done.complete(null);
		}
	}

	/** How many connections heard the release message, on the node with the most. */
	int listeners() {
		return this.listeners;
	}

	/** Whether it is confirmed, and nobody waits for it elsewhere. */
	boolean isUnheard() {
		return this.engine.quorum().isMajority(this.confirmed.get()) && this.listeners == 0;
	}

	@Override
	public String toString() {
		return "release " + this.keys + " by " + this.attempt;
	}

}
