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

package io.quorlock.quorum.node;

import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.Executor;

import org.jspecify.annotations.Nullable;

import io.quorlock.quorum.node.NodeReply.Failed;
import io.quorlock.quorum.node.NodeStatus.State;
import io.quorlock.time.LockClock;

/**
 * A node that keeps its keys in this process. Each command is atomic, as a script of
 * Redis is.
 *
 * @since 0.1.0
 */
public final class InMemoryLockNode implements LockNode {

	private final String name;

	private final InMemoryStore store;

	private final Executor replyExecutor;

	/** The instance that listens through this object. */
	private volatile @Nullable String instance;

	private volatile @Nullable NodeListener listener;

	/**
	 * Create a node that replies on the submitting thread.
	 * @param name the node's name
	 * @param clock by which keys expire
	 */
	public InMemoryLockNode(String name, LockClock clock) {
		this(name, clock, Runnable::run);
	}

	/**
	 * Create a node.
	 * @param name the node's name
	 * @param clock by which keys expire
	 * @param replyExecutor runs the reply handlers, in order
	 */
	public InMemoryLockNode(String name, LockClock clock, Executor replyExecutor) {
		this(name, new InMemoryStore(clock), replyExecutor);
	}

	private InMemoryLockNode(String name, InMemoryStore store, Executor replyExecutor) {
		this.name = name;
		this.store = store;
		this.replyExecutor = replyExecutor;
	}

	/**
	 * Return the same node as another client reaches it.
	 * @return a node with the same keys, for one client
	 */
	public InMemoryLockNode forAnotherClient() {
		return new InMemoryLockNode(this.name, this.store, this.replyExecutor);
	}

	@Override
	public String name() {
		return this.name;
	}

	@Override
	public NodeStatus status() {
		return (this.listener != null)
				? new NodeStatus(State.VOTING, "", Duration.ZERO, this.name, null, OptionalLong.empty())
				: NodeStatus.of(State.DOWN, "stopped");
	}

	@Override
	public void start(NodeListener listener) {
		this.listener = listener;
		listener.onConnected(this);
	}

	@Override
	public void submit(NodeCommand command, int slot, ReplyHandler handler) {
		NodeListener listener = this.listener;
		if (listener == null) {
			handler.onReply(slot, new Failed(Failed.Cause.NOT_SENT, "stopped"));
			return;
		}
		InMemoryMessages messages = new InMemoryMessages(this.store.listening().keySet());
		NodeReply reply;
		this.store.lock().lock();
		try {
			reply = this.store.execute(command, messages);
		}
		finally {
			this.store.lock().unlock();
		}
		this.replyExecutor.execute(() -> handler.onReply(slot, reply));
		messages.sent().forEach((instance, sent) -> {
			InMemoryLockNode receiver = this.store.listening().get(instance);
			if (receiver != null) {
				sent.forEach(receiver::receive);
			}
		});
	}

	private void receive(InstanceMessage message) {
		NodeListener listener = this.listener;
		if (listener != null) {
			this.replyExecutor.execute(() -> listener.onMessage(this, message));
		}
	}

	@Override
	public void listen(String instance) {
		String before = this.instance;
		if (before != null) {
			this.store.listening().remove(before, this);
		}
		this.instance = instance;
		this.store.listening().put(instance, this);
		NodeListener listener = this.listener;
		if (listener != null) {
			listener.onListening(this);
		}
	}

	@Override
	public void stop() {
		this.listener = null;
	}

}
