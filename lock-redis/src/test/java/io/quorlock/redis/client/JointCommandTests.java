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

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import io.quorlock.embedded.EmbeddedRedisNode;
import io.quorlock.embedded.LoopbackProxy;
import io.quorlock.quorum.node.Attempt;
import io.quorlock.quorum.node.CommandHeader;
import io.quorlock.quorum.node.JointRenewal;
import io.quorlock.quorum.node.LockTarget;
import io.quorlock.quorum.node.NodeCommand;
import io.quorlock.quorum.node.NodeReply;
import io.quorlock.quorum.node.NodeReply.Failed.Cause;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * R28: renewals that share a command, on a real server.
 */
class JointCommandTests {

	private static final int SIZE = JointRenewal.MAX_SIZE;

	private static EmbeddedRedisNode redis;

	private final List<Attempt> attempts = IntStream.range(0, SIZE).mapToObj((i) -> new Attempt("app:1:" + i)).toList();

	private final List<CompletableFuture<NodeReply>> replies = new ArrayList<>();

	@BeforeAll
	static void startRedis() {
		redis = EmbeddedRedisNode.start();
	}

	@AfterAll
	static void stopRedis() {
		redis.close();
	}

	@BeforeEach
	void reset() {
		redis.execute("FLUSHALL");
	}

	private void holdAll() {
		for (int i = 0; i < SIZE; i++) {
			redis.execute("SET", lock(i), this.attempts.get(i).owner(), "PX", "20000");
			redis.execute("SET", fence(i), "5", "PX", "100000");
		}
	}

	private static String lock(int i) {
		return "lock:{n" + i + "}";
	}

	private static String fence(int i) {
		return lock(i) + ":fence";
	}

	private void renew(NodeProbe probe, boolean prolong) {
		List<JointRenewal.Member> members = new ArrayList<>();
		for (int i = 0; i < SIZE; i++) {
			CompletableFuture<NodeReply> replied = new CompletableFuture<>();
			this.replies.add(replied);
			CommandHeader header = new CommandHeader(LockTarget.exclusive(List.of("n" + i)), this.attempts.get(i));
			members.add(new JointRenewal.Member(
					new NodeCommand.Renew(header, 30_000, false, new long[] { 7 }, 200_000, prolong, 0),
					(slot, reply) -> assertThat(replied.complete(reply)).isTrue()));
		}
		probe.node().submit(new JointRenewal(members), 0);
	}

	private NodeReply reply(int i) {
		return this.replies.get(i).orTimeout(30, TimeUnit.SECONDS).join();
	}

	private static long left(String key) {
		return Long.parseLong(String.valueOf(redis.execute("PTTL", key)));
	}

	@Test
	void eachIsRenewedPutBackOrRefusedByItself() {
		holdAll();
		redis.execute("SET", lock(3), "other:1:1", "PX", "15000");
		redis.execute("DEL", lock(4), fence(4));
		redis.execute("SET", fence(5), "garbage");
		redis.execute("DEL", fence(6));
		redis.execute("LPUSH", fence(7) + "x", "y");
		redis.execute("RENAME", fence(7) + "x", fence(7));
		redis.execute("DEL", lock(8));
		redis.execute("LPUSH", lock(8), "x");
		redis.execute("PEXPIRE", lock(9), "50000");
		try (NodeProbe probe = NodeProbe.connect(redis.uri())) {
			renew(probe, true);
			assertThat(reply(3)).isInstanceOfSatisfying(NodeReply.Refused.class, (refused) -> {
				assertThat(refused.blockers()).containsExactly(new NodeReply.Blocker.Owner("other:1:1"));
				assertThat(refused.remainingMillis()).isBetween(1L, 15_000L);
			});
			assertThat(reply(5)).isInstanceOfSatisfying(NodeReply.Failed.class,
					(failed) -> assertThat(failed.message()).contains(fence(5)));
			assertThat(reply(7)).isInstanceOf(NodeReply.Failed.class);
			assertThat(reply(8)).isInstanceOfSatisfying(NodeReply.Failed.class,
					(failed) -> assertThat(failed.message()).contains("another type", lock(8)));
			for (int i = 0; i < SIZE; i++) {
				boolean fails = i == 3 || i == 5 || i == 7 || i == 8;
				assertThat(reply(i) instanceof NodeReply.Done).as("%d", i).isEqualTo(!fails);
				assertThat(left(lock(i)) > 20_000).as("%d", i).isEqualTo(!fails);
				if (!fails) {
					assertThat(redis.execute("GET", fence(i))).as("%d", i).isEqualTo("7");
					assertThat(left(fence(i))).as("%d", i).isGreaterThan(100_000);
				}
			}
			assertThat(left(lock(9))).isGreaterThan(30_000);
			assertThat(left(lock(3))).isLessThanOrEqualTo(15_000);
			assertThat(redis.execute("GET", lock(4))).isEqualTo(this.attempts.get(4).owner());
		}
	}

	@Test
	void nodeCountsTwoCommandsForEach() {
		holdAll();
		try (NodeProbe probe = NodeProbe.connect(redis.uri())) {
			redis.execute("CONFIG", "RESETSTAT");
			renew(probe, false);
			assertThat(reply(SIZE - 1)).isEqualTo(new NodeReply.Done(true));
			long commands = String.valueOf(redis.execute("INFO", "commandstats"))
				.lines()
				.filter((line) -> line.matches("cmdstat_(evalsha|getrange|exists|pexpire|pttl|get|set|mget).*"))
				.mapToLong((line) -> Long.parseLong(line.replaceAll(".*calls=(\\d+).*", "$1")))
				.sum();
			assertThat(commands).isLessThanOrEqualTo(2 * SIZE + 2);
			assertThat(left(fence(0))).as("no half of its life is over").isLessThanOrEqualTo(100_000);
		}
	}

	@Test
	void fenceThatIsLostAloneIsPutBack() {
		holdAll();
		redis.execute("DEL", fence(6));
		try (NodeProbe probe = NodeProbe.connect(redis.uri())) {
			renew(probe, false);
			assertThat(reply(6)).isEqualTo(new NodeReply.Done(true));
			assertThat(redis.execute("GET", fence(6))).isEqualTo("7");
		}
	}

	@Test
	void releaseBehindItLeavesNoKey() {
		holdAll();
		try (NodeProbe probe = NodeProbe.connect(redis.uri())) {
			renew(probe, false);
			assertThat(probe.send(NodeProbe.release(this.attempts.get(5), "n5")))
				.isInstanceOf(NodeReply.Released.class);
			assertThat(reply(5)).isEqualTo(new NodeReply.Done(true));
			assertThat(redis.execute("EXISTS", lock(5))).isEqualTo(0L);
			assertThat(left(lock(6))).isGreaterThan(20_000);
		}
	}

	@Test
	void isSentAgainWithItsScriptButWithoutLeasesThatAreBeingReleased() {
		holdAll();
		try (LoopbackProxy proxy = LoopbackProxy.to(redis); NodeProbe probe = NodeProbe.connect(proxy.uri())) {
			proxy.holdReplies();
			redis.execute("SCRIPT", "FLUSH");
			renew(probe, false);
			CompletableFuture<NodeReply> released = probe.submit(NodeProbe.release(this.attempts.get(5), "n5"));
			proxy.releaseReplies();
			assertThat(released.orTimeout(30, TimeUnit.SECONDS).join()).isInstanceOf(NodeReply.Released.class);
			assertThat(NodeProbe.causeOf(reply(5))).isEqualTo(Cause.ERROR);
			assertThat(reply(6)).isEqualTo(new NodeReply.Done(true));
			assertThat(redis.execute("EXISTS", lock(5))).isEqualTo(0L);
			assertThat(left(lock(6))).isGreaterThan(20_000);
		}
	}

	@Test
	void connectionThatBreaksFailsItForAllOfThem() {
		holdAll();
		try (LoopbackProxy proxy = LoopbackProxy.to(redis); NodeProbe probe = NodeProbe.connect(proxy.uri())) {
			proxy.holdReplies();
			renew(probe, false);
			Awaitility.await().atMost(NodeProbe.LONG).until(() -> left(lock(SIZE - 1)) > 20_000);
			proxy.close();
			for (int i = 0; i < SIZE; i++) {
				assertThat(NodeProbe.causeOf(reply(i))).isEqualTo(Cause.CONNECTION_LOST);
			}
		}
	}

}
