package io.quorlock.quorum;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

import io.quorlock.engine.EngineTimer;
import io.quorlock.quorum.node.NodeCommand;
import io.quorlock.quorum.node.NodeReply;

/**
 * Has all nodes pass a request for release on to the holders of a name (R24).
 */
final class ReleaseRequests extends NodeRequest {

	private final Voters voters;

	private final AtomicInteger open;

	private final CompletableFuture<Boolean> heard = new CompletableFuture<>();

	ReleaseRequests(Voters voters, Messenger messenger, NodeCommand command, long sentNanos) {
		super(messenger, command, sentNanos);
		this.voters = voters;
		this.open = new AtomicInteger(voters.size());
	}

	/** Completes with whether any instance received it. */
	CompletableFuture<Boolean> start(EngineTimer timer, long timeoutNanos) {
		EngineTimer.Timeout timeout = timer.schedule(timeoutNanos, () -> this.heard.complete(false));
		this.heard.whenComplete((heard, ex) -> timeout.cancel());
		submit(this.voters.all());
		return this.heard;
	}

	@Override
	void received(int slot, NodeReply reply) {
		if (reply instanceof NodeReply.Released released && released.listeners() > 0) {
			this.heard.complete(true);
		}
		if (this.open.decrementAndGet() == 0) {
			this.heard.complete(false);
		}
	}

}
