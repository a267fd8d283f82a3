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
import java.util.concurrent.atomic.AtomicInteger;

import io.quorlock.quorum.node.NodeCommand;
import io.quorlock.quorum.node.NodeReply;
import io.quorlock.time.LockTimer;

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
	CompletableFuture<Boolean> start(LockTimer timer, long timeoutNanos) {
		LockTimer.Timeout timeout = timer.schedule(timeoutNanos, () -> this.heard.complete(false));
		this.heard.whenComplete((heard, ex) -> timeout.cancel());
		submit(this.voters.all());
		return this.heard;
	}

	@Override
	void received(int slot, NodeReply reply) {
		if (reply instanceof NodeReply.PassedOn passedOn && passedOn.connections() > 0) {
			this.heard.complete(true);
		}
		if (this.open.decrementAndGet() == 0) {
			this.heard.complete(false);
		}
	}

}
