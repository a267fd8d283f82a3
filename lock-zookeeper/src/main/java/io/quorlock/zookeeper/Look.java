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

package io.quorlock.zookeeper;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.OpResult;
import org.jspecify.annotations.Nullable;

/**
 * What a claim sees when it looks at the queues of its names once: what they contained,
 * and the base of the fencing tokens, read after them. Nothing but decisions.
 */
final class Look {

	private final List<ClaimQueue> queues = new ArrayList<>();

	private final FencingTokens tokens;

	private Code code = Code.OK;

	private @Nullable Long base;

	Look(FencingTokens tokens) {
		this.tokens = tokens;
	}

	/**
	 * Note the reply to {@link SessionRequests#look}, or to the next part of it.
	 * @param reply what became of the request
	 * @param results what was there: the queues, and behind them the base
	 */
	void received(Code reply, @Nullable List<OpResult> results) {
		if (results == null) {
			note(reply);
			return;
		}
		this.base = null;
		for (OpResult result : results) {
			if (result instanceof OpResult.GetChildrenResult queue) {
				this.queues.add(new ClaimQueue(queue.getChildren()));
			}
			else if (result instanceof OpResult.GetDataResult node) {
				Long read = FencingTokens.base(node.getData());
				this.base = this.tokens.checked(read);
				note((read != null) ? Code.OK : Code.DATAINCONSISTENCY);
			}
			else if (result instanceof OpResult.ErrorResult error) {
				Code read = Code.get(error.getErr());
				boolean ofBase = result == results.get(results.size() - 1);
				// Without a base the look goes on once it is restored.
				note((ofBase && read == Code.NONODE) ? Code.OK : read);
			}
		}
	}

	/** Note what became of a request that belongs to this look. */
	void note(Code reply) {
		if (this.code == Code.OK) {
			this.code = reply;
		}
	}

	/** {@link Code#OK}, or the first that was not. */
	Code code() {
		return this.code;
	}

	/** Whether the number that fencing tokens are counted from was deleted or lowered. */
	boolean lacksBase() {
		return this.code == Code.OK && this.base == null;
	}

	/** What fencing tokens are counted from. */
	long base() {
		return Objects.requireNonNull(this.base);
	}

	ClaimQueue queue(int index) {
		return this.queues.get(index);
	}

	/** Whether all nodes of a claim are in their queues. */
	boolean shows(ClaimNodes entry) {
		return IntStream.range(0, this.queues.size()).allMatch((i) -> queue(i).contains(entry.node(i).name()));
	}

	/** The first queue in which others stand in front of a claim, or -1. */
	int blocked(ClaimNodes entry) {
		return first((i) -> queue(i).obstacle(entry.node(i)) != null);
	}

	/** The first queue whose name cools down (R18), or -1. */
	int coolingDown() {
		return first((i) -> queue(i).isCoolingDown());
	}

	private int first(IntPredicate condition) {
		return IntStream.range(0, this.queues.size()).filter(condition).findFirst().orElse(-1);
	}

}
