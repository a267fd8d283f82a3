package io.quorlock.engine;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;

import io.quorlock.quorum.node.NodeReply;
import io.quorlock.quorum.node.ReplyHandler;

/**
 * One renewal of a lease on all nodes (R6). It counts once a quorum confirmed; a retry is
 * another renewal, and the answers of both may still come.
 */
final class Renewal implements ReplyHandler {

	private final Lease lease;

	private final int epoch;

	private final long leaseNanos;

	private final boolean shorten;

	private final long sentNanos;

	private final AtomicLong confirmed = new AtomicLong();

	private final AtomicLong refused = new AtomicLong();

	private final AtomicLong replied = new AtomicLong();

	private final CompletableFuture<Boolean> done = new CompletableFuture<>();

	Renewal(Lease lease, int epoch, long leaseNanos, boolean shorten) {
		this.lease = lease;
		this.epoch = epoch;
		this.leaseNanos = leaseNanos;
		this.shorten = shorten;
		this.sentNanos = lease.engine().clock().nanoTime();
	}

	void start() {
		LockEngine engine = this.lease.engine();
		EngineTimer.Timeout timeout = engine.timer()
			.schedule(engine.operationTimeoutNanos(), () -> fail("no quorum confirmed its renewal within "
					+ engine.operationTimeoutNanos() / 1_000_000 + " ms: " + engine.quorum().describe()));
		this.done.whenComplete((renewed, ex) -> timeout.cancel());
		this.lease.submitRenewal(this.lease.renewCommand(this.leaseNanos, this.shorten), this);
	}

	@Override
	public void onReply(int slot, NodeReply reply) {
		LockEngine engine = this.lease.engine();
		engine.observe(slot, "renew", reply, this.sentNanos);
		long bit = 1L << slot;
		long replied = this.replied.updateAndGet((slots) -> slots | bit);
		if (reply.voting() && Replies.isCarriedOut(reply)) {
			long confirmed = this.confirmed.updateAndGet((slots) -> slots | bit);
			if (Long.bitCount(confirmed) == engine.quorum().majority()) {
				if (this.lease.renewed(this, confirmed)) {
					this.done.complete(true);
				}
			}
			else if (engine.quorum().isMajority(confirmed)) {
				this.lease.alsoHeldBy(bit);
			}
		}
		else if (reply.voting() && Replies.isRefused(reply) && isRefusedByQuorum(bit)) {
			refuse();
		}
		else if (replied == engine.quorum().all() && !engine.quorum().isMajority(this.confirmed.get())) {
			fail("a quorum refused its renewal: " + engine.quorum().describe());
		}
	}

	private boolean isRefusedByQuorum(long bit) {
		return this.lease.engine().quorum().isMajority(this.refused.updateAndGet((slots) -> slots | bit));
	}

	/**
	 * Another has the lock, unless this is so late that a retry may have been granted.
	 */
	private void refuse() {
		if (!this.done.isDone()) {
			this.lease.taken(this);
			this.done.complete(false);
		}
	}

	private void fail(String reason) {
		if (this.done.complete(false)) {
			this.lease.renewalFailed(this, reason);
		}
	}

	CompletableFuture<Boolean> done() {
		return this.done;
	}

	int epoch() {
		return this.epoch;
	}

	long leaseNanos() {
		return this.leaseNanos;
	}

	long sentNanos() {
		return this.sentNanos;
	}

}
