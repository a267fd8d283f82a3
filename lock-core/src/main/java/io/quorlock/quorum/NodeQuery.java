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

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;

import io.quorlock.quorum.node.NodeCommand;
import io.quorlock.quorum.node.NodeReply;
import io.quorlock.time.LockTimer;

/**
 * One question to all nodes, complete when enough of them or all have replied, or after
 * one operation timeout.
 */
final class NodeQuery extends NodeRequest<NodeCommand> {

	/** By slot; null without a reply. */
	private final AtomicReferenceArray<@Nullable NodeReply> replies;

	private final AtomicInteger open;

	private final Predicate<List<@Nullable NodeReply>> enough;

	private final CompletableFuture<List<@Nullable NodeReply>> done = new CompletableFuture<>();

	private NodeQuery(Quorum quorum, NodeCommand command, Predicate<List<@Nullable NodeReply>> enough) {
		super(quorum.messenger, command, quorum.clock.nanoTime());
		this.replies = new AtomicReferenceArray<>(quorum.voters.size());
		this.open = new AtomicInteger(quorum.voters.size());
		this.enough = enough;
	}

	/**
	 * Ask all nodes.
	 * @param enough whether no further replies are awaited
	 * @return the replies by slot, on a thread of a node's driver or of the timer
	 */
	static CompletableFuture<List<@Nullable NodeReply>> ask(Quorum quorum, NodeCommand command,
			Predicate<List<@Nullable NodeReply>> enough) {
		NodeQuery query = new NodeQuery(quorum, command, enough);
		LockTimer.Timeout timeout = quorum.timer.schedule(quorum.timing.operationTimeoutNanos,
				() -> query.done.complete(query.collect()));
		query.done.whenComplete((replies, ex) -> timeout.cancel());
		query.submit(quorum.voters.all);
		return query.done;
	}

	@Override
	void received(int slot, NodeReply reply) {
		this.replies.set(slot, reply);
		List<@Nullable NodeReply> replies = collect();
		if (this.open.decrementAndGet() == 0 || this.enough.test(replies)) {
			this.done.complete(replies);
		}
	}

	private List<@Nullable NodeReply> collect() {
		List<@Nullable NodeReply> collected = new ArrayList<>(this.replies.length());
		for (int slot = 0; slot < this.replies.length(); slot++) {
			collected.add(this.replies.get(slot));
		}
		return collected;
	}

}
