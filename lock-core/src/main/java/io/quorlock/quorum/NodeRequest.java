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

import io.quorlock.quorum.node.NodeCommand;
import io.quorlock.quorum.node.NodeReply;
import io.quorlock.quorum.node.ReplyHandler;

/**
 * One command that is sent to several nodes, and the receiver of their replies.
 *
 * @param <C> the type of the command
 */
abstract class NodeRequest<C extends NodeCommand> implements ReplyHandler {

	private final Messenger messenger;

	final C command;

	final long sentNanos;

	NodeRequest(Messenger messenger, C command, long sentNanos) {
		this.messenger = messenger;
		this.command = command;
		this.sentNanos = sentNanos;
	}

	final void submit(long slots) {
		this.messenger.submit(slots, this.command, this, this.sentNanos, true);
	}

	/** Send it at once, or with what follows. */
	final void submit(long slots, boolean atOnce) {
		this.messenger.submit(slots, this.command, this, this.sentNanos, atOnce);
	}

	@Override
	public final void onReply(int slot, NodeReply reply) {
		this.messenger.replied(slot, this.command, reply, this.sentNanos);
		received(slot, reply);
	}

	abstract void received(int slot, NodeReply reply);

	@Override
	public String toString() {
		return this.command.describe();
	}

}
