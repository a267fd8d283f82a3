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

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Consumer;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import io.quorlock.quorum.membership.ClockSteps;
import io.quorlock.quorum.membership.NodeAdmission;
import io.quorlock.redis.MembershipRecord;
import io.quorlock.redis.RespError;

/**
 * Reads the wall clock of one node: for the tokens, and whether it was stepped.
 */
final class ClockReader implements ClockSteps.Listener {

	private static final Log logger = LogFactory.getLog(RedisLockNode.class);

	private static final long PERIOD_NANOS = Duration.ofSeconds(1).toNanos();

	private final String node;

	private final int index;

	private final RedisNodeOptions options;

	private final ClockSteps steps;

	private final NodeAdmission admission;

	private final Consumer<String> onDoubt;

	private volatile OptionalLong offsetMicros = OptionalLong.empty();

	private volatile long readNanos;

	/** Without the right to ask, the record alone carries the time. */
	private volatile boolean denied;

	/**
	 * Create the reader of a node.
	 * @param onDoubt tells other instances why the node may have lost leases
	 */
	ClockReader(String node, int index, RedisNodeOptions options, ClockSteps steps, NodeAdmission admission,
			Consumer<String> onDoubt) {
		this.node = node;
		this.index = index;
		this.options = options;
		this.steps = steps;
		this.admission = admission;
		this.onDoubt = onDoubt;
		steps.listen(index, this);
	}

	/**
	 * Return the node's wall clock less our monotonic clock.
	 * @return microseconds; empty if the connection has not reported it yet
	 */
	OptionalLong offsetMicros() {
		return this.offsetMicros;
	}

	/**
	 * The node reported its time.
	 */
	void onTime(long timeMicros, long sentNanos) {
		long now = this.options.clock().nanoTime();
		this.readNanos = now;
		// A reply that took long is no better estimate than an earlier one.
		if (now - sentNanos <= this.options.operationTimeout().toNanos()) {
			this.offsetMicros = OptionalLong.of(timeMicros - (sentNanos / 2 + now / 2) / 1_000);
		}
		this.steps.read(this.index, sentNanos, now, timeMicros);
	}

	void disconnected() {
		this.offsetMicros = OptionalLong.empty();
		this.denied = false;
	}

	/**
	 * Ask for the time if that is due.
	 */
	void update(Pipeline pipeline, long nowNanos) {
		this.steps.check(nowNanos);
		boolean due = this.steps.isSuspecting() || nowNanos - this.readNanos >= PERIOD_NANOS;
		if (due && !this.denied && !this.options.quarantine().isZero()) {
			this.readNanos = nowNanos;
			pipeline.submit(PendingCommand.of(RespEncoder.command("TIME"), this::onReply));
		}
	}

	@Override
	public void onStep(Duration ahead, boolean proven, long noticedNanos) {
		long now = this.options.clock().minNanoTime();
		this.admission.onDoubt("its clock was stepped forwards by %.1f s".formatted(ahead.toMillis() / 1_000.0), 0,
				now);
		if (proven) {
			this.onDoubt.accept(MembershipRecord.CLOCK);
		}
		logger.warn(
				("The clock of lock node %s was stepped forwards by %,d ms%s: leases on it may have ended early. It votes "
						+ "in %d s; synchronize the clocks of lock nodes by slewing them")
					.formatted(this.node, ahead.toMillis(),
							proven ? "" : ", as far as can be judged without the other nodes",
							this.admission.votesIn(now).plusMillis(999).toSeconds()));
	}

	@Override
	public void onOwnStep(Duration ahead) {
		logger
			.warn(("The clocks of a majority of the lock nodes advanced by %,d ms more than the clock of this machine: "
					+ "it was suspended without notice, or all of them were stepped. "
					+ "Leases that were held then may have ended early")
				.formatted(ahead.toMillis()));
	}

	private void onReply(@Nullable Object reply, long queuedNanos) {
		if (reply instanceof List<?> list && list.size() == 2 && list.get(0) instanceof byte[] seconds
				&& list.get(1) instanceof byte[] micros) {
			try {
				onTime(number(seconds) * 1_000_000 + number(micros), queuedNanos);
			}
			catch (NumberFormatException ex) {
				this.denied = true;
			}
		}
		else if (reply instanceof RespError error) {
			// A script that keeps the node busy will end.
			this.denied = !error.code().equals("BUSY");
		}
	}

	private static long number(byte[] text) {
		return Long.parseLong(new String(text, StandardCharsets.US_ASCII));
	}

}
