package io.quorlock.quorum;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;

import io.quorlock.engine.EngineTimer;
import io.quorlock.quorum.node.Attempt;
import io.quorlock.quorum.node.CommandHeader;
import io.quorlock.quorum.node.LockTarget;
import io.quorlock.quorum.node.NodeCommand;
import io.quorlock.quorum.node.NodeReply;
import io.quorlock.store.ReleaseResult;

/**
 * The release of an attempt on every node that may hold its keys (R2, R8). Done when a
 * quorum confirmed, or after one operation timeout; what is not confirmed then is
 * repeated.
 */
final class Release implements UnconfirmedReleases.Repeatable {

	private final Releases releases;

	private final LockTarget target;

	private final Attempt attempt;

	/** The nodes that may hold keys. */
	private final long slots;

	/** When the cool-down ends (R18), or 0 for none. */
	private final long cooldownUntilNanos;

	private final AtomicLong confirmed = new AtomicLong();

	private final AtomicLong failed = new AtomicLong();

	private final CompletableFuture<ReleaseResult> done = new CompletableFuture<>();

	private volatile int listeners;

	/** From here on no key of the attempt can be left (R8). */
	private volatile long overNanos;

	Release(Releases releases, LockTarget target, Attempt attempt, long slots, long cooldownUntilNanos) {
		this.releases = releases;
		this.target = target;
		this.attempt = attempt;
		this.slots = slots;
		this.cooldownUntilNanos = cooldownUntilNanos;
	}

	/** Send the release at once. */
	CompletableFuture<ReleaseResult> submit() {
		return send(true);
	}

	/** Send the release with what follows; the nodes have to be flushed. */
	CompletableFuture<ReleaseResult> enqueue() {
		return send(false);
	}

	private CompletableFuture<ReleaseResult> send(boolean now) {
		this.attempt.releasing();
		Request request = request();
		this.overNanos = request.sentNanos() + this.releases.timing().longestLifeNanos()
				+ Math.max(0, (this.cooldownUntilNanos != 0) ? this.cooldownUntilNanos - request.sentNanos() : 0);
		EngineTimer.Timeout timeout = this.releases.timer()
			.schedule(this.releases.timing().operationTimeoutNanos(),
					() -> this.done.complete(ReleaseResult.UNCONFIRMED));
		this.releases.activity().began();
		this.done.thenRun(() -> {
			timeout.cancel();
			this.releases.activity().ended();
		});
		if (now) {
			request.submit(this.slots);
		}
		else {
			request.enqueue(this.slots);
		}
		completeIfSettled();
		return this.done;
	}

	@Override
	public void repeat(int slot) {
		Request request = request();
		if (request.sentNanos() - this.overNanos <= 0) {
			request.submit(Voters.bit(slot));
		}
	}

	private Request request() {
		long now = this.releases.clock().nanoTime();
		long cooldownNanos = (this.cooldownUntilNanos != 0) ? Math.max(0, this.cooldownUntilNanos - now) : 0;
		return new Request(
				new NodeCommand.Release(new CommandHeader(this.target, this.attempt), cooldownNanos / 1_000_000), now);
	}

	private void confirmed(int slot, int listeners) {
		// Several nodes may reply at once: a 0 must not overwrite anything.
		if (listeners > this.listeners) {
			this.listeners = listeners;
		}
		this.confirmed.getAndUpdate((slots) -> slots | Voters.bit(slot));
		completeIfSettled();
	}

	private void failed(int slot) {
		this.failed.getAndUpdate((slots) -> slots | Voters.bit(slot));
		this.releases.unconfirmed().add(slot, this);
		completeIfSettled();
	}

	private void completeIfSettled() {
		long confirmed = this.confirmed.get();
		if (this.releases.voters().isMajority(confirmed)) {
			this.done.complete(ReleaseResult.CONFIRMED);
		}
		else if ((confirmed | this.failed.get()) == this.slots) {
			this.done.complete((confirmed == this.slots) ? ReleaseResult.CONFIRMED : ReleaseResult.UNCONFIRMED);
		}
	}

	CompletableFuture<ReleaseResult> done() {
		return this.done;
	}

	/** Return how many connections got the release message, on the node with the most. */
	int listeners() {
		return this.listeners;
	}

	/** Return whether it is confirmed, and no other instance waits for it. */
	boolean isUnheard() {
		return this.releases.voters().isMajority(this.confirmed.get()) && this.listeners == 0;
	}

	@Override
	public String toString() {
		return "release " + this.target + " by " + this.attempt;
	}

	private final class Request extends NodeRequest {

		private Request(NodeCommand command, long sentNanos) {
			super(Release.this.releases.messenger(), command, sentNanos);
		}

		@Override
		void received(int slot, NodeReply reply) {
			if (reply instanceof NodeReply.Released released) {
				confirmed(slot, released.listeners());
			}
			else {
				failed(slot);
			}
		}

	}

}
