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

import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;

import io.quorlock.quorum.node.NodeCommand;
import io.quorlock.redis.ServerInfo;
import io.quorlock.time.LockClock;

/**
 * A connection in use.
 *
 * @param pipeline carries the commands
 * @param info what the server reports of itself
 * @param clientId the number that the server gave the connection
 * @param clockOffsetMicros the server's wall clock less our monotonic clock
 * @param scratch tries the scripts again
 */
record Session(Pipeline pipeline, ServerInfo info, @Nullable Long clientId, OptionalLong clockOffsetMicros,
		List<byte[]> scratch) {

	/** The scripts refuse a stored fence that is further ahead of a proposal. */
	private static final long A_DAY = TimeUnit.DAYS.toMicros(1);

	/**
	 * Return why a command must not be sent: it proposes tokens of this machine's clock,
	 * which turns out to be wrong. The name would be unusable for everybody else.
	 * @return the reason, or {@code null} if it may be sent
	 */
	@Nullable String refusal(NodeCommand command, LockClock clock) {
		if (!(command instanceof NodeCommand.Acquire acquire) || acquire.proposed() == null
				|| acquire.attempt().unconfirmedMicros() == 0 || this.clockOffsetMicros.isEmpty()) {
			return null;
		}
		long nodeMicros = clock.nanoTime() / 1_000 + this.clockOffsetMicros.getAsLong();
		long aheadMicros = acquire.attempt().unconfirmedMicros() - nodeMicros;
		return (Math.abs(aheadMicros) <= A_DAY) ? null
				: "the clock of this machine is %,d s %s its clock, which was not known when the lock was requested"
					.formatted(TimeUnit.MICROSECONDS.toSeconds(Math.abs(aheadMicros)),
							(aheadMicros > 0) ? "ahead of" : "behind");
	}

}
