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
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.mockito.BDDMockito;
import org.mockito.Mockito;

import io.quorlock.Settings;
import io.quorlock.embedded.EmbeddedRedisNode;
import io.quorlock.embedded.LoopbackProxy;
import io.quorlock.quorum.node.Attempt;
import io.quorlock.quorum.node.CommandHeader;
import io.quorlock.quorum.node.LockNode;
import io.quorlock.quorum.node.LockTarget;
import io.quorlock.quorum.node.NodeCommand;
import io.quorlock.quorum.node.NodeListener;
import io.quorlock.quorum.node.NodeReply;
import io.quorlock.quorum.node.NodeReply.Failed.Cause;
import io.quorlock.quorum.node.NodeStatus;
import io.quorlock.quorum.node.NodeStatus.State;
import io.quorlock.redis.LockScript;
import io.quorlock.redis.NodeAddress;
import io.quorlock.time.TestClock;

import static io.quorlock.redis.client.NodeProbe.acquire;
import static io.quorlock.redis.client.NodeProbe.release;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * What becomes of commands when connections and servers fail (R3).
 */
class NodeConnectionTests {

	@AutoClose
	private static EmbeddedRedisNode redis = EmbeddedRedisNode.start();

	private final TestClock clock = new TestClock();

	@BeforeEach
	void reset() {
		redis.execute("FLUSHALL");
		redis.execute("CONFIG", "RESETSTAT");
	}

	@Test
	void errorWhileConnectingDoesNotEndTheNode() {
		AtomicInteger connections = new AtomicInteger();
		LockNode node = RedisNodes.create(List.of(NodeAddress.parse(redis.uri())), NodeProbe.options()).nodes().get(0);
		NodeListener listener = Mockito.mock(NodeListener.class);
		BDDMockito.willAnswer((invocation) -> {
			if (connections.incrementAndGet() == 1) {
				throw new LinkageError("broken");
			}
			return null;
		}).given(listener).onConnected(node);
		node.start(listener);
		try {
			NodeProbe.until(() -> connections.get() == 2 && node.status().state() == State.VOTING);
		}
		finally {
			node.stop();
		}
	}

	@Test
	void acquireThatIsRepliedToLateLeavesNoKeyOnceItIsReleased() {
		try (LoopbackProxy proxy = LoopbackProxy.to(redis); NodeProbe probe = connect(proxy.uri())) {
			proxy.holdReplies();
			Attempt attempt = new Attempt("a1");
			CompletableFuture<NodeReply> granted = probe.submit(acquire(attempt, "late"));
			CompletableFuture<NodeReply> released = probe.submit(release(attempt, "late"));
			NodeProbe.until(() -> calls("evalsha") >= 2);
			assertThat(granted).isNotDone();
			proxy.releaseReplies();
			assertThat(granted.orTimeout(30, TimeUnit.SECONDS).join()).isInstanceOf(NodeReply.Granted.class);
			assertThat(released.orTimeout(30, TimeUnit.SECONDS).join()).isInstanceOf(NodeReply.Released.class);
			assertThat(redis.execute("EXISTS", "lock:{late}")).isEqualTo(0L);
		}
	}

	@Test
	void scriptThatTheServerForgotIsLoadedAgain() {
		try (NodeProbe probe = connect(redis.uri())) {
			redis.execute("SCRIPT", "FLUSH");
			Attempt attempt = new Attempt("a1");
			assertThat(probe.send(acquire(attempt, "n"))).isInstanceOf(NodeReply.Granted.class);
			assertThat(probe.send(release(attempt, "n"))).isInstanceOf(NodeReply.Released.class);
			assertThat(redis.execute("EXISTS", "lock:{n}")).isEqualTo(0L);
		}
	}

	@Test
	void acquireIsNotSentAgainOnceItsReleaseIsUnderWay() {
		try (LoopbackProxy proxy = LoopbackProxy.to(redis); NodeProbe probe = connect(proxy.uri())) {
			proxy.holdReplies();
			redis.execute("SCRIPT", "FLUSH");
			Attempt attempt = new Attempt("a1");
			CompletableFuture<NodeReply> acquired = probe.submit(acquire(attempt, "n"));
			CompletableFuture<NodeReply> released = probe.submit(release(attempt, "n"));
			proxy.releaseReplies();
			assertThat(NodeProbe.causeOf(acquired.orTimeout(30, TimeUnit.SECONDS).join())).isEqualTo(Cause.ERROR);
			assertThat(released.orTimeout(30, TimeUnit.SECONDS).join()).isInstanceOf(NodeReply.Released.class);
			assertThat(redis.execute("EXISTS", "lock:{n}")).isEqualTo(0L);
		}
	}

	/** The server forgot the script, and had it again when the longer extension came. */
	@Test
	void shorterRenewalIsNotSentAgainBehindALongerOne() {
		try (LoopbackProxy proxy = LoopbackProxy.to(redis); NodeProbe probe = connect(proxy.uri())) {
			Attempt attempt = new Attempt("a1");
			probe.send(acquire(attempt, "n"));
			proxy.holdReplies();
			redis.execute("SCRIPT", "FLUSH");
			CompletableFuture<NodeReply> shorter = probe.submit(renew(attempt, 2_000, true));
			NodeProbe.until(() -> String.valueOf(redis.execute("INFO", "errorstats")).contains("errorstat_NOSCRIPT"));
			redis.execute("SCRIPT", "LOAD", LockScript.RENEW.source());
			CompletableFuture<NodeReply> longer = probe.submit(renew(attempt, 60_000, false));
			proxy.releaseReplies();
			assertThat(NodeProbe.causeOf(shorter.orTimeout(30, TimeUnit.SECONDS).join())).isEqualTo(Cause.ERROR);
			assertThat(longer.orTimeout(30, TimeUnit.SECONDS).join()).isInstanceOf(NodeReply.Done.class);
			assertThat((Long) redis.execute("PTTL", "lock:{n}")).isGreaterThan(20_000);
		}
	}

	@Test
	void onlyTheNewestCommandOfAnAttemptIsSentAgain() {
		try (LoopbackProxy proxy = LoopbackProxy.to(redis); NodeProbe probe = connect(proxy.uri())) {
			Attempt attempt = new Attempt("a1");
			probe.send(acquire(attempt, "n"));
			proxy.holdReplies();
			redis.execute("SCRIPT", "FLUSH");
			CompletableFuture<NodeReply> first = probe.submit(renew(attempt, 60_000, false));
			CompletableFuture<NodeReply> second = probe.submit(renew(attempt, 60_000, false));
			proxy.releaseReplies();
			assertThat(NodeProbe.causeOf(first.orTimeout(30, TimeUnit.SECONDS).join())).isEqualTo(Cause.ERROR);
			assertThat(second.orTimeout(30, TimeUnit.SECONDS).join()).isInstanceOf(NodeReply.Done.class);
		}
	}

	private static NodeCommand renew(Attempt attempt, long leaseMillis, boolean shorten) {
		return new NodeCommand.Renew(new CommandHeader(LockTarget.exclusive(List.of("n")), attempt), leaseMillis,
				shorten, null, 0, true, 0);
	}

	@Test
	void locksWorkWhileScriptsAreFlushedAgainAndAgain() {
		try (NodeProbe probe = connect(redis.uri())) {
			List<CompletableFuture<NodeReply>> releases = new ArrayList<>();
			for (int i = 0; i < 2_000; i++) {
				Attempt attempt = new Attempt("a" + i);
				probe.submit(acquire(attempt, "n" + i));
				releases.add(probe.submit(release(attempt, "n" + i)));
				if (i % 100 == 0) {
					redis.execute("SCRIPT", "FLUSH");
				}
			}
			releases.forEach((release) -> assertThat(release.orTimeout(30, TimeUnit.SECONDS).join())
				.isInstanceOf(NodeReply.Released.class));
			assertThat(redis.execute("KEYS", "lock:{*")).isEqualTo(List.of());
		}
	}

	@Test
	void commandThatIsEnqueuedIsSentAfterAWhile() {
		try (NodeProbe probe = connect(redis.uri())) {
			for (int i = 0; i < 4; i++) { // the first may go with the record of the group
				CompletableFuture<NodeReply> acquired = probe.enqueue(acquire(new Attempt("a" + i), "n" + i));
				assertThat(acquired.orTimeout(10, TimeUnit.SECONDS).join()).isInstanceOf(NodeReply.Granted.class);
			}
		}
	}

	@Test
	void commandThatIsEnqueuedDoesNotMakeTheConnectionLookDead() {
		try (NodeProbe probe = connect(redis.uri())) {
			CompletableFuture<NodeReply> acquired = probe.enqueue(acquire(new Attempt("a1"), "n"));
			this.clock.advance(Duration.ofSeconds(60)); // a pause of the whole process
			assertThat(acquired.orTimeout(30, TimeUnit.SECONDS).join()).isInstanceOf(NodeReply.Granted.class);
			assertThat(probe.connected).hasSize(1);
		}
	}

	@Test
	void nodeThatRestartsIsFoundAgainWithAnotherRunId() {
		try (EmbeddedRedisNode other = EmbeddedRedisNode.start(); NodeProbe probe = connect(other.uri())) {
			NodeStatus before = probe.node().status();
			assertThat(before.version()).matches("(Redis|Valkey) .+");
			assertThat(before.runId()).hasSize(40);
			other.kill();
			NodeStatus down = probe.await(State.DOWN);
			assertThat(down.reason()).isIn("connection closed", "connection refused");
			assertThat(NodeProbe.causeOf(probe.send(acquire(new Attempt("a1"), "n")))).isEqualTo(Cause.NOT_SENT);
			other.restartEmpty();
			assertThat(probe.await(State.VOTING).runId()).isNotEqualTo(before.runId());
			// The listener is notified once the status has changed.
			Awaitility.await().until(() -> probe.connected.size() == 2);
			assertThat(probe.send(acquire(new Attempt("a2"), "n"))).isInstanceOf(NodeReply.Granted.class);
		}
	}

	/** Ids of clients restart with the server, so that the one of before is another's. */
	@Test
	void formerConnectionIsNotKilledOnAServerWithAnotherRunId() {
		try (EmbeddedRedisNode other = EmbeddedRedisNode.start(); NodeProbe probe = connect(other.uri())) {
			other.kill();
			probe.await(State.DOWN);
			other.restartEmpty();
			probe.await(State.VOTING);
			// Whether that is allowed is tried with an id that there is not.
			assertThat(String.valueOf(other.execute("INFO", "commandstats"))).contains("cmdstat_client|kill:calls=1,");
		}
	}

	@Test
	void commandsUnderWayAreLostWithTheConnection() {
		try (LoopbackProxy proxy = LoopbackProxy.to(redis); NodeProbe probe = connect(proxy.uri())) {
			proxy.holdReplies();
			CompletableFuture<NodeReply> reply = probe.submit(acquire(new Attempt("a1"), "n"));
			NodeProbe.until(() -> Objects.equals(redis.execute("EXISTS", "lock:{n}"), 1L));
			assertThat(reply).isNotDone();
			proxy.cut();
			NodeReply lost = reply.orTimeout(30, TimeUnit.SECONDS).join();
			assertThat(NodeProbe.causeOf(lost)).isEqualTo(Cause.CONNECTION_LOST);
			assertThat(NodeProbe.messageOf(lost)).isEqualTo("connection closed");
			probe.awaitReason("connection refused");
			proxy.restore();
			probe.await(State.VOTING);
		}
	}

	@Test
	void hangingConnectionIsGivenUpAndKilledOnTheServer() {
		try (LoopbackProxy proxy = LoopbackProxy.to(redis); NodeProbe probe = connect(proxy.uri())) {
			proxy.blackhole();
			CompletableFuture<NodeReply> reply = probe.submit(acquire(new Attempt("a1"), "n"));
			this.clock.advance(Duration.ofSeconds(5));
			NodeReply lost = reply.orTimeout(30, TimeUnit.SECONDS).join();
			assertThat(NodeProbe.causeOf(lost)).isEqualTo(Cause.CONNECTION_LOST);
			assertThat(NodeProbe.messageOf(lost)).isEqualTo("did not reply for 5 s");
			long kills = calls("client|kill");
			probe.awaitReason("did not reply within 1000 ms");
			proxy.restore();
			probe.await(State.VOTING);
			assertThat(calls("client|kill")).isEqualTo(kills + 2);
			assertThat(clients()).hasSize(1);
		}
	}

	@Test
	void pausedServerLosesNothingThatIsReleasedAfterwards() {
		try (EmbeddedRedisNode other = EmbeddedRedisNode.start(); NodeProbe probe = connect(other.uri())) {
			other.pause();
			Attempt attempt = new Attempt("a1");
			CompletableFuture<NodeReply> acquired = probe.submit(acquire(attempt, "n"));
			this.clock.advance(Duration.ofSeconds(5));
			assertThat(NodeProbe.causeOf(acquired.orTimeout(30, TimeUnit.SECONDS).join()))
				.isEqualTo(Cause.CONNECTION_LOST);
			other.resume();
			probe.await(State.VOTING);
			assertThat(probe.send(release(attempt, "n"))).isInstanceOf(NodeReply.Released.class);
			// Nothing of the former connection can be applied any more: it is dead.
			assertThat(other.execute("EXISTS", "lock:{n}")).isEqualTo(0L);
		}
	}

	/** Neither a timer that sends a retry nor a caller may wait for such a server. */
	@Test
	void hugeCommandToAServerThatHangsBlocksNoThread() throws Exception {
		String[] names = IntStream.range(0, 40_000).mapToObj((i) -> "name-" + i).toArray(String[]::new);
		NodeCommand huge = acquire(new Attempt("a1"), names);
		try (EmbeddedRedisNode other = EmbeddedRedisNode.start();
				NodeProbe probe = NodeProbe.connect(other.uri(),
						options().set(RedisNodeOptions::operationTimeout, Duration.ofSeconds(10)).build())) {
			other.pause();
			CompletableFuture<Void> sent = CompletableFuture.runAsync(() -> {
				probe.submit(huge);
				probe.enqueue(huge);
				probe.node().flush();
				probe.submit(acquire(new Attempt("a2"), "n"));
			});
			// The server is given up after 200 s.
			sent.get(30, TimeUnit.SECONDS);
			other.resume();
		}
	}

	@Test
	void whatIsPendingIsBoundedButReleasesGetThrough() {
		// Given up after 200 s, so that a busy machine may take its time.
		RedisNodeOptions patient = options().set(RedisNodeOptions::operationTimeout, Duration.ofSeconds(10)).build();
		try (LoopbackProxy proxy = LoopbackProxy.to(redis); NodeProbe probe = NodeProbe.connect(proxy.uri(), patient)) {
			proxy.blackhole();
			List<Attempt> sent = new ArrayList<>();
			CompletableFuture<NodeReply> reply;
			while (true) {
				Attempt attempt = new Attempt("a" + sent.size());
				reply = probe.submit(acquire(attempt, "n"));
				if (reply.isDone()) {
					break;
				}
				sent.add(attempt);
			}
			assertThat(NodeProbe.causeOf(reply.join())).isEqualTo(Cause.NOT_SENT);
			assertThat(NodeProbe.messageOf(reply.join())).isEqualTo("too many pending commands");
			assertThat(sent).hasSizeBetween(CommandQueue.MAX_COMMANDS / 2, CommandQueue.MAX_COMMANDS);
			List<CompletableFuture<NodeReply>> releases = sent.stream()
				.map((attempt) -> probe.submit(release(attempt, "n")))
				.toList();
			assertThat(releases).noneMatch(CompletableFuture::isDone);
			this.clock.advance(Duration.ofSeconds(200));
			releases.forEach((release) -> assertThat(NodeProbe.causeOf(release.orTimeout(30, TimeUnit.SECONDS).join()))
				.isIn(Cause.CONNECTION_LOST, Cause.NOT_SENT));
		}
	}

	@Test
	void oneConnectionCarriesEverything() {
		try (NodeProbe probe = connect(redis.uri())) {
			for (int i = 0; i < 100; i++) {
				probe.node().listen("app:" + i);
				probe.submit(acquire(new Attempt("a" + i), "n" + i));
			}
			probe.send(acquire(new Attempt("last"), "last"));
			assertThat(clients()).singleElement().asString().contains("name=quorlock");
		}
	}

	@Test
	void stopSendsWhatIsQueuedAndLeavesNoConnectionAndNoThread() {
		// Stopping waits for the reply for one operation timeout at most.
		NodeProbe probe = NodeProbe.connect(redis.uri(),
				options().set(RedisNodeOptions::operationTimeout, NodeProbe.LONG).build());
		Attempt attempt = new Attempt("a1");
		probe.send(acquire(attempt, "n"));
		CompletableFuture<NodeReply> released = probe.submit(release(attempt, "n"));
		probe.close();
		assertThat(released.orTimeout(30, TimeUnit.SECONDS).join()).isInstanceOf(NodeReply.Released.class);
		NodeProbe.until(() -> clients().isEmpty());
		String port = Integer.toString(redis.port());
		NodeProbe.until(() -> Thread.getAllStackTraces()
			.keySet()
			.stream()
			.noneMatch((thread) -> thread.isAlive() && thread.getName().startsWith("quorlock-")
					&& thread.getName().endsWith(port)));
	}

	@Test
	void stopGivesUpAServerThatHangsAndKeepsTheInterrupt() {
		try (LoopbackProxy proxy = LoopbackProxy.to(redis)) {
			NodeProbe probe = connect(proxy.uri());
			proxy.blackhole();
			CompletableFuture<NodeReply> reply = probe.submit(acquire(new Attempt("a1"), "n"));
			CompletableFuture<Boolean> interrupted = CompletableFuture.supplyAsync(() -> {
				Thread.currentThread().interrupt();
				probe.close();
				return Thread.interrupted();
			});
			assertThat(interrupted.orTimeout(30, TimeUnit.SECONDS).join()).isTrue();
			assertThat(NodeProbe.causeOf(reply.orTimeout(30, TimeUnit.SECONDS).join()))
				.isEqualTo(Cause.CONNECTION_LOST);
		}
	}

	private Settings<RedisNodeOptions> options() {
		return TestOptions.with(this.clock).set(RedisNodeOptions::quarantine, Duration.ZERO);
	}

	private NodeProbe connect(String uri) {
		return NodeProbe.connect(uri, options().build());
	}

	private static List<String> clients() {
		return String.valueOf(redis.execute("CLIENT", "LIST"))
			.lines()
			.filter((client) -> client.contains("name=quorlock"))
			.toList();
	}

	private static long calls(String command) {
		return String.valueOf(redis.execute("INFO", "commandstats"))
			.lines()
			.filter((line) -> line.startsWith("cmdstat_" + command + ":calls="))
			.mapToLong((line) -> Long.parseLong(line.replaceAll(".*:calls=(\\d+),.*", "$1")))
			.sum();
	}

}
