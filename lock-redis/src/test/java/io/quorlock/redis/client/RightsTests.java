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
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import io.quorlock.embedded.EmbeddedRedisNode;
import io.quorlock.quorum.node.Attempt;
import io.quorlock.quorum.node.NodeReply;
import io.quorlock.quorum.node.NodeStatus.State;
import io.quorlock.time.TestClock;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that each row of the table of rights in {@code docs/setup.md} is true.
 */
class RightsTests {

	private static final Pattern USER = Pattern.compile("^user quorlock on >secret (.*)$", Pattern.MULTILINE);

	private static final Pattern ROW = Pattern.compile("^\\|(.*)\\|[^|]*\\| \\*\\*(\\w+)\\*\\*.*\\|$",
			Pattern.MULTILINE);

	/**
	 * By an exclusive lock with one request that waits for it; the others are used by the
	 * next connection.
	 */
	private static final Set<String> USED = Set.of("publish", "del", "zadd", "zrange", "hset", "set", "pttl", "pexpire",
			"getrange", "zcard");

	private static final String DENIES = "denies a permission";

	private static EmbeddedRedisNode redis;

	private static String documentation;

	private final TestClock clock = new TestClock();

	@BeforeAll
	static void start() throws IOException {
		redis = EmbeddedRedisNode.start();
		documentation = Files.readString(Path.of("../docs/setup.md"));
	}

	@BeforeEach
	void flush() {
		redis.execute("FLUSHALL");
		redis.execute("HSET", "lock:nodes", "since", "0");
	}

	@AfterAll
	static void stop() {
		redis.close();
	}

	static Stream<Arguments> rights() throws IOException {
		return ROW.matcher(Files.readString(Path.of("../docs/setup.md")))
			.results()
			.flatMap((row) -> Pattern.compile("`([^`]+)`")
				.matcher(row.group(1).replace("\\|", "|"))
				.results()
				.map((right) -> Arguments.of(right.group(1), row.group(2))));
	}

	@ParameterizedTest(name = "without {0}: {1}")
	@MethodSource("rights")
	void rightThatIsMissingAtTheStart(String right, String consequence) {
		setRights(right);
		try (NodeProbe probe = probe()) {
			probe.node().listen("app@host:1:7f");
			awaitConsequence(probe, right, consequence);
		}
	}

	@ParameterizedTest(name = "without {0}: {1}")
	@MethodSource("rights")
	void rightThatIsTakenAwayInARunningFleet(String right, String consequence) {
		setRights("");
		try (NodeProbe probe = probe()) {
			probe.node().listen("app@host:1:7f");
			probe.await(State.VOTING);
			Attempt held = new Attempt("app@host:1:7f:held");
			assertThat(probe.send(NodeProbe.acquire(held, "held"))).isInstanceOf(NodeReply.Granted.class);
			setRights(right);
			// The server itself ends connections that listen to a channel which is
			// denied.
			if (!USED.contains(right)) {
				redis.execute("CLIENT", "KILL", "USER", "quorlock");
			}
			else {
				this.clock.advance(Duration.ofSeconds(11)); // the record is written again
				probe.send(NodeHealthTests.queue("held"));
				probe.send(NodeProbe.release(held, "held"));
			}
			awaitConsequence(probe, right, consequence);
			setRights("");
			probe.await(State.VOTING);
		}
	}

	private void awaitConsequence(NodeProbe probe, String right, String consequence) {
		if (!consequence.equals("degraded")) {
			State state = State.valueOf(consequence.toUpperCase(Locale.ROOT));
			assertThat(probe.await(state).reason()).startsWith(DENIES);
			return;
		}
		RedisLockNode node = (RedisLockNode) probe.node();
		Awaitility.await()
			.atMost(NodeProbe.LONG)
			.until(node::note, (note) -> note.startsWith("grants locks, but " + DENIES));
		assertThat(node.note()).containsIgnoringCase(right.startsWith("&") ? "channel" : right);
		probe.await(State.VOTING);
		assertThat(probe.send(NodeProbe.acquire(new Attempt("free"), "free:" + right)))
			.isInstanceOf(NodeReply.Granted.class);
	}

	private static void setRights(String missing) {
		Matcher user = USER.matcher(documentation);
		assertThat(user.find()).isTrue();
		List<String> command = new ArrayList<>(List.of("ACL", "SETUSER", "quorlock", "reset", "on", ">secret"));
		Arrays.stream(user.group(1).split(" "))
			.filter((right) -> !right.equals(missing) && !right.equals("+" + missing))
			.forEach(command::add);
		redis.execute(command.toArray(String[]::new));
	}

	private NodeProbe probe() {
		return NodeProbe.start("redis://quorlock:secret@127.0.0.1:" + redis.port(), NodeProbe.options(this.clock));
	}

}
