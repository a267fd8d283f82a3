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

package io.quorlock.engine;

import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;

import org.jspecify.annotations.Nullable;

import io.quorlock.quorum.node.InstanceMessage;
import io.quorlock.quorum.node.LockNode;
import io.quorlock.quorum.node.NodeCommand;
import io.quorlock.quorum.node.NodeListener;
import io.quorlock.quorum.node.NodeReply;
import io.quorlock.quorum.node.NodeStatus;
import io.quorlock.quorum.node.OtherList;
import io.quorlock.quorum.node.ReplyHandler;
import io.quorlock.time.SystemClock;

/**
 * A node that can be cut off, or put into quarantine.
 */
public final class SwitchableNode implements LockNode {

	private final LockNode node;

	private volatile boolean silent;

	private volatile @Nullable NodeStatus status;

	public SwitchableNode(LockNode node) {
		this.node = node;
	}

	/** From now on it swallows commands without an answer, while it seems well. */
	public void silence() {
		this.silent = true;
	}

	/** From now on it replies again. */
	public void speak() {
		this.silent = false;
	}

	/** From now on it is down. */
	public void cutOff() {
		this.status = NodeStatus.of(NodeStatus.State.DOWN, "connection refused");
	}

	public void quarantine(Duration votesIn) {
		this.status = new NodeStatus(NodeStatus.State.QUARANTINED, "restarted empty", votesIn, "run-2", "7.0.15",
				OptionalLong.empty());
	}

	@Override
	public String name() {
		return this.node.name();
	}

	@Override
	public NodeStatus status() {
		NodeStatus status = this.status;
		return (status != null) ? status : withClock(this.node.status());
	}

	/** A node in memory does not tell its clock, as servers do. */
	private static NodeStatus withClock(NodeStatus status) {
		SystemClock clock = new SystemClock();
		return new NodeStatus(status.state(), status.reason(), status.votesIn(), status.runId(), status.version(),
				OptionalLong.of(clock.wallMicros() - clock.nanoTime() / 1_000));
	}

	@Override
	public void start(NodeListener listener) {
		this.node.start(new NodeListener() {

			@Override
			public void onConnected(LockNode node) {
				listener.onConnected(SwitchableNode.this);
			}

			@Override
			public void onLists(LockNode node, List<OtherList> lists) {
				listener.onLists(SwitchableNode.this, lists);
			}

			@Override
			public void onMessage(LockNode node, InstanceMessage message) {
				listener.onMessage(SwitchableNode.this, message);
			}

			@Override
			public void onListening(LockNode node) {
				listener.onListening(SwitchableNode.this);
			}

		});
	}

	@Override
	public void submit(NodeCommand command, int slot, ReplyHandler handler) {
		NodeStatus status = this.status;
		if (status != null && status.state() == NodeStatus.State.DOWN) {
			handler.onReply(slot, new NodeReply.Failed(NodeReply.Failed.Cause.NOT_SENT, status.reason()));
		}
		else if (!this.silent) {
			this.node.submit(command, slot, handler);
		}
	}

	@Override
	public void listen(String instance) {
		this.node.listen(instance);
	}

	@Override
	public void flush() {
		this.node.flush();
	}

	@Override
	public void stop() {
		this.node.stop();
	}

}
