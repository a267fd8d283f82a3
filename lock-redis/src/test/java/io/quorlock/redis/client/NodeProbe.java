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

import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

import io.quorlock.quorum.node.Attempt;
import io.quorlock.quorum.node.InstanceMessage;
import io.quorlock.quorum.node.LockNode;
import io.quorlock.quorum.node.NodeCommand;
import io.quorlock.quorum.node.NodeListener;
import io.quorlock.quorum.node.NodeReply;
import io.quorlock.quorum.node.NodeReply.Failed;
import io.quorlock.quorum.node.NodeReply.Failed.Cause;
import io.quorlock.quorum.node.NodeStatus;
import io.quorlock.quorum.node.NodeStatus.State;
import io.quorlock.quorum.node.OtherList;
import io.quorlock.quorum.node.ReplyHandler;
import io.quorlock.redis.NodeAddress;
import io.quorlock.time.LockClock;
import io.quorlock.time.TestClock;

/**
 * A started node, and a simple way to talk to it.
 */
final class NodeProbe implements NodeListener, AutoCloseable {

	static final Duration LONG = Duration.ofSeconds(30);

	final LinkedBlockingQueue<String> listening = new LinkedBlockingQueue<>();

	final LinkedBlockingQueue<InstanceMessage> messages = new LinkedBlockingQueue<>();

	final LinkedBlockingQueue<LockNode> connected = new LinkedBlockingQueue<>();

	private final LockNode node;

	NodeProbe(LockNode node) {
		this.node = node;
		node.start(this);
	}

	static RedisNodeOptions options() {
		return options(new TestClock());
	}

	/** Of nodes that vote at once. */
	static RedisNodeOptions options(LockClock clock) {
		return TestOptions.with(clock).set(RedisNodeOptions::quarantine, Duration.ZERO).build();
	}

	static NodeProbe start(String uri, RedisNodeOptions options) {
		return new NodeProbe(RedisNodes.create(List.of(NodeAddress.parse(uri)), options).nodes().get(0));
	}

	static NodeProbe connect(String uri) {
		return connect(uri, options());
	}

	static NodeProbe connect(String uri, RedisNodeOptions options) {
		NodeProbe probe = start(uri, options);
		probe.await(State.VOTING);
		return probe;
	}

	LockNode node() {
		return this.node;
	}

	NodeStatus await(State state) {
		until(() -> this.node.status().state() == state);
		return this.node.status();
	}

	NodeStatus awaitReason(String part) {
		until(() -> this.node.status().reason().contains(part));
		return this.node.status();
	}

	CompletableFuture<NodeReply> submit(NodeCommand command) {
		CompletableFuture<NodeReply> future = new CompletableFuture<>();
		this.node.submit(command, 0, once(future));
		return future;
	}

	CompletableFuture<NodeReply> enqueue(NodeCommand command) {
		CompletableFuture<NodeReply> future = new CompletableFuture<>();
		this.node.enqueue(command, 0, once(future));
		return future;
	}

	private static ReplyHandler once(CompletableFuture<NodeReply> future) {
		return (slot, reply) -> {
			if (!future.complete(reply)) {
				throw new IllegalStateException("A second reply: " + reply);
			}
		};
	}

	static void until(Callable<Boolean> condition) {
		Awaitility.await().atMost(LONG).until(condition);
	}

	NodeReply send(NodeCommand command) {
		return submit(command).orTimeout(LONG.toSeconds(), TimeUnit.SECONDS).join();
	}

	static NodeCommand acquire(Attempt attempt, String... names) {
		return new NodeCommand.Acquire(List.of(names), attempt, 60_000, null, 1, 0);
	}

	static NodeCommand release(Attempt attempt, String... names) {
		attempt.releasing();
		return new NodeCommand.Release(List.of(names), attempt, 0);
	}

	static @Nullable Cause causeOf(NodeReply reply) {
		return (reply instanceof Failed failed) ? failed.cause() : null;
	}

	static String messageOf(NodeReply reply) {
		return (reply instanceof Failed failed) ? failed.message() : "";
	}

	@Override
	public void onConnected(LockNode node) {
		this.connected.add(node);
	}

	@Override
	public void onLists(LockNode node, List<OtherList> lists) {
	}

	@Override
	public void onMessage(LockNode node, InstanceMessage message) {
		this.messages.add(message);
	}

	@Override
	public void onListening(LockNode node) {
		this.listening.add(node.name());
	}

	@Override
	public void close() {
		this.node.stop();
	}

}
