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

package io.quorlock.quorum;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;

import io.quorlock.quorum.node.NodeCommand;
import io.quorlock.quorum.node.NodeReply;
import io.quorlock.time.LockTimer;

/**
 * Has the nodes raise the fences of a lock that is held (R24).
 */
final class TokenRaise extends NodeRequest {

	private final Releases parts;

	private final AtomicLong raised = new AtomicLong();

	private final AtomicLong replied = new AtomicLong();

	private final CompletableFuture<Boolean> done = new CompletableFuture<>();

	TokenRaise(Releases parts, NodeCommand.Raise command) {
		super(parts.messenger(), command, parts.clock().nanoTime());
		this.parts = parts;
	}

	/** Completes with whether a majority of the nodes did so in time. */
	CompletableFuture<Boolean> start() {
		LockTimer.Timeout timeout = this.parts.timer()
			.schedule(this.parts.timing().operationTimeoutNanos(), () -> this.done.complete(false));
		this.done.whenComplete((raised, ex) -> timeout.cancel());
		submit(this.parts.voters().all());
		return this.done;
	}

	@Override
	void received(int slot, NodeReply reply) {
		long bit = Voters.bit(slot);
		if (reply.voting() && reply instanceof NodeReply.Done
				&& this.parts.voters().isMajority(this.raised.updateAndGet((slots) -> slots | bit))) {
			this.done.complete(true);
		}
		if (this.replied.updateAndGet((slots) -> slots | bit) == this.parts.voters().all()) {
			this.done.complete(false);
		}
	}

}
