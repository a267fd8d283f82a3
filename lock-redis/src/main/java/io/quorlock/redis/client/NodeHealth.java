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

package io.quorlock.redis.client;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;

import io.quorlock.quorum.membership.NodeAdmission;
import io.quorlock.redis.RespError;
import io.quorlock.redis.client.ScratchCommands.Refusals;
import io.quorlock.time.LockClock;

/**
 * Whether a connected node carries out what it is asked to, and in time. After an error
 * the scripts are tried on scratch keys; while they fail, again every second.
 */
final class NodeHealth {

	/** One late reply is a hiccup. */
	private static final int LATE_REPLIES = 3;

	private static final long PROBE_NANOS = Duration.ofSeconds(1).toNanos();

	/** One odd reply may lie in the keys of a lock. */
	private static final int ODD_REPLIES = 3;

	private static final long ODD_NANOS = Duration.ofSeconds(10).toNanos();

	private static final long MIN_SILENCE_NANOS = Duration.ofSeconds(1).toNanos();

	private final LockClock clock;

	private final NodeAdmission admission;

	private final Duration operationTimeout;

	private final AtomicInteger lateReplies = new AtomicInteger();

	/** When the latest late reply came that counts. */
	private volatile long lateNanos;

	private volatile Refusals refusals = Refusals.NONE;

	private volatile String slowness = "";

	private volatile String silence = "";

	private final AtomicInteger oddReplies = new AtomicInteger();

	/** What the replies to lock scripts are like, in a row; empty if they are sound. */
	private volatile String oddness = "";

	private volatile long oddUntilNanos;

	private volatile boolean suspected;

	private volatile long probeDueNanos;

	NodeHealth(RedisNodeOptions options, NodeAdmission admission) {
		this.admission = admission;
		this.clock = options.clock();
		this.operationTimeout = options.operationTimeout();
		this.lateNanos = this.clock.nanoTime();
	}

	/**
	 * Return whether the votes of commands that are sent now count.
	 */
	boolean isVoting() {
		return this.admission.isVoting(this.clock.minNanoTime()) && this.admission.isListed(this.clock.nanoTime());
	}

	/**
	 * Return why the node fails.
	 * @return the reason, for people; empty while it does not fail
	 */
	String failure() {
		String oddness = this.oddness;
		if (!oddness.isEmpty() && this.clock.nanoTime() - this.oddUntilNanos < 0) {
			return oddness;
		}
		return Stream.of(this.refusals.failure(), this.silence, this.slowness)
			.filter((reason) -> !reason.isEmpty())
			.findFirst()
			.orElse("");
	}

	/**
	 * Return what the node refuses to do, though locks are granted.
	 * @return the reason, for people; empty if it does all
	 */
	String degradation() {
		return this.refusals.degradation();
	}

	/**
	 * A new connection was made.
	 * @param refusals what the handshake found
	 */
	void connected(Refusals refusals) {
		this.refusals = refusals;
		this.slowness = "";
		this.silence = "";
		this.oddness = "";
		this.oddReplies.set(0);
		this.suspected = false;
		this.lateReplies.set(0);
		this.lateNanos = this.clock.nanoTime();
		this.probeDueNanos = this.clock.nanoTime() + PROBE_NANOS;
	}

	/**
	 * A command of a lock was carried out.
	 */
	void onReply(long queuedNanos) {
		if (this.oddReplies.get() != 0) {
			this.oddReplies.set(0);
			this.oddness = "";
		}
		onReplyInTime(queuedNanos);
	}

	/**
	 * A reply to a command of a lock was none that its script gives, or the script was
	 * missing however often it was loaded.
	 */
	void onOddReply(String message) {
		if (this.oddReplies.incrementAndGet() >= ODD_REPLIES) {
			this.oddUntilNanos = this.clock.nanoTime() + ODD_NANOS;
			this.oddness = message;
		}
	}

	/**
	 * Commands have been waiting without any reply for so long.
	 * @return whether the connection counts as silent
	 */
	boolean onSilence(long nanos) {
		boolean silent = nanos > Math.max(MIN_SILENCE_NANOS, LATE_REPLIES * this.operationTimeout.toNanos());
		if (silent || !this.silence.isEmpty()) {
			this.silence = silent ? "has not replied for %d ms".formatted(nanos / 1_000_000) : "";
		}
		return silent;
	}

	private void onReplyInTime(long queuedNanos) {
		long now = this.clock.nanoTime();
		long elapsed = now - queuedNanos;
		if (elapsed <= this.operationTimeout.toNanos()) {
			if (this.lateReplies.get() != 0) {
				this.lateReplies.set(0);
				this.slowness = "";
			}
		}
		else if (queuedNanos - this.lateNanos >= 0) { // the others were late together
			this.lateNanos = now;
			if (this.lateReplies.incrementAndGet() >= LATE_REPLIES && this.slowness.isEmpty()) {
				this.slowness = "takes %d ms to reply, longer than the operation timeout of %d ms"
					.formatted(elapsed / 1_000_000, this.operationTimeout.toMillis());
			}
		}
	}

	/**
	 * A command was not carried out, for a reason that does not lie in its keys.
	 */
	void onError() {
		if (!this.suspected && this.refusals.failure().isEmpty()) {
			this.probeDueNanos = this.clock.nanoTime();
			this.suspected = true;
		}
	}

	/**
	 * A command was refused: only a replica refuses to write.
	 */
	void onUnusable(RespError error) {
		if (error.isOfReplica()) {
			this.admission.onDoubt(Replication.DOUBT, 0, this.clock.minNanoTime());
		}
	}

	/**
	 * Try the scripts if that is due.
	 */
	void probe(Pipeline pipeline, List<byte[]> commands, long nowNanos) {
		if ((this.suspected || !failure().isEmpty() || !degradation().isEmpty())
				&& nowNanos - this.probeDueNanos >= 0) {
			this.probeDueNanos = nowNanos + PROBE_NANOS;
			AtomicReference<Refusals> found = new AtomicReference<>(Refusals.NONE);
			List<PendingCommand> pending = new ArrayList<>();
			for (int i = 0; i < commands.size(); i++) {
				byte[] bytes = commands.get(i);
				boolean last = i == commands.size() - 1;
				pending.add(PendingCommand.of(bytes, (reply, queuedNanos) -> {
					Refusals refusals = found.updateAndGet((known) -> known.and(bytes, reply));
					onReplyInTime(queuedNanos);
					if (last) {
						this.refusals = refusals;
						this.suspected = false;
					}
				}));
			}
			pipeline.submitIf(() -> true, "", pending.toArray(PendingCommand[]::new));
		}
	}

}
