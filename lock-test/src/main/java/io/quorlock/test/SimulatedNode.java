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

package io.quorlock.test;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import io.quorlock.quorum.node.Attempt;
import io.quorlock.quorum.node.CommandHeader;
import io.quorlock.quorum.node.InstanceMessage;
import io.quorlock.quorum.node.LockNode;
import io.quorlock.quorum.node.LockTarget;
import io.quorlock.quorum.node.NodeCommand;
import io.quorlock.quorum.node.NodeListener;
import io.quorlock.quorum.node.NodeReply;
import io.quorlock.quorum.node.NodeReply.Failed;
import io.quorlock.quorum.node.NodeStatus;
import io.quorlock.quorum.node.NodeStatus.State;
import io.quorlock.quorum.node.OperatorCommand.ForceRelease;
import io.quorlock.quorum.node.OtherList;
import io.quorlock.quorum.node.ReplyHandler;

/**
 * A node that can be made unavailable, and on which others can hold locks.
 */
class SimulatedNode implements LockNode {

	private static final String REASON = "simulated as unavailable";

	private static final long LEASE_MILLIS = Duration.ofDays(1).toMillis();

	private static final long REPLY_SECONDS = 10;

	private final LockNode delegate;

	private volatile boolean available = true;

	private volatile boolean keepsElsewhere;

	private volatile @Nullable NodeListener listener;

	SimulatedNode(LockNode delegate) {
		this.delegate = delegate;
	}

	NodeReply hold(LockTarget target, Attempt attempt) {
		return ask(new NodeCommand.Acquire(new CommandHeader(target, attempt), LEASE_MILLIS, null, 1, 0, null, 1));
	}

	void free(LockTarget target, Attempt attempt) {
		ask(new NodeCommand.Release(new CommandHeader(target, attempt), 0));
	}

	private NodeReply ask(NodeCommand command) {
		CompletableFuture<NodeReply> reply = new CompletableFuture<>();
		this.delegate.submit(command, 0, (slot, received) -> reply.complete(received));
		return reply.orTimeout(REPLY_SECONDS, TimeUnit.SECONDS).join();
	}

	void setAvailable(boolean available) {
		boolean before = this.available;
		this.available = available;
		NodeListener listener = this.listener;
		if (available && !before && listener != null) {
			listener.onConnected(this);
		}
	}

	/** Whether a release by force is for the application's locks alone. */
	void keepElsewhere(boolean keep) {
		this.keepsElsewhere = keep;
	}

	@Override
	public String name() {
		return this.delegate.name();
	}

	@Override
	public NodeStatus status() {
		return this.available ? this.delegate.status() : NodeStatus.of(State.DOWN, REASON);
	}

	@Override
	public void start(NodeListener listener) {
		this.listener = listener;
		this.delegate.start(new OwnListener(listener));
	}

	@Override
	public void submit(NodeCommand command, int slot, ReplyHandler handler) {
		if (this.available) {
			this.delegate.submit(
					(this.keepsElsewhere && command instanceof ForceRelease release) ? ofApplication(release) : command,
					slot, handler);
		}
		else {
			handler.onReply(slot, new Failed(Failed.Cause.NOT_SENT, REASON));
		}
	}

	private static ForceRelease ofApplication(ForceRelease release) {
		Set<String> owners = release.owners()
			.stream()
			.filter((owner) -> !owner.startsWith(LockSimulator.ELSEWHERE))
			.collect(Collectors.toUnmodifiableSet());
		return new ForceRelease(release.header(), release.permit(), owners);
	}

	@Override
	public void listen(String instance) {
		this.delegate.listen(instance);
	}

	@Override
	public void flush() {
		this.delegate.flush();
	}

	@Override
	public void stop() {
		this.delegate.stop();
	}

	/** The engine uses this node, not the one that it wraps. */
	private final class OwnListener implements NodeListener {

		private final NodeListener listener;

		OwnListener(NodeListener listener) {
			this.listener = listener;
		}

		@Override
		public void onConnected(LockNode node) {
			this.listener.onConnected(SimulatedNode.this);
		}

		@Override
		public void onLists(LockNode node, List<OtherList> lists) {
			this.listener.onLists(SimulatedNode.this, lists);
		}

		@Override
		public void onMessage(LockNode node, InstanceMessage message) {
			this.listener.onMessage(SimulatedNode.this, message);
		}

		@Override
		public void onListening(LockNode node) {
			this.listener.onListening(SimulatedNode.this);
		}

	}

}
