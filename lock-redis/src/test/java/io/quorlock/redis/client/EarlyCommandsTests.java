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
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

import io.quorlock.embedded.EmbeddedRedisNode;
import io.quorlock.embedded.LoopbackProxy;
import io.quorlock.quorum.node.Attempt;
import io.quorlock.quorum.node.NodeCommand;
import io.quorlock.quorum.node.NodeReply;
import io.quorlock.quorum.node.NodeReply.Failed.Cause;
import io.quorlock.quorum.node.NodeStatus.State;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Commands that come while a node connects for the first time.
 */
class EarlyCommandsTests {

	@AutoClose
	private static EmbeddedRedisNode redis = EmbeddedRedisNode.start();

	@Test
	void commandsWaitForTheFirstConnection() {
		redis.execute("FLUSHALL");
		try (LoopbackProxy proxy = LoopbackProxy.to(redis)) {
			proxy.holdReplies();
			try (NodeProbe probe = NodeProbe.start(proxy.uri(), NodeProbe.options())) {
				Attempt attempt = new Attempt("a1");
				CompletableFuture<NodeReply> acquired = probe.submit(NodeProbe.acquire(attempt, "n"));
				CompletableFuture<NodeReply> other = probe.submit(NodeProbe.acquire(new Attempt("a2"), "n"));
				assertThat(acquired).isNotDone();
				proxy.releaseReplies();
				assertThat(join(acquired)).isInstanceOfSatisfying(NodeReply.Granted.class,
						(granted) -> assertThat(granted.voting()).isTrue());
				assertThat(join(other)).isInstanceOf(NodeReply.Refused.class);
			}
		}
	}

	/** R3, with callers that go on while the connection is made. */
	@RepeatedTest(50)
	void theirOrderIsKept() {
		redis.execute("FLUSHALL");
		try (NodeProbe probe = NodeProbe.start(redis.uri(), NodeProbe.options())) {
			List<CompletableFuture<NodeReply>> acquired = new ArrayList<>();
			List<CompletableFuture<NodeReply>> released = new ArrayList<>();
			for (int i = 0; i == 0 || !released.get(0).isDone(); i++) {
				Attempt attempt = new Attempt("a" + i);
				acquired.add(probe.submit(NodeProbe.acquire(attempt, "n" + i)));
				released.add(probe.submit(NodeProbe.release(attempt, "n" + i)));
				if (i > 400) {
					Thread.yield();
				}
				if (i == 500) {
					join(released.get(0));
				}
			}
			assertThat(acquired).allSatisfy((reply) -> assertThat(join(reply)).isInstanceOf(NodeReply.Granted.class));
			assertThat(released).allSatisfy((reply) -> assertThat(join(reply)).isInstanceOf(NodeReply.Released.class));
			assertThat(redis.execute("KEYS", "lock:{*")).isEqualTo(List.of());
		}
	}

	/** Callers wait for all of them. */
	@Test
	void allAreRepliedToAlthoughAHandlerFails() throws Exception {
		CountDownLatch submitted = new CountDownLatch(1);
		FakeServer server = new FakeServer((command) -> {
			Awaitility.await().until(() -> submitted.getCount() == 0);
			return null;
		});
		try (server; NodeProbe probe = NodeProbe.start(server.uri(), NodeProbe.options())) {
			Awaitility.await().until(() -> server.accepted() > 0);
			probe.node().submit(NodeProbe.acquire(new Attempt("a1"), "n"), 0, (slot, reply) -> {
				throw new IllegalStateException("a defect");
			});
			CompletableFuture<NodeReply> other = probe.submit(NodeProbe.acquire(new Attempt("a2"), "n"));
			submitted.countDown();
			assertThat(NodeProbe.causeOf(join(other))).isEqualTo(Cause.NOT_SENT);
		}
	}

	/** It may wait for somebody who has a command of his own to send. */
	@Test
	void othersCanSendWhileAHandlerHearsThatItsCommandIsRefused() {
		EarlyCommands early = new EarlyCommands();
		early.open();
		List<Integer> slots = new ArrayList<>();
		NodeCommand command = NodeProbe.acquire(new Attempt("a1"), "n");
		early.offer(new EarlyCommands.Early(command, 1, (slot, reply) -> {
			throw new AssertionError("a defect");
		}));
		early.offer(new EarlyCommands.Early(command, 2, (slot, reply) -> {
			CompletableFuture.supplyAsync(early::takeAll).orTimeout(10, TimeUnit.SECONDS).join();
			slots.add(slot);
		}));
		early.connected((refused) -> "the reason", () -> {
		});
		assertThat(slots).containsExactly(2);
	}

	/** Their callers have heard that they were not sent. */
	@Test
	void thoseThatFailedAreNotSentLater() {
		EarlyCommands early = new EarlyCommands();
		early.open();
		early.offer(command());
		assertThat(early.takeAll()).hasSize(1);
		assertThat(early.takeAll()).isEmpty();
		assertThat(sentOver(early)).isEmpty();
	}

	@Test
	void thoseThatWereSentAreNotSentOverTheNextConnection() {
		EarlyCommands early = new EarlyCommands();
		early.open();
		early.offer(command());
		assertThat(sentOver(early)).hasSize(1);
		assertThat(early.offer(command())).isFalse();
		assertThat(sentOver(early)).isEmpty();
	}

	private static EarlyCommands.Early command() {
		return new EarlyCommands.Early(NodeProbe.acquire(new Attempt("a1"), "n"), 0, (slot, reply) -> {
		});
	}

	private static List<EarlyCommands.Early> sentOver(EarlyCommands early) {
		List<EarlyCommands.Early> sent = new ArrayList<>();
		early.connected((command) -> {
			sent.add(command);
			return null;
		}, () -> {
		});
		return sent;
	}

	@Test
	void theyFailWithTheReasonOnceTheFirstAttemptFailed() {
		int port;
		try (EmbeddedRedisNode gone = EmbeddedRedisNode.start()) {
			port = gone.port();
		}
		try (NodeProbe probe = NodeProbe.start("redis://127.0.0.1:" + port, NodeProbe.options())) {
			NodeReply reply = join(probe.submit(NodeProbe.acquire(new Attempt("a1"), "n")));
			assertThat(NodeProbe.causeOf(reply)).isEqualTo(Cause.NOT_SENT);
			assertThat(NodeProbe.messageOf(reply)).isEqualTo("connection refused");
			probe.await(State.DOWN);
			assertThat(probe.submit(NodeProbe.acquire(new Attempt("a2"), "n"))).isDone();
		}
	}

	/** R9: everybody else would find the token of a wrong clock unusable. */
	@Test
	void tokenOfAClockThatIsDaysAheadIsNotProposed() {
		assertNotProposed(2, "ahead of");
	}

	/** The token of a name whose fence has expired would go back. */
	@Test
	void tokenOfAClockThatIsDaysBehindIsNotProposed() {
		assertNotProposed(-2, "behind");
	}

	private static void assertNotProposed(int daysAhead, String direction) {
		redis.execute("FLUSHALL");
		try (LoopbackProxy proxy = LoopbackProxy.to(redis)) {
			proxy.holdReplies();
			try (NodeProbe probe = NodeProbe.start(proxy.uri(), NodeProbe.options())) {
				long wall = System.currentTimeMillis() * 1_000 + Duration.ofDays(daysAhead).toMillis() * 1_000;
				Attempt attempt = new Attempt("a1", -1, wall);
				CompletableFuture<NodeReply> early = probe.submit(propose(attempt, wall));
				CompletableFuture<NodeReply> release = probe.submit(NodeProbe.release(attempt, "n"));
				proxy.releaseReplies();
				NodeReply refused = join(early);
				assertThat(NodeProbe.causeOf(refused)).isEqualTo(Cause.NOT_SENT);
				assertThat(NodeProbe.messageOf(refused)).matches("the clock of this machine is 172,[78]\\d\\d s "
						+ direction + " its clock, which was not known when the lock was requested");
				assertThat(join(release)).isInstanceOf(NodeReply.Released.class);
				assertThat(NodeProbe.causeOf(probe.send(propose(new Attempt("a2", -1, wall), wall))))
					.as("requested just before the node was connected")
					.isEqualTo(Cause.NOT_SENT);
				assertThat(redis.execute("KEYS", "lock:{*")).isEqualTo(List.of());
				assertThat(probe.send(propose(new Attempt("a3"), wall))).as("the nodes' clocks were known")
					.isInstanceOf(NodeReply.Granted.class);
			}
		}
	}

	@Test
	void tokenOfAClockThatIsHoursOffIsProposed() {
		redis.execute("FLUSHALL");
		try (LoopbackProxy proxy = LoopbackProxy.to(redis)) {
			proxy.holdReplies();
			try (NodeProbe probe = NodeProbe.start(proxy.uri(), NodeProbe.options())) {
				long wall = System.currentTimeMillis() * 1_000 + Duration.ofHours(23).toMillis() * 1_000;
				CompletableFuture<NodeReply> early = probe.submit(propose(new Attempt("a1", -1, wall), wall));
				proxy.releaseReplies();
				assertThat(join(early)).isInstanceOf(NodeReply.Granted.class);
			}
		}
	}

	private static NodeCommand propose(Attempt attempt, long token) {
		return new NodeCommand.Acquire(List.of("n"), attempt, 60_000, new long[] { token }, 1, 60_000);
	}

	@Test
	void theyFailWhenTheNodeIsStopped() {
		try (LoopbackProxy proxy = LoopbackProxy.to(redis)) {
			proxy.holdReplies();
			NodeProbe probe = NodeProbe.start(proxy.uri(), NodeProbe.options());
			CompletableFuture<NodeReply> acquired = probe.submit(NodeProbe.acquire(new Attempt("a1"), "n"));
			probe.close();
			assertThat(acquired).isDone();
			assertThat(NodeProbe.messageOf(acquired.join())).isEqualTo("stopped");
		}
	}

	@Test
	void theirNumberIsBounded() {
		try (LoopbackProxy proxy = LoopbackProxy.to(redis)) {
			proxy.holdReplies();
			try (NodeProbe probe = NodeProbe.start(proxy.uri(), NodeProbe.options())) {
				List<CompletableFuture<NodeReply>> replies = new ArrayList<>();
				while (replies.isEmpty() || !replies.get(replies.size() - 1).isDone()) {
					replies.add(probe.submit(NodeProbe.acquire(new Attempt("a" + replies.size()), "n")));
				}
				assertThat(replies).hasSize(1_025);
				assertThat(NodeProbe.messageOf(replies.get(1_024).join())).isEqualTo("connecting");
			}
		}
	}

	private static NodeReply join(CompletableFuture<NodeReply> reply) {
		return reply.orTimeout(30, TimeUnit.SECONDS).join();
	}

}
