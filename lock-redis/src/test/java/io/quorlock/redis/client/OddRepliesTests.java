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

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import io.quorlock.embedded.EmbeddedRedisNode;
import io.quorlock.logging.CapturedLog;
import io.quorlock.logging.LogCaptureExtension;
import io.quorlock.quorum.node.Attempt;
import io.quorlock.quorum.node.NodeReply;
import io.quorlock.quorum.node.NodeReply.Failed.Cause;
import io.quorlock.quorum.node.NodeStatus.State;
import io.quorlock.redis.LockScript;
import io.quorlock.time.TestClock;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Nodes whose replies make no sense, or are missing, do not look as if they voted.
 */
@ExtendWith(LogCaptureExtension.class)
class OddRepliesTests {

	private static final String INFO = "run_id:0123456789012345678901234567890123456789\r\nrole:master\r\n"
			+ "redis_version:7.2.4\u001b[31m\r\nuptime_in_seconds:86400\r\n";

	private static final String RECORD = "*5\r\n:0\r\n:1000\r\n:0\r\n:-1\r\n$0\r\n";

	private final AtomicReference<String> acquireReply = new AtomicReference<>(":1");

	private final TestClock clock = new TestClock();

	@ParameterizedTest
	@CsvSource({ "+odd, sends replies that no lock script gives", "*0, sends replies that no lock script gives",
			"-NOSCRIPT No matching script., no longer has its scripts" })
	void threeInARowEndTheVoteUntilAReplyIsSound(String reply, String reason, CapturedLog output) throws IOException {
		try (FakeServer server = new FakeServer(this::reply); NodeProbe probe = connect(server.uri())) {
			this.acquireReply.set(reply);
			for (int i = 1; i <= 3; i++) {
				assertThat(probe.node().status().state()).isEqualTo(State.VOTING);
				assertThat(NodeProbe.causeOf(acquire(probe, "a" + i))).isEqualTo(Cause.ERROR);
			}
			assertThat(probe.await(State.FAILING).reason()).startsWith(reason);
			NodeProbe.until(() -> output.toString().contains("is connected but fails"));
			assertThat(probe.connected).hasSize(1);
			this.acquireReply.set(":1");
			assertThat(acquire(probe, "b1")).isInstanceOf(NodeReply.Granted.class);
			probe.await(State.VOTING);
		}
		assertThat(output).containsOnlyOnce("is connected but fails: it " + reason);
	}

	@Test
	void oneOddReplyAmongSoundOnesIsNoFailure() throws IOException {
		try (FakeServer server = new FakeServer(this::reply); NodeProbe probe = connect(server.uri())) {
			for (int i = 0; i < 4; i++) {
				this.acquireReply.set("+odd");
				acquire(probe, "a" + i);
				this.acquireReply.set(":1");
				acquire(probe, "b" + i);
			}
			assertThat(probe.node().status().state()).isEqualTo(State.VOTING);
		}
	}

	@Test
	void nodeThatWasOddVotesAgainAfterAWhile() throws IOException {
		try (FakeServer server = new FakeServer(this::reply); NodeProbe probe = connect(server.uri())) {
			this.acquireReply.set("+odd");
			for (int i = 0; i < 3; i++) {
				acquire(probe, "a" + i);
			}
			probe.await(State.FAILING);
			this.clock.advance(Duration.ofSeconds(11));
			probe.await(State.VOTING);
		}
	}

	@Test
	void serverThatHangsFailsBeforeItsConnectionIsGivenUp(CapturedLog output) {
		try (EmbeddedRedisNode redis = EmbeddedRedisNode.start(); NodeProbe probe = connect(redis.uri())) {
			redis.pause();
			probe.submit(NodeProbe.acquire(new Attempt("a1"), "n"));
			this.clock.advance(Duration.ofSeconds(2));
			assertThat(probe.await(State.FAILING).reason()).matches("has not replied for \\d+ ms");
			assertThat(probe.connected).hasSize(1);
			// From here on a rival may be answered before the connection is.
			redis.resume();
			probe.await(State.VOTING);
		}
		assertThat(output).containsOnlyOnce("is connected but fails: it has not replied for ");
	}

	/** The server may be another one, or have lost what was written to it. */
	@Test
	void listIsNotedAtOnceOnEachConnection() throws IOException {
		AtomicInteger noted = new AtomicInteger();
		AtomicBoolean closing = new AtomicBoolean();
		try (FakeServer server = new FakeServer((command) -> {
			if (command.contains(LockScript.RECORD.sha1()) && command.contains("stay")) {
				noted.incrementAndGet();
			}
			return (closing.get() && command.get(0).equals("EVALSHA") && isOfALock(command)) ? null : reply(command);
		}); NodeProbe probe = connect(server.uri())) {
			NodeProbe.until(() -> noted.get() > 0);
			int before = noted.get();
			closing.set(true);
			assertThat(NodeProbe.causeOf(acquire(probe, "a1"))).isEqualTo(Cause.CONNECTION_LOST);
			closing.set(false);
			// The next time is ten seconds later.
			Awaitility.await().atMost(Duration.ofSeconds(8)).until(() -> noted.get() > before);
			NodeProbe.until(() -> probe.connected.size() == 2);
		}
	}

	/** A version is what a server says it is. */
	@Test
	void versionIsEscaped(CapturedLog output) throws IOException {
		try (FakeServer server = new FakeServer(this::reply);
				NodeProbe probe = NodeProbe.start(server.uri(), NodeProbe.options(this.clock))) {
			assertThat(probe.await(State.VOTING).version()).startsWith("Redis 7.2.4").doesNotContain("\u001b");
			NodeProbe.until(() -> output.toString().contains(") votes"));
		}
		assertThat(output).doesNotContain("\u001b[31m");
	}

	private @Nullable String reply(List<String> command) {
		return switch (command.get(0)) {
			case "INFO" -> "$" + INFO.length() + "\r\n" + INFO;
			case "EVALSHA" -> command.get(1).equals(LockScript.RECORD.sha1()) ? RECORD
					: isOfALock(command) ? this.acquireReply.get() : ":1";
			default -> ":1";
		};
	}

	private static boolean isOfALock(List<String> command) {
		return command.get(3).startsWith("lock:{");
	}

	private static NodeReply acquire(NodeProbe probe, String attempt) {
		return probe.send(NodeProbe.acquire(new Attempt(attempt), "n"));
	}

	private NodeProbe connect(String uri) {
		return NodeProbe.connect(uri, NodeProbe.options(this.clock));
	}

}
