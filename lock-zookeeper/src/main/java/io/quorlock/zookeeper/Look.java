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
				note(Code.get(error.getErr()), result == results.get(results.size() - 1));
			}
		}
	}

	private void note(Code error, boolean ofBase) {
		// Without a base the look goes on once it is restored.
		if (!ofBase || error != Code.NONODE) {
			note(error);
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

	/** What the claim has to do now. */
	Situation situation(ClaimNodes entry) {
		for (int i = 0; i < this.queues.size(); i++) {
			QueueNode own = entry.node(i);
			if (own == null || !this.queues.get(i).contains(own.name())) {
				return new Situation.Evicted();
			}
		}
		for (int i = 0; i < this.queues.size(); i++) {
			QueueNode own = entry.node(i);
			QueueNode next = (own != null) ? this.queues.get(i).obstacle(own) : null;
			QueueNode first = (own != null) ? this.queues.get(i).firstObstacle(own) : null;
			if (next != null && first != null) {
				String container = entry.containers().get(i) + "/";
				return new Situation.Blocked(container + next.name(), container + first.name());
			}
		}
		for (int i = 0; i < this.queues.size(); i++) {
			if (this.queues.get(i).isCoolingDown()) {
				return new Situation.CoolingDown(entry.containers().get(i) + "/" + LockPaths.COOLDOWN);
			}
		}
		return new Situation.First(base());
	}

	/**
	 * Where a claim stands.
	 */
	sealed interface Situation {

		/**
		 * It holds its names.
		 *
		 * @param base what its fencing tokens are counted from
		 */
		record First(long base) implements Situation {
		}

		/**
		 * Others stand in front.
		 *
		 * @param next the nearest of them, which alone is watched
		 * @param first the first of them, which holds the name
		 */
		record Blocked(String next, String first) implements Situation {
		}

		/**
		 * It is first, but a name cools down (R18).
		 *
		 * @param path the node that says so
		 */
		record CoolingDown(String path) implements Situation {
		}

		/** Its node was deleted from outside. */
		record Evicted() implements Situation {
		}

	}

}
