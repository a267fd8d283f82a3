package io.quorlock.redis.client;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import org.jspecify.annotations.Nullable;

import io.quorlock.engine.EngineClock;
import io.quorlock.quorum.membership.NodeAdmission;
import io.quorlock.quorum.node.NodeReply.Failed.Cause;
import io.quorlock.redis.RespError;

/**
 * Whether a connected node carries out what it is asked to, and in time. After an error
 * the scripts are tried on scratch keys; while they fail, again every second.
 */
final class NodeHealth {

	/** One late reply is a hiccup. */
	private static final int LATE_REPLIES = 3;

	private static final long PROBE_NANOS = Duration.ofSeconds(1).toNanos();

	private final EngineClock clock;

	private final NodeAdmission admission;

	private final Duration operationTimeout;

	private final AtomicInteger lateReplies = new AtomicInteger();

	/** Why the node fails; empty while it does not. */
	private volatile String failure = "";

	private volatile String slowness = "";

	private volatile boolean suspected;

	private volatile long probeDueNanos;

	NodeHealth(JedisNodeOptions options, NodeAdmission admission) {
		this.admission = admission;
		this.clock = options.clock();
		this.operationTimeout = options.operationTimeout();
	}

	/**
	 * Return whether the votes of commands that are sent now count (R10).
	 */
	boolean isVoting() {
		return this.admission.isVoting(this.clock.leastNanoTime());
	}

	/**
	 * Return why the node fails.
	 * @return the reason, for people; empty while it does not fail
	 */
	String failure() {
		String failure = this.failure;
		return failure.isEmpty() ? this.slowness : failure;
	}

	/**
	 * A new connection was made.
	 * @param failure what the handshake found, or empty
	 */
	void connected(String failure) {
		this.failure = failure;
		this.slowness = "";
		this.suspected = false;
		this.lateReplies.set(0);
		this.probeDueNanos = this.clock.nanoTime() + PROBE_NANOS;
	}

	/**
	 * A command was carried out.
	 */
	void onReply(long queuedNanos) {
		long elapsed = this.clock.nanoTime() - queuedNanos;
		if (elapsed <= this.operationTimeout.toNanos()) {
			if (this.lateReplies.get() != 0) {
				this.lateReplies.set(0);
				this.slowness = "";
			}
		}
		else if (this.lateReplies.incrementAndGet() >= LATE_REPLIES && this.slowness.isEmpty()) {
			this.slowness = "takes %d ms to reply, longer than the operation timeout of %d ms"
				.formatted(elapsed / 1_000_000, this.operationTimeout.toMillis());
		}
	}

	/**
	 * A command was not carried out, for a reason that does not lie in its keys.
	 */
	void onError(String message) {
		if (!this.suspected && this.failure.isEmpty()) {
			this.probeDueNanos = this.clock.nanoTime();
			this.suspected = true;
		}
	}

	/**
	 * The node serves only newer layouts (R23), which the record reports later.
	 */
	void onRefusal(String refusal) {
		this.admission.onRefusal(refusal);
	}

	/**
	 * Try the scripts if that is due.
	 */
	void probe(Pipeline pipeline, List<byte[]> commands, long nowNanos) {
		if ((this.suspected || !failure().isEmpty()) && nowNanos - this.probeDueNanos >= 0) {
			this.probeDueNanos = nowNanos + PROBE_NANOS;
			Probe probe = new Probe();
			List<PendingCommand> pending = new ArrayList<>();
			for (int i = 0; i < commands.size(); i++) {
				pending.add(new ProbeCommand(commands.get(i), probe, i == commands.size() - 1));
			}
			pipeline.submitIf(() -> true, "", pending.toArray(PendingCommand[]::new));
		}
	}

	private static final class Probe {

		private String failure = "";

	}

	private final class ProbeCommand extends PendingCommand {

		private final Probe probe;

		private final boolean last;

		ProbeCommand(byte[] bytes, Probe probe, boolean last) {
			super(bytes);
			this.probe = probe;
			this.last = last;
		}

		@Override
		void onReply(@Nullable Object reply) {
			if (reply instanceof RespError error && this.probe.failure.isEmpty() && !error.code().equals("NOSCRIPT")) {
				this.probe.failure = ServerErrors.describe(error);
			}
			NodeHealth.this.onReply(queuedNanos());
			if (this.last) {
				NodeHealth.this.failure = this.probe.failure;
				NodeHealth.this.suspected = false;
			}
		}

		@Override
		void onFailure(Cause cause, String reason) {
			// The next handshake tries the scripts.
		}

	}

}
