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

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

import io.quorlock.quorum.node.NodeCommand;
import io.quorlock.quorum.node.NodeReply;
import io.quorlock.quorum.node.NodeReply.Failed.Cause;
import io.quorlock.quorum.node.ReplyHandler;

/**
 * Commands that come while a node connects for the first time: they wait for that, in
 * order, so that the first requests of an application do not fail at once.
 */
final class EarlyCommands {

	private static final int MAX_COMMANDS = 1_024;

	private final List<Early> commands = new ArrayList<>();

	private boolean open;

	/** The node was started. */
	synchronized void open() {
		this.open = true;
	}

	/**
	 * Keep a command.
	 * @return whether it is kept; otherwise the node is connected, or it is known that it
	 * cannot be
	 */
	synchronized boolean offer(Early command) {
		return this.open && this.commands.size() < MAX_COMMANDS && this.commands.add(command);
	}

	/**
	 * Put what was kept into the queue of the first connection.
	 * @param offer puts a command there, and returns why it cannot; {@code null} if it
	 * can
	 * @param begin makes later commands go there
	 */
	void connected(Function<Early, @Nullable String> offer, Runnable begin) {
		List<Runnable> refused = new ArrayList<>();
		synchronized (this) {
			for (Early command : this.commands) {
				String refusal = offer.apply(command);
				if (refusal != null) {
					refused.add(() -> command.fail(refusal));
				}
			}
			close();
			begin.run();
		}
		refused.forEach(Runnable::run);
	}

	/**
	 * Take what was kept: the first attempt to connect failed.
	 */
	synchronized List<Early> takeAll() {
		List<Early> taken = List.copyOf(this.commands);
		close();
		return taken;
	}

	private void close() {
		this.commands.clear();
		this.open = false;
	}

	/**
	 * A command that has no connection yet.
	 */
	record Early(NodeCommand command, int slot, ReplyHandler handler) {

		void fail(String reason) {
			NodeReply failed = new NodeReply.Failed(Cause.NOT_SENT, reason);
			PendingCommand.call(() -> this.handler.onReply(this.slot, failed));
		}

	}

}
