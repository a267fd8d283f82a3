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

package io.quorlock.redis.spring;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import org.awaitility.Awaitility;
import org.mockito.Mockito;

import org.springframework.data.redis.connection.RedisConnectionFactory;

import io.quorlock.quorum.node.InstanceMessage;
import io.quorlock.quorum.node.LockNode;
import io.quorlock.quorum.node.NodeCommand;
import io.quorlock.quorum.node.NodeListener;
import io.quorlock.quorum.node.NodeReply;
import io.quorlock.quorum.node.OtherList;
import io.quorlock.redis.RedisKeys;
import io.quorlock.time.SystemClock;

/**
 * Nodes over a connection factory, and what they reply.
 */
final class Nodes {

	private Nodes() {
	}

	static SpringRedisLockNode over(RedisConnectionFactory factory) {
		return over(factory, 0, Duration.ofSeconds(1));
	}

	static SpringRedisLockNode over(RedisConnectionFactory factory, int replicas, Duration timeout) {
		return new SpringRedisLockNode(factory, new RedisKeys("lock:"), replicas, timeout, new SystemClock());
	}

	/** Starts a node and waits until it votes. */
	static <N extends LockNode> N start(N node) {
		node.start(Mockito.mock(NodeListener.class));
		Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> node.status().isVoting());
		return node;
	}

	static CompletableFuture<NodeReply> submit(LockNode node, NodeCommand command) {
		CompletableFuture<NodeReply> outcome = new CompletableFuture<>();
		node.submit(command, 7, (slot, reply) -> {
			if (slot == 7) {
				outcome.complete(reply);
			}
		});
		return outcome;
	}

	static NodeReply reply(LockNode node, NodeCommand command) {
		return submit(node, command).orTimeout(30, TimeUnit.SECONDS).join();
	}

	/**
	 * Counts what it is told.
	 */
	static final class Listener implements NodeListener {

		final AtomicInteger connected = new AtomicInteger();

		final AtomicInteger listening = new AtomicInteger();

		final AtomicInteger messages = new AtomicInteger();

		@Override
		public void onConnected(LockNode node) {
			this.connected.incrementAndGet();
		}

		@Override
		public void onLists(LockNode node, List<OtherList> lists) {
		}

		@Override
		public void onMessage(LockNode node, InstanceMessage message) {
			this.messages.incrementAndGet();
		}

		@Override
		public void onListening(LockNode node) {
			this.listening.incrementAndGet();
		}

	}

}
